package signal

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// gram is the length of the piece of a pattern that the scanner looks for first; shorter patterns can't be scanned.
const gram = 4

// scanner finds every one of many literal texts in a text, ignoring ASCII case, in one pass and without allocating.
//
// Each pattern is filed under one of its 4-byte pieces. A text is walked once; only where the next four bytes are in the
// bitmap of filed pieces are they compared with the pieces filed there, and only where they are one of them is the whole
// pattern. The cost does not depend on the number of patterns as long as the bitmap is sparse. What the walk touches stands
// close together, because a failure finds it outside of the fast caches.
type scanner struct {
	bitmap []uint64
	before []uint32 // how many slots in front of a word of the bitmap are filled
	shift  uint
	starts []uint32 // of a filled slot's pieces and entries; one more than there are such slots
	pieces []uint32 // of the entries
	// entries are in the order of their slots.
	entries []scanEntry
}

type scanEntry struct {
	id     int32
	offset uint32 // of the filed piece inside text
	text   string // lower case
}

// fold4 loads four bytes in lower case. Setting bit 5 of every byte also folds some punctuation together, which only
// costs a comparison.
func fold4(s string, i int) uint32 {
	return (uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24) | 0x20202020
}

// filing is where a pattern is filed.
type filing struct {
	slot, piece uint32
	scanEntry
}

// newScanner files the patterns; ids are their indexes. Patterns shorter than gram are never found.
func newScanner(patterns []string) *scanner {
	size := uint(12)
	for 1<<size < 16*len(patterns) && size < 20 {
		size++
	}
	s := &scanner{bitmap: make([]uint64, 1<<size/64), before: make([]uint32, 1<<size/64), shift: 32 - size}
	filings := make([]filing, 0, len(patterns))
	often := make([]uint32, 1<<size) // what patterns have in common, texts have too
	for id, p := range patterns {
		if len(p) < gram || len(p) > 1<<15 {
			continue
		}
		p = strings.ToLower(p)
		filings = append(filings, filing{scanEntry: scanEntry{id: int32(id), text: p}})
		for i := 0; i+gram <= len(p); i++ {
			often[s.slot(fold4(p, i))]++
		}
	}
	for i := range filings {
		s.file(&filings[i], often)
	}
	slices.SortStableFunc(filings, func(a, b filing) int { return cmp.Compare(a.slot, b.slot) })
	for i, f := range filings {
		if i == 0 || filings[i-1].slot != f.slot {
			s.starts = append(s.starts, uint32(i))
			s.bitmap[f.slot/64] |= 1 << (f.slot % 64)
		}
		s.pieces, s.entries = append(s.pieces, f.piece), append(s.entries, f.scanEntry)
	}
	s.starts = append(s.starts, uint32(len(filings)))
	for w := range s.before[1:] {
		s.before[w+1] = s.before[w] + uint32(bits.OnesCount64(s.bitmap[w]))
	}
	return s
}

// file finds the place of a pattern: under its rarest piece, one that few patterns and little prose have.
func (s *scanner) file(f *filing, often []uint32) {
	best := uint32(1 << 30)
	for i := 0; i+gram <= len(f.text); i++ {
		piece := fold4(f.text, i)
		slot := s.slot(piece)
		cost := 8 * often[slot]
		for _, c := range []byte(f.text[i : i+gram]) {
			if c == ' ' || c == 'e' || c == 't' || c == 'o' || c == 'r' {
				cost++
			}
		}
		if cost < best {
			best, f.slot, f.piece, f.offset = cost, slot, piece, uint32(i)
		}
	}
}

func (s *scanner) slot(g uint32) uint32 { return (g * 0x9E3779B1) >> s.shift }

// scan calls f with the id and the place of every occurrence of every pattern in text.
func (s *scanner) scan(text string, f func(id int32, start, end int)) {
	for i := 0; i+gram <= len(text); i++ {
		piece := fold4(text, i)
		slot := s.slot(piece)
		word, bit := s.bitmap[slot/64], uint64(1)<<(slot%64)
		if word&bit == 0 {
			continue
		}
		filled := s.before[slot/64] + uint32(bits.OnesCount64(word&(bit-1)))
		for e := s.starts[filled]; e < s.starts[filled+1]; e++ {
			if s.pieces[e] != piece {
				continue
			}
			entry := &s.entries[e]
			start := i - int(entry.offset)
			if end := start + len(entry.text); start >= 0 && end <= len(text) && equalFold(text[start:end], entry.text) {
				f(entry.id, start, end)
			}
		}
	}
}

// equalFold compares s with lowered, which is in lower case and of the same length, ignoring ASCII case.
func equalFold(s, lowered string) bool {
	n := len(s)
	if n < 8 {
		for i := 0; i < n; i++ {
			if lower(s[i]) != lowered[i] {
				return false
			}
		}
		return true
	}
	for i := 0; i+8 < n; i += 8 {
		if lower8(eight(s, i)) != eight(lowered, i) {
			return false
		}
	}
	return lower8(eight(s, n-8)) == eight(lowered, n-8)
}

// eight loads eight bytes.
func eight(s string, i int) uint64 {
	_ = s[i+7]
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
		uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
}

// lower8 is lower for eight bytes at a time: a byte below 0x80 whose sum with 0x80-'A' reaches 0x80, but with 0x80-'Z'-1
// does not, is a capital letter.
func lower8(x uint64) uint64 {
	const each = 0x0101010101010101
	low := x & (0x7f * each)
	capital := ((low + (0x80-'A')*each) ^ (low + (0x80-'Z'-1)*each)) &^ x & (0x80 * each)
	return x | capital>>2
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
