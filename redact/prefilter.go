package redact

import (
	"cmp"
	"math/bits"
	"slices"
)

// The prefilter finds the few places of a text where a rule could apply. It reads two bytes a step: a table says, for each
// pair of bytes, to which groups of anchors the pair can belong as the first and as the second half of a window of four.
// A window is a row of byte sets, so it can say "not a letter, then s, then k, then -", and it stands wherever its anchor is
// rarest. As the scan advances by two, each anchor has one window at an even and one at an odd distance from its start.

const (
	windowLen = 4
	groups    = 63
	// oddBit marks bytes that are not plain ASCII.
	oddBit = uint64(1) << groups
)

type byteSet [4]uint64

func (b *byteSet) add(c byte)      { b[c>>6] |= 1 << (c & 63) }
func (b *byteSet) has(c byte) bool { return b[c>>6]&(1<<(c&63)) != 0 }

func (b *byteSet) each(f func(c byte)) {
	for w, word := range b {
		for ; word != 0; word &= word - 1 {
			f(byte(w<<6 | bits.TrailingZeros64(word)))
		}
	}
}

func (b *byteSet) minus(o *byteSet) (d byteSet) {
	for w := range d {
		d[w] = b[w] &^ o[w]
	}
	return d
}

func setOf(f func(c byte) bool) (b byteSet) {
	for c := range 256 {
		if f(byte(c)) {
			b.add(byte(c))
		}
	}
	return b
}

var anyByte = setOf(func(byte) bool { return true })

// share estimates which part of the bytes of error text is in the set.
func (b *byteSet) share() (n float64) {
	b.each(func(c byte) { n += byteShare[c] })
	return n
}

// byteShare is the estimate for one byte: letters of English mixed with what stack traces add.
var byteShare = func() (t [256]float64) {
	put := func(s string, share float64) {
		for i := range len(s) {
			t[s[i]] = share
		}
	}
	for c := range t {
		t[c] = .001
	}
	put("etaoinsr", .06)
	put("hlducm", .03)
	put("pfgybwv", .016)
	put("kxjqz", .005)
	put("ABCDEFGHIJKLMNOPQRSTUVWXYZ", .003)
	put("0123456789", .009)
	put(" ", .09)
	put("./", .025)
	put(":_-()\n\t\"'", .01)
	return t
}()

// anchor is a literal that may start, or stand in, something to remove.
type anchor struct {
	lit    string // lower case unless exact
	exact  bool   // case counts
	before bool   // the byte before must not be a letter or digit
	after  byteSet
	fam    family
	arg    int16
}

// sets returns the pattern of an anchor and the index in it at which lit begins.
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
	for len(sets) <= windowLen {
		sets = append(sets, anyByte)
	}
	return sets, lit
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

// placed is an anchor with the distance from the start of its literal to the start of its window. The four bytes there, as
// one number, must equal want once fold is set and what is outside mask is cleared.
type placed struct {
	fold, mask, want uint32
	off              int32
	*anchor
}

// fixWindow fills in fold, mask and want: sets of more than the two cases of a letter are left to anchor.matches.
func (p *placed) fixWindow(sets []byteSet) {
	for k := range sets {
		var members []byte
		sets[k].each(func(c byte) { members = append(members, c) })
		last := uint32(members[len(members)-1])
		switch {
		case len(members) == 1:
			p.mask |= 0xff << (8 * k)
			p.want |= last << (8 * k)
		case len(members) == 2 && members[0]|0x20 == members[1]:
			p.fold |= 0x20 << (8 * k)
			p.mask |= 0xff << (8 * k)
			p.want |= last << (8 * k)
		}
	}
}

type prefilter struct {
	pairs  [1 << 16]struct{ first, second uint64 }
	groups [groups]group
}

// group is the anchors of one bit. For each byte of a window, by its last five bits, it knows which of them the byte allows;
// most windows that reach a group are none of its anchors'.
type group struct {
	placed []placed
	allows [windowLen][32]uint64
}

// maxGroup is how many windows a group can have, a bit each.
const maxGroup = 64

func (g *group) add(w *window) {
	bit := uint64(1) << len(g.placed)
	for k := range w.sets {
		w.sets[k].each(func(c byte) { g.allows[k][c&31] |= bit })
	}
	g.placed = append(g.placed, w.placed)
}

// candidates are the windows that four bytes may be.
func (g *group) candidates(four uint32) uint64 {
	return g.allows[0][four&31] & g.allows[1][four>>8&31] & g.allows[2][four>>16&31] & g.allows[3][four>>24&31]
}

func newPrefilter(anchors []anchor) *prefilter {
	p := &prefilter{}
	for g, group := range groupWindows(anchors) {
		for _, w := range group.windows {
			w.fixWindow(w.sets)
			p.groups[g].add(&w)
			w.sets[0].each(func(c byte) {
				w.sets[1].each(func(d byte) { p.pairs[uint16(c)|uint16(d)<<8].first |= 1 << g })
			})
			w.sets[2].each(func(c byte) {
				w.sets[3].each(func(d byte) { p.pairs[uint16(c)|uint16(d)<<8].second |= 1 << g })
			})
		}
	}
	for i := range p.pairs {
		p.pairs[i].first |= oddBit
		if !plainASCII[byte(i)] || !plainASCII[byte(i>>8)] {
			p.pairs[i].second |= oddBit
		}
	}
	return p
}

type window struct {
	placed
	sets []byteSet
	cost float64
}

// groupWindows chooses two windows for every anchor and spreads them over the groups.
func groupWindows(anchors []anchor) [groups]windowGroup {
	var all []window
	for i := range anchors {
		sets, lit := anchors[i].sets()
		best := [2]window{{cost: 1e9}, {cost: 1e9}}
		for o := 0; o+windowLen <= len(sets); o++ {
			w := window{placed: placed{anchor: &anchors[i], off: int32(o - lit)}, sets: sets[o : o+windowLen], cost: 1}
			for k := range w.sets {
				w.cost *= w.sets[k].share()
			}
			if w.cost < best[o&1].cost {
				best[o&1] = w
			}
		}
		all = append(all, best[0], best[1])
	}
	// What a group lets through by mistake is the product of what its four sets let through. Commonest windows first, each
	// goes where it adds least.
	slices.SortStableFunc(all, func(x, y window) int { return cmp.Compare(y.cost, x.cost) })
	var out [groups]windowGroup
	for i := range all {
		best, bestCost := 0, 1e9
		for g := range out {
			if cost := out[g].costWith(&all[i]); cost-out[g].cost < bestCost && len(out[g].windows) < maxGroup {
				best, bestCost = g, cost-out[g].cost
			}
		}
		out[best].add(&all[i])
	}
	return out
}

type windowGroup struct {
	windows []window
	sets    [windowLen]byteSet
	shares  [windowLen]float64
	cost    float64
}

func (g *windowGroup) costWith(w *window) float64 {
	cost := 1.0
	for k := range w.sets {
		fresh := w.sets[k].minus(&g.sets[k])
		cost *= g.shares[k] + fresh.share()
	}
	return cost
}

func (g *windowGroup) add(w *window) {
	g.cost = g.costWith(w)
	for k := range w.sets {
		fresh := w.sets[k].minus(&g.sets[k])
		g.shares[k] += fresh.share()
		fresh.each(g.sets[k].add)
	}
	g.windows = append(g.windows, *w)
}
