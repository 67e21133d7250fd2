package redact

import (
	"math"
	"math/bits"
	"slices"
)

// The prefilter finds the few places of a text where a rule could apply. It slides a window of four bytes over the text
// and keeps, for each of 63 groups of anchors, one bit that says whether the window can belong to the group: four table
// look-ups and three ANDs a byte, none of which waits for another. A window is a row of byte sets rather than of bytes,
// so it can say "not a letter, then s, then k, then -" and need not be at the start of its anchor: each anchor chooses its rarest.

const (
	windowLen = 4
	buckets   = 63
	// nonASCIIBit marks bytes that text of error messages has no business with before it is sanitised.
	nonASCIIBit = uint64(1) << 63
)

type byteSet [4]uint64

func (b *byteSet) add(c byte)      { b[c>>6] |= 1 << (c & 63) }
func (b *byteSet) has(c byte) bool { return b[c>>6]&(1<<(c&63)) != 0 }

func setOf(f func(c byte) bool) (b byteSet) {
	for c := range 256 {
		if f(byte(c)) {
			b.add(byte(c))
		}
	}
	return b
}

func (b byteSet) or(o byteSet) byteSet {
	return byteSet{b[0] | o[0], b[1] | o[1], b[2] | o[2], b[3] | o[3]}
}

// share estimates how many of a hundred thousand bytes of error text are in the set.
func (b byteSet) share() (n float64) {
	for w, word := range b {
		for ; word != 0; word &= word - 1 {
			n += float64(byteShare[w<<6|bits.TrailingZeros64(word)])
		}
	}
	return n
}

// byteShare is the estimate for one byte: letter frequencies of English mixed with what stack traces add.
var byteShare = func() (t [256]uint16) {
	for i := range t {
		t[i] = 100
	}
	put := func(s string, n uint16) {
		for i := 0; i < len(s); i++ {
			t[s[i]] = n
		}
	}
	put("etaoinsr", 6000)
	put("hlducm", 3000)
	put("pfgybwv", 1600)
	put("kxjqz", 500)
	put("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 300)
	put("0123456789", 900)
	put(" ", 9000)
	put("./", 2500)
	put(":_-()\n\t\"'", 1000)
	return t
}()

// anchor is a literal that may start (or stand in) something to remove.
type anchor struct {
	lit    string // lower case unless exact
	exact  bool   // case counts
	before bool   // the byte before must not be a letter or digit
	after  byteSet
	fam    family
	arg    int16

	// window: where in the pattern (before, lit, after) the four bytes stand, counted from the start of lit
	off int8
}

var anyByte = setOf(func(byte) bool { return true })

// sets returns the pattern of an anchor as byte sets, and the index at which lit begins.
func (a *anchor) sets() (sets []byteSet, lit int) {
	if a.before {
		sets = append(sets, setOf(func(c byte) bool { return !is(c, csAlnum) }))
		lit = 1
	}
	for i := range len(a.lit) {
		c := a.lit[i]
		sets = append(sets, setOf(func(x byte) bool { return x == c || !a.exact && lowerByte(x) == c }))
	}
	if a.after != (byteSet{}) {
		sets = append(sets, a.after)
	}
	for len(sets) < windowLen {
		sets = append(sets, anyByte)
	}
	return sets, lit
}

type window [windowLen]byteSet

func (w *window) cost() float64 {
	p := 1.0
	for i := range w {
		p *= w[i].share() / 1e5
	}
	return p
}

type prefilter struct {
	table   [256][windowLen]uint64
	groups  [buckets][]anchor
	anchors int
}

func newPrefilter(anchors []anchor) *prefilter {
	p := &prefilter{anchors: len(anchors)}
	groups := groupAnchors(anchors)
	for g, group := range groups {
		p.groups[g] = group.anchors
		for k := range windowLen {
			for c := range 256 {
				if group.win[k].has(byte(c)) {
					p.table[c][k] |= 1 << g
				}
			}
		}
	}
	for c := range 256 {
		for k := range windowLen - 1 {
			p.table[c][k] |= nonASCIIBit
		}
		if !plainASCII[c] {
			p.table[c][windowLen-1] |= nonASCIIBit
		}
	}
	return p
}

type anchorGroup struct {
	win     window
	anchors []anchor
	cost    float64
}

// groupAnchors gives every anchor its rarest window and merges the groups that lose least by it until they fit.
func groupAnchors(anchors []anchor) []anchorGroup {
	var groups []anchorGroup
	byWindow := map[window]int{}
	for _, a := range anchors {
		sets, lit := a.sets()
		var best window
		bestCost := math.Inf(1)
		for i := 0; i+windowLen <= len(sets); i++ {
			w := window(sets[i : i+windowLen])
			if c := w.cost(); c < bestCost {
				best, bestCost, a.off = w, c, int8(i-lit)
			}
		}
		g, ok := byWindow[best]
		if !ok {
			g = len(groups)
			byWindow[best] = g
			groups = append(groups, anchorGroup{win: best, cost: bestCost})
		}
		groups[g].anchors = append(groups[g].anchors, a)
	}
	return mergeGroups(groups)
}

func mergeGroups(groups []anchorGroup) []anchorGroup {
	type mate struct {
		with int
		loss float64
	}
	mates := make([]mate, len(groups))
	find := func(i int) {
		mates[i] = mate{-1, math.Inf(1)}
		for j := range groups {
			if j == i || groups[j].anchors == nil {
				continue
			}
			w := groups[i].win
			for k := range w {
				w[k] = w[k].or(groups[j].win[k])
			}
			if loss := w.cost() - groups[i].cost - groups[j].cost; loss < mates[i].loss {
				mates[i] = mate{j, loss}
			}
		}
	}
	for i := range groups {
		find(i)
	}
	for left := len(groups); left > buckets; left-- {
		best := -1
		for i := range groups {
			if groups[i].anchors != nil && (best < 0 || mates[i].loss < mates[best].loss) {
				best = i
			}
		}
		j := mates[best].with
		for k := range groups[best].win {
			groups[best].win[k] = groups[best].win[k].or(groups[j].win[k])
		}
		groups[best].anchors = append(groups[best].anchors, groups[j].anchors...)
		groups[best].cost = groups[best].win.cost()
		groups[j] = anchorGroup{}
		for i := range groups {
			if groups[i].anchors != nil && (i == best || mates[i].with == best || mates[i].with == j) {
				find(i)
			}
		}
	}
	return slices.DeleteFunc(groups, func(g anchorGroup) bool { return g.anchors == nil })
}

// matches reports whether the anchor stands at i in s.
func (a *anchor) matches(s string, i int) bool {
	if i < 0 || len(s)-i < len(a.lit) {
		return false
	}
	if a.exact {
		if s[i:i+len(a.lit)] != a.lit {
			return false
		}
	} else if !foldPrefix(s[i:], a.lit) {
		return false
	}
	if a.before && i > 0 && is(s[i-1], csAlnum) {
		return false
	}
	return a.after == byteSet{} || a.after.has(at(s, i+len(a.lit)))
}
