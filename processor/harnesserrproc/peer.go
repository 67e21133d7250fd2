package harnesserrproc

import (
	"net/url"
	"strings"

	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/keys"
	"github.com/harnesserr/harnesserr/signal"
)

// peerOf names the party that the operation was asked of, by the kind of the operation; "" for local ones.
func (r *record) peerOf(p *normalizer, name string) string {
	k := r.keys
	if r.role == signal.RoleServer && r.protocol != signal.ProtocolNone {
		return "" // the caller's half knows whom it asked
	}
	switch r.operation {
	case signal.OpA2A:
		r.complete()
		return r.firstPeer(k.peerAgent, k.peerService, k.peerAddress, k.peerURL)
	case signal.OpInvokeAgent:
		if r.role == signal.RoleClient || r.protocol == signal.ProtocolA2A {
			r.complete()
			return r.firstPeer(k.peerAgent, k.peerService, k.peerAddress, k.peerURL)
		}
		return "" // the agent itself
	case signal.OpMCP, signal.OpExecuteTool:
		return r.toolPeer(name)
	case signal.OpChat, signal.OpTextCompletion, signal.OpEmbeddings, signal.OpCreateAgent:
		return r.modelPeer(p)
	case signal.OpRetrieval:
		r.complete()
		return r.firstPeer(k.peerSource, k.peerService, k.peerAddress, k.provider)
	case signal.OpGuardrail:
		if s := r.firstPeer(k.peerGuardrail); s != "" {
			return s
		}
		return r.provider
	}
	return ""
}

func (r *record) toolPeer(name string) string {
	k := r.keys
	if s := r.firstPeer(k.peerService, k.peerMCP); s != "" {
		return s
	}
	if r.protocol == signal.ProtocolMCP && r.role == signal.RoleClient {
		r.complete()
		if s := r.firstPeer(k.peerAddress); s != "" {
			return s
		}
	}
	if s := r.firstPeer(k.peerTool); s != "" {
		return s
	}
	for _, prefix := range [...]string{"execute_tool ", "tools/call ", "running tool: "} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && len(rest) < 80 {
			return rest
		}
	}
	return ""
}

func (r *record) modelPeer(p *normalizer) string {
	if r.provider != "" {
		return r.provider
	}
	r.complete()
	k := r.keys
	if s := r.firstPeer(k.peerService); s != "" {
		return s
	}
	if s := r.firstPeer(k.peerAddress, k.peerURL); s != "" {
		if known := p.names.Host(s); known != "" {
			return known
		}
		return s
	}
	if m := r.text(k.model); m != "" {
		if known := p.names.Model(m); known != "" {
			return known
		}
		return m
	}
	return ""
}

// firstPeer returns the first attribute of the roles that names somebody.
func (r *record) firstPeer(roles ...[]keys.ID) string {
	for _, ids := range roles {
		s := r.text(ids)
		if s == "" || s == "unknown" {
			continue
		}
		if len(ids) > 0 && r.keys.peerURL != nil && ids[0] == r.keys.peerURL[0] {
			s = hostOf(s)
		}
		if s != "" && len(s) <= maxPeer {
			return s
		}
	}
	return ""
}

// maxPeer is the longest name of a peer; what is longer is content, not a name.
const maxPeer = 128

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
