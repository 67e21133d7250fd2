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
	known, free := r.look(seed, word)
	if known != nil {
		return known
	}
	if free != nil {
		free.fill(word, find(word))
		return &free.value
	}
	r.spare = find(word)
	return &r.spare
}

// look returns what is known of a word; if nothing is, the place to keep it in, or nil while it has not earned one.
func (r *recall[V]) look(seed maphash.Seed, word string) (known *V, free *recalled[V]) {
	hash := maphash.String(seed, word)
	p := &r.places[hash%uint64(len(r.places))]
	if p.known && p.word == word {
		p.dear = min(p.dear+1, mostDear)
		return &p.value, nil
	}
	once := &r.once[hash>>32%uint64(len(r.once))]
	switch {
	case *once != hash:
		*once = hash
	case p.dear > 0:
		p.dear--
	default:
		return nil, p
	}
	return nil, nil
}

func (p *recalled[V]) fill(word string, value V) {
	*p = recalled[V]{word: strings.Clone(word), known: true, value: value} // the record's memory goes away
}
