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
