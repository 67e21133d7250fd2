package keys

import (
	"errors"
	"fmt"
)

// Slots is how many slots there are.
const Slots = 1 << 12

// Traits are what attributes are known by, a bit each. A key that is not in the Set has those of the ones that share its slot,
// mostly none: a missing trait is certain, a present one has to be confirmed by Find.
type Traits struct {
	BySlot [Slots]uint8
	Short  uint8 // those of all attributes of less than Least bytes
}

// Traits returns the traits that of gives to each attribute.
func (s *Set) Traits(of func(id ID) uint8) *Traits {
	t := &Traits{}
	for id := ID(1); int(id) < len(s.names); id++ {
		if name := s.names[id]; name != "" {
			t.BySlot[Slot(name)] |= of(id)
			if len(name) < Least {
				t.Short |= of(id)
			}
		}
	}
	return t
}

// Slot returns the slot of a key: what its length, its first and its last eight bytes make.
func Slot(key string) uint {
	if len(key) >= Least {
		return Mix(Head(key), Tail(key), len(key))
	}
	var w uint64
	for i := range len(key) {
		w = w<<8 | uint64(key[i])
	}
	return Mix(w*headFactor, 0, len(key))
}

// Mix returns the slot of a key by its Head, its Tail and its length. In loops over keys the three are to be called by
// themselves: the compiler has no room for Slot there.
func Mix(head, tail uint64, n int) uint {
	return uint((head ^ tail + uint64(n)) * slotFactor >> (64 - 12))
}

// Head returns a number made of the first eight bytes of a key of at least Least bytes.
func Head(key string) uint64 { return eight(key) * headFactor }

// Tail returns the last eight bytes of a key of at least Least bytes.
func Tail(key string) uint64 { return eight(key[len(key)-8:]) }

// The factors are odd numbers of many tried, under which everyday attributes share no slot with known ones, nor a head
// with the markers.
const (
	headFactor = 0x685f8f6f31251061
	slotFactor = 0xb34ea6896e78b9f1
)

// eight reads eight bytes; the compiler makes one load of it.
func eight(k string) uint64 {
	_ = k[7]
	return uint64(k[0]) | uint64(k[1])<<8 | uint64(k[2])<<16 | uint64(k[3])<<24 |
		uint64(k[4])<<32 | uint64(k[5])<<40 | uint64(k[6])<<48 | uint64(k[7])<<56
}

// Least is how many bytes a key has that has a Head and a Tail.
const Least = 8

// Heads are the traits of attributes as far as their first eight bytes tell them.
type Heads [1024]uint8

// Heads returns the traits that of gives to attributes, and those of families: prefixes of at least Least bytes.
func (s *Set) Heads(of func(id ID) uint8, families map[string]uint8) (*Heads, error) {
	h := &Heads{}
	add := func(name string, traits uint8) error {
		switch {
		case traits == 0:
		case len(name) < Least:
			return fmt.Errorf("attribute %q: it can't be told by its first %d bytes", name, Least)
		default:
			h[Head(name)>>(64-10)] |= traits
		}
		return nil
	}
	var errs []error
	for id := ID(1); int(id) < len(s.names); id++ {
		errs = append(errs, add(s.names[id], of(id)))
	}
	for prefix, traits := range families {
		errs = append(errs, add(prefix, traits))
	}
	return h, errors.Join(errs...)
}

// Of returns the traits of a key of at least Least bytes.
func (h *Heads) Of(key string) uint8 { return h[Head(key)>>(64-10)] }
