package harnesserrproc

import "strings"

// memo remembers what was made of short strings that come again and again: finish reasons, operations, peers. Whoever
// comes first keeps its place; a string that finds none costs a look-up each time, and never an allocation.
type memo[V any] struct {
	places [64]struct {
		key   string
		value V
	}
}

const (
	maxMemo   = 64 // bytes of a string that is remembered
	memoTries = 4  // places that a string may have
)

func place(key string) int {
	n := len(key)
	return n*7 + int(key[0])*3 + int(key[n-1]) + int(key[n/2])*5
}

// get returns what was remembered of key.
func (m *memo[V]) get(key string) (v V, ok bool) {
	if key == "" {
		return v, false
	}
	at := place(key)
	for i := range memoTries {
		p := &m.places[(at+i)&63]
		if p.key == key {
			return p.value, true
		}
		if p.key == "" {
			break
		}
	}
	return v, false
}

// put remembers v under key, or under a copy where the memo outlives the record.
func (m *memo[V]) put(key string, v V, outlives bool) {
	if key == "" || len(key) > maxMemo {
		return
	}
	at := place(key)
	for i := range memoTries {
		p := &m.places[(at+i)&63]
		if p.key != "" {
			continue
		}
		if outlives {
			key = strings.Clone(key)
		}
		p.key, p.value = key, v
		return
	}
}

// peerName is what the bound on peers made of a name.
type peerName struct {
	name   string
	folded bool
}
