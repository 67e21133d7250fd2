package harnesserrproc

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/keys"
	"github.com/harnesserr/harnesserr/signal"
)

// look is what the presence of attributes tells at first sight, a bit each.
type look uint8

const (
	lookMarker   look = 1 << iota // GenAI or agent telemetry
	lookForeign                   // of another convention
	lookLoud                      // has to be read, whatever the status is
	lookFinish                    // a finish reason: loud unless benign
	lookHTTP                      // an HTTP status: loud from 400 on
	lookClaude                    // the operation of a Claude Code span
	lookEvidence                  // may show a failure
	lookOwn                       // written by an earlier pass
)

func lookOf(f keys.Flags, role string) look {
	var l look
	if f&keys.Marker != 0 {
		l |= lookMarker
	}
	if f&keys.Foreign != 0 {
		l |= lookForeign
	}
	if f&keys.Evidence != 0 {
		l |= lookEvidence
	}
	if role == "own" || strings.HasPrefix(role, "own.") {
		l |= lookOwn
	}
	switch role {
	case "finish":
		l |= lookFinish
	case "http":
		l |= lookHTTP
	case "operation.claude":
		l |= lookClaude
	case "message", "exception.type", "exception.message", "exception.stack":
		// They mean nothing by themselves on a record that did not fail.
	default:
		if f&keys.Evidence != 0 {
			l |= lookLoud
		}
	}
	return l
}

// seldom are the roles that few healthy spans are asked for: whoever asks calls complete before.
var seldom = map[string]bool{"model": true, "peer.agent": true, "peer.address": true, "peer.url": true, "peer.source": true}

// sift makes the looks and the sieves; read says which attributes are read at all on a record of ours, and payload which
// are cleaned on every record.
func (r *roles) sift(read, payload func(keys.ID) bool) {
	r.looks = make([]look, r.Len())
	for id := keys.ID(1); int(id) < r.Len(); id++ {
		r.looks[id] = lookOf(r.Flags(id), r.RoleOf(id))
	}
	with := func(l look) *keys.Sieve { return r.Sieve(func(id keys.ID) bool { return r.looks[id]&l != 0 }) }
	r.claims, r.foreign = with(lookMarker|lookClaude), with(lookMarker|lookForeign|lookClaude)
	r.loud = with(lookLoud | lookFinish | lookHTTP)
	r.known = r.Sieve(func(keys.ID) bool { return true })
	whole := func(id keys.ID) bool { return read(id) || payload(id) || r.looks[id]&^(lookMarker|lookForeign) != 0 }
	r.read = r.Sieve(whole)
	later := func(id keys.ID) bool { return seldom[r.RoleOf(id)] && !payload(id) && r.looks[id]&lookEvidence == 0 }
	r.brief = r.Sieve(func(id keys.ID) bool { return whole(id) && !later(id) })
	r.later = r.Sieve(func(id keys.ID) bool { return whole(id) && later(id) })
}

// claim is the first look at a span: whose it is. Nothing is kept. In telemetry of other conventions most keys are passed
// over by their length alone; in ours one of the first tells.
func (r *record) claim(sc *scope, span ptrace.Span) bool {
	sieve := r.keys.claims
	if sc.agent {
		sieve = r.keys.foreign
	}
	var found look
	for k := range span.Attributes().All() {
		if sieve.May(k) {
			if id := r.keys.Find(k); id != 0 {
				if found |= r.keys.looks[id]; found&lookMarker != 0 {
					return true
				}
				continue
			}
		}
		if markerPrefix(k) {
			return true
		}
	}
	return sc.owns(found) || found&lookClaude != 0 && strings.HasPrefix(span.Name(), "claude_code.")
}

// quiet reports that nothing on a span of ours has to be read although its status is not ERROR.
func (r *record) quiet(e *signal.Engine, attrs pcommon.Map) bool {
	for k, v := range attrs.All() {
		if !r.keys.loud.May(k) {
			continue
		}
		switch l := r.keys.looks[r.keys.Find(k)]; {
		case l&lookLoud != 0, l&lookFinish != 0 && !r.benignStops(e, v), l&lookHTTP != 0 && statusOf(v) >= 400:
			return false
		}
	}
	return true
}

// scannedQuiet is quiet for a span that was scanned.
func (r *record) scannedQuiet(e *signal.Engine) bool {
	if r.found&(lookLoud|lookFinish|lookHTTP) == 0 {
		return true
	}
	if r.found&lookLoud != 0 {
		return false
	}
	for _, id := range r.keys.finish {
		if r.has(id) && !r.benignStops(e, r.vals[id]) {
			return false
		}
	}
	for _, id := range r.keys.http {
		if r.has(id) && statusOf(r.vals[id]) >= 400 {
			return false
		}
	}
	return true
}

// markerPrefix knows the families of attributes that have numbers or many names in them.
func markerPrefix(k string) bool {
	if len(k) < 12 {
		return false
	}
	switch k[:2] {
	case "ge", "gc":
		return strings.HasPrefix(k, "gen_ai.prompt.") || strings.HasPrefix(k, "gen_ai.completion.") ||
			strings.HasPrefix(k, "gen_ai.guardrail.") || strings.HasPrefix(k, "gen_ai.response.") || strings.HasPrefix(k, "gcp.vertex.agent.")
	case "ha":
		return strings.HasPrefix(k, "haystack.agent.") || strings.HasPrefix(k, "haystack.pipeline.")
	case "py":
		return strings.HasPrefix(k, "pydantic_ai.tool.")
	}
	return false
}

// benignStops reports whether finish reasons in any encoding are no failure.
func (r *record) benignStops(e *signal.Engine, v pcommon.Value) bool {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return r.benignStop(e, v.Str())
	case pcommon.ValueTypeSlice:
		for _, s := range v.Slice().All() {
			if s.Type() != pcommon.ValueTypeStr || !r.benignStop(e, s.Str()) {
				return false
			}
		}
		return true
	}
	return false
}

func (r *record) benignStop(e *signal.Engine, s string) bool {
	benign, ok := r.stops.get(s)
	if !ok {
		benign = e.BenignStop(s)
		r.stops.put(s, benign, true)
	}
	return benign
}
