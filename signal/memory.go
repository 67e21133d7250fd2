package signal

import (
	"hash/maphash"
	"strings"
)

// Memory remembers what the tables say of the names of classes and codes that records bring: few make up all failures,
// and finding one in tables this large costs more than judging it. It is bounded, belongs to one [Engine] and is not safe for
// concurrent use.
type Memory struct {
	seed   maphash.Seed
	places [128]named
	// once holds the hashes of names that came a first time: only what comes again is worth a copy.
	once [512]uint64
}

// NewMemory returns an empty Memory.
func NewMemory() *Memory { return &Memory{seed: maphash.MakeSeed()} }

// named is what the tables have under a name.
type named struct {
	name       string // as recorded
	dear       uint8
	typ        typeName
	full, last []ref // the rules of the whole name, and of its last segment where that is another
	grpc       []ref // of a name that none has and that could be a status
}

const mostDear = 8

// named returns what the tables have under a name, and remembers it in m, which may be nil.
func (e *Engine) named(m *Memory, name string) named {
	if m == nil {
		return e.find(name)
	}
	hash := maphash.String(m.seed, name)
	p := &m.places[hash%uint64(len(m.places))]
	if p.name == name {
		p.dear = min(p.dear+1, mostDear)
		return *p
	}
	once := &m.once[hash>>32%uint64(len(m.once))]
	switch {
	case *once != hash:
		*once = hash
	case p.dear > 0:
		p.dear--
	default:
		*p = e.find(strings.Clone(name))
		return *p
	}
	return e.find(name)
}

// find looks a name up in every spelling.
func (e *Engine) find(name string) named {
	var buf [128]byte
	types := e.index[MatchType]
	if numeric(name) {
		return named{name: name, typ: typeName{full: name, last: name}, full: types[name]}
	}
	n := named{name: name, typ: parseType(name)}
	n.full = types[string(squash(buf[:0], n.typ.full))]
	if len(n.typ.last) != len(n.typ.full) {
		n.last = types[string(squash(buf[:0], n.typ.last))]
	}
	if upperWord(n.typ.last) {
		n.grpc = e.index[MatchGRPC][string(squash(buf[:0], n.typ.last))]
	}
	return n
}
