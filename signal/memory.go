package signal

import (
	"hash/maphash"
	"strings"
)

// recall remembers what was found under the words that come again and again: few names of classes, finish reasons and
// codes make up all failures, and finding one in tables as large as these costs more than judging it. It is bounded: what
// comes often keeps its place, and only what comes a second time is worth one.
type recall[V any] struct {
	places [64]recalled[V]
	once   [256]uint64 // hashes of words that came a first time
	spare  V           // of a word without a place
}

type recalled[V any] struct {
	word  string
	dear  uint8 // how well it keeps its place
	known bool
	value V
}

const mostDear = 8

// get returns what find finds under a word. It is valid until the next call and not to be changed.
func (r *recall[V]) get(seed maphash.Seed, word string, find func(word string) V) *V {
	hash := maphash.String(seed, word)
	p := &r.places[hash%uint64(len(r.places))]
	if p.known && p.word == word {
		p.dear = min(p.dear+1, mostDear)
		return &p.value
	}
	once := &r.once[hash>>32%uint64(len(r.once))]
	switch {
	case *once != hash:
		*once = hash
	case p.dear > 0:
		p.dear--
	default:
		word = strings.Clone(word) // the record's memory goes away
		*p = recalled[V]{word: word, known: true, value: find(word)}
		return &p.value
	}
	r.spare = find(word)
	return &r.spare
}

// named is what the tables have under the name of a class or code.
type named struct {
	typ        typeName
	full, last []ref // the rules of the whole name, and of its last segment where that is another
	grpc       []ref // of a name that could be a status
}

// name looks a name up in every spelling.
func (e *Engine) name(name string) named {
	var buf [128]byte
	types := e.index[MatchType]
	if numeric(name) {
		return named{typ: typeName{full: name, last: name}, full: types[name]}
	}
	n := named{typ: parseType(name)}
	n.typ.qual, n.typ.root = hashFold(n.typ.qualifier), hashFold(rootOf(n.typ.qualifier))
	n.full = types[string(squash(buf[:0], n.typ.full))]
	if len(n.typ.last) != len(n.typ.full) {
		n.last = types[string(squash(buf[:0], n.typ.last))]
	}
	if upperWord(n.typ.last) {
		n.grpc = e.index[MatchGRPC][string(squash(buf[:0], n.typ.last))]
	}
	return n
}

// stopWord is what the tables have under a finish reason.
type stopWord struct {
	key   string // its normal form
	rules []ref
}

func (e *Engine) stopWord(word string) stopWord {
	var buf [128]byte
	key := stopKey(buf[:0], word)
	if rules := e.index[MatchStop][string(key)]; len(rules) > 0 {
		return stopWord{rules: rules}
	}
	return stopWord{key: string(key)}
}

func (e *Engine) home(name string) fileSet { return e.homes[name] }

// hashFold is a hash of s that ignores ASCII case, 0 for no text.
func hashFold(s string) uint32 {
	h := uint32(0)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(lower(s[i]))) * 0x01000193
	}
	if h == 0 && s != "" {
		return 1
	}
	return h
}
