package redact

import (
	"math/bits"
	"slices"
)

// family says which verifier looks at an anchor.
type family uint8

const (
	famPrefix family = iota
	famSelf          // a replacement token: nothing inside it counts
)

// span is a stretch of text to replace.
type span struct {
	a, b int
	rule ruleID
	prio uint8 // of spans that overlap, the rule with the highest names the replacement
}

// scanner finds spans in one text. It is used again for the next text; nothing it holds outlives a call.
type scanner struct {
	s     string
	c     *Cleaner
	kind  Kind
	spans []span
	hi    int // end of the accepted span that reaches farthest: anchors inside it are not looked at again
	work  int // bytes looked at beyond the prefilter; see workCap
	runs  [8]run
}

// run remembers where a run of a charset ends, so that text made of nothing but anchors costs no more than any other.
type run struct {
	cs     charset
	lo, hi int
}

// workCap bounds the bytes that verifiers look at, in proportion to the text. Only hostile text reaches it.
func workCap(n int) int { return 1<<14 + 48*n }

func (sc *scanner) reset(s string, k Kind) {
	sc.s, sc.kind, sc.spans, sc.hi, sc.work = s, k, sc.spans[:0], 0, 0
	clear(sc.runs[:])
}

func (sc *scanner) run(i int, cs charset) int {
	m := &sc.runs[(uint32(cs)*0x9E3779B1)>>29]
	if m.cs == cs && i >= m.lo && i <= m.hi {
		return m.hi
	}
	end := runEnd(sc.s, i, cs)
	sc.work += end - i
	*m = run{cs, i, end}
	return end
}

func (sc *scanner) add(a, b int, rule ruleID, prio uint8) {
	if b <= a || sc.c.disabled[rule] {
		return
	}
	sc.spans = append(sc.spans, span{a, b, rule, prio})
	sc.hi = max(sc.hi, b)
}

// scan looks at every anchor of the text. It returns false when it met a byte that is not plain ASCII and stopOdd is set.
func (sc *scanner) scan(stopOdd bool) bool {
	s, p := sc.s, sc.c.pre
	mask := ^nonASCIIBit
	if stopOdd {
		mask = ^uint64(0)
	}
	w0, w1, w2 := ^uint64(0), ^uint64(0), ^uint64(0)
	for i := 0; i < len(s); i++ {
		t := &p.table[s[i]]
		hit := w2 & t[3] & mask
		w2 = w1 & t[2]
		w1 = w0 & t[1]
		w0 = t[0]
		if hit == 0 {
			continue
		}
		if hit&nonASCIIBit != 0 {
			return false
		}
		sc.hits(hit, i-windowLen+1)
	}
	return true
}

func (sc *scanner) sortSpans() {
	slices.SortFunc(sc.spans, func(x, y span) int {
		if x.a != y.a {
			return x.a - y.a
		}
		return y.b - x.b
	})
}

// hits looks at the anchors of every group whose bit is set; the window begins at w.
func (sc *scanner) hits(groups uint64, w int) {
	for ; groups != 0; groups &= groups - 1 {
		group := sc.c.pre.groups[bits.TrailingZeros64(groups)]
		for k := range group {
			a := &group[k]
			if i := w - int(a.off); a.matches(sc.s, i) {
				sc.verify(a, i)
			}
		}
	}
}

func (sc *scanner) verify(a *anchor, i int) {
	if i < sc.hi && a.fam != famSelf {
		return
	}
	end := i + len(a.lit)
	switch a.fam {
	case famPrefix:
		sc.prefix(i, &builtin.prefixes[a.arg])
	case famSelf:
		sc.hi = max(sc.hi, tokenEnd(sc.s, end))
	}
}
