// Package peers names the party that an operation was asked of, in few and stable words: canonical providers, bounded in
// number.
package peers

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

//go:embed providers.tsv
var providersFile string

// Other is the peer that all peers beyond the bound are folded into.
const Other = "other"

// Names knows the canonical names of providers.
type Names struct {
	alias, frameworks, roots map[string]string
	prefix, model, host      [][2]string
}

// Load reads the table of names, once.
var Load = sync.OnceValues(func() (*Names, error) {
	n := &Names{alias: map[string]string{}, frameworks: map[string]string{}, roots: map[string]string{}}
	for i, line := range strings.Split(providersFile, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		c := strings.Split(line, "\t")
		if len(c) != 3 {
			return nil, fmt.Errorf("providers.tsv:%d: %d columns, want 3", i+1, len(c))
		}
		switch pair := [2]string{c[1], c[2]}; c[0] {
		case "alias":
			n.alias[fold(c[1])] = c[2]
		case "framework":
			n.frameworks[fold(c[1])] = c[2]
		case "root":
			n.roots[c[1]] = c[2]
		case "prefix":
			n.prefix = append(n.prefix, pair)
		case "model":
			n.model = append(n.model, pair)
		case "host":
			n.host = append(n.host, pair)
		default:
			return nil, fmt.Errorf("providers.tsv:%d: kind %q", i+1, c[0])
		}
	}
	return n, nil
})

func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// Provider returns the canonical name of a provider, or the framework that stands in its place.
func (n *Names) Provider(raw string) (provider, framework string) {
	f := fold(raw)
	if fw, ok := n.frameworks[f]; ok {
		return "", fw
	}
	if p, ok := n.alias[f]; ok {
		return p, ""
	}
	if p := first(n.prefix, strings.ToLower(raw)); p != "" {
		return p, ""
	}
	return strings.ToLower(raw), ""
}

// Model returns the provider that a model's name gives away, or "".
func (n *Names) Model(model string) string { return first(n.model, strings.ToLower(model)) }

// Root returns the provider whose client library an error class belongs to, or "".
func (n *Names) Root(class string) string {
	root, _, ok := strings.Cut(class, ".")
	if !ok {
		return ""
	}
	return n.roots[root]
}

// Host returns the provider that a server address belongs to, or "".
func (n *Names) Host(host string) string {
	for _, p := range n.host {
		if host == p[0] || p[0][0] == '.' && strings.HasSuffix(host, p[0]) {
			return p[1]
		}
	}
	return ""
}

func first(pairs [][2]string, s string) string {
	for _, p := range pairs {
		if strings.HasPrefix(s, p[0]) {
			return p[1]
		}
	}
	return ""
}

// Config bounds and renames peers.
type Config struct {
	// Max is how many peers keep their names at a time.
	Max int
	// Allow, when not empty, lists the only peers that keep their names.
	Allow []string
	// Rename gives peers other names.
	Rename map[string]string
	// Clean cleans a name that comes from telemetry; nil leaves it as it is.
	Clean func(string) string
}

// Idle is how long a peer keeps its place after it was last seen while others wait for one.
const Idle = time.Hour

// sweepEvery bounds how often a full Bound looks for idle peers.
const sweepEvery = time.Minute

// Bound keeps the number of peers small, so that a label made of them stays cheap. Safe for concurrent use.
type Bound struct {
	max    int
	allow  map[string]bool
	rename map[string]string
	clean  func(string) string

	mu    sync.RWMutex
	seen  map[string]*entry
	swept time.Time
}

type entry struct {
	name string
	last atomic.Int64 // when seen, in Unix seconds
}

// NewBound returns a Bound that lets at most Max peers keep their names at a time; further ones are Other until a peer was
// idle for an hour.
func NewBound(c Config) *Bound {
	b := &Bound{max: c.Max, rename: c.Rename, clean: c.Clean, seen: map[string]*entry{}}
	if len(c.Allow) > 0 {
		b.allow = map[string]bool{}
		for _, a := range c.Allow {
			b.allow[a] = true
		}
	}
	return b
}

// Name returns the name to write for a peer seen at now, and whether it was folded into Other.
func (b *Bound) Name(peer string, now time.Time) (name string, folded bool) {
	if peer == "" {
		return "", false
	}
	b.mu.RLock()
	e := b.seen[peer]
	b.mu.RUnlock()
	if e == nil {
		return b.admit(peer, now)
	}
	if s := now.Unix(); e.last.Load() < s {
		e.last.Store(s)
	}
	return e.name, e.name == Other
}

func (b *Bound) admit(peer string, now time.Time) (string, bool) {
	name := strings.Clone(peer) // the record's memory goes away
	if b.clean != nil {
		name = b.clean(name)
	}
	if to, ok := b.rename[peer]; ok {
		name = to
	}
	if b.allow != nil && !b.allow[name] {
		return Other, true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.seen) >= b.max {
		b.sweep(now)
		if len(b.seen) >= b.max {
			return Other, true
		}
	}
	e := &entry{name: name}
	e.last.Store(now.Unix())
	b.seen[strings.Clone(peer)] = e
	return name, false
}

func (b *Bound) sweep(now time.Time) {
	if now.Sub(b.swept) < sweepEvery {
		return
	}
	b.swept = now
	for peer, e := range b.seen {
		if now.Unix()-e.last.Load() >= int64(Idle/time.Second) {
			delete(b.seen, peer)
		}
	}
}
