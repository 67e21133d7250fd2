package signal

import (
	"math/bits"
	"strings"
)

// gram is the length of the piece of a pattern that the scanner looks for first; shorter patterns can't be scanned.
const gram = 4

// scanner finds every one of many literal texts in a text, ignoring ASCII case, in one pass and without allocating.
//
// Each pattern is filed under one of its 4-byte pieces. A text is walked once; only where the next four bytes are in the
// bitmap of filed pieces is the bucket looked at and the whole pattern compared. The cost does not depend on the number
// of patterns as long as the bitmap is sparse.
type scanner struct {
	bitmap  []uint64
	shift   uint
	buckets []uint32 // index of the first entry of a bucket, +1; 0 is empty
	entries []scanEntry
}

type scanEntry struct {
	first  uint32 // the first four bytes, folded: what begins otherwise is not compared
	next   uint32 // index+1 of the next entry of the bucket
	id     int32
	offset uint16 // of the filed piece inside text
	text   string // lower case
}

// fold4 loads four bytes in lower case. Setting bit 5 of every byte also folds some punctuation together, which only
// costs a comparison.
func fold4(s string, i int) uint32 {
	return (uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24) | 0x20202020
}

// newScanner files the patterns; ids are their indexes. Patterns shorter than gram are never found.
func newScanner(patterns []string) *scanner {
	size := uint(12)
	for 1<<size < 16*len(patterns) && size < 20 {
		size++
	}
	s := &scanner{bitmap: make([]uint64, 1<<size/64), shift: 32 - size, buckets: make([]uint32, 1<<size)}
	used := map[uint32]int{}
	for id, p := range patterns {
		p = strings.ToLower(p)
		if len(p) < gram || len(p) > 1<<15 {
			continue
		}
		s.file(p, int32(id), used)
	}
	return s
}

// file puts a pattern under its rarest piece: one that few others are filed under and that prose seldom has.
func (s *scanner) file(p string, id int32, used map[uint32]int) {
	best, at := 1<<30, 0
	for i := 0; i+gram <= len(p); i++ {
		g := fold4(p, i)
		cost := 8 * used[s.slot(g)]
		for j := i; j < i+gram; j++ {
			if c := p[j]; c == ' ' || c == 'e' || c == 't' || c == 'o' || c == 'r' {
				cost++
			}
		}
		if cost < best {
			best, at = cost, i
		}
	}
	slot := s.slot(fold4(p, at))
	used[slot]++
	s.bitmap[slot/64] |= 1 << (slot % 64)
	s.entries = append(s.entries, scanEntry{first: fold4(p, 0), text: p, offset: uint16(at), next: s.buckets[slot], id: id})
	s.buckets[slot] = uint32(len(s.entries))
}

func (s *scanner) slot(g uint32) uint32 { return (g * 0x9E3779B1) >> s.shift }

// scan calls f with the id and the place of every occurrence of every pattern in text.
func (s *scanner) scan(text string, f func(id int32, start, end int)) {
	if s == nil {
		return
	}
	for i := 0; i+gram <= len(text); i++ {
		slot := s.slot(fold4(text, i))
		if s.bitmap[slot/64]&(1<<(slot%64)) == 0 {
			continue
		}
		for e := s.buckets[slot]; e != 0; {
			entry := &s.entries[e-1]
			if start := i - int(entry.offset); start >= 0 && fold4(text, start) == entry.first && start+len(entry.text) <= len(text) &&
				equalFold(text[start:start+len(entry.text)], entry.text) {
				f(entry.id, start, start+len(entry.text))
			}
			e = entry.next
		}
	}
}

// equalFold compares s with lowered, which is in lower case and of the same length, ignoring ASCII case.
func equalFold(s, lowered string) bool {
	for i := 0; i < len(s); i++ {
		if lower(s[i]) != lowered[i] {
			return false
		}
	}
	return true
}

// indexFold returns where lowered (in lower case) stands in s, ignoring ASCII case, or -1.
func indexFold(s, lowered string) int {
	if lowered == "" {
		return 0
	}
	first := lowered[0]
	for i := 0; i+len(lowered) <= len(s); i++ {
		if lower(s[i]) == first && equalFold(s[i:i+len(lowered)], lowered) {
			return i
		}
	}
	return -1
}

// load is the share of the bitmap that is set, in percent; a compile check keeps it low.
func (s *scanner) load() int {
	n := 0
	for _, w := range s.bitmap {
		n += bits.OnesCount64(w)
	}
	return 100 * n / (64 * len(s.bitmap))
}
