package redact

import (
	"math/bits"
	"slices"
)

// family says which verifier looks at an anchor.
type family uint8

const (
	famSelf    family = iota // a replacement token: nothing inside it counts
	famPrefix                // tables/prefixes.tsv
	famKey                   // tables/keys.tsv
	famCommand               // tables/commands.tsv
	famMarker                // tables/markers.tsv
	famBearer
	famBasic
	famURL
	famHostPassword
	famPgpass
	famPEM
	famPutty
	famJWT
	famTelegram
	famAzure
	famEntra
	famCookie
	famCookieJar
	famPiped
	famOracle
	famJWK
	famHome
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
	pre   *prefilter
	kind  Kind
	spans []span
	hi    int // end of the accepted span that reaches farthest: anchors inside it are not looked at again
	work  int // bytes looked at beyond the prefilter; see workCap
	cap   int // the most that work may reach
	depth int // of texts decoded out of texts
	runs  [8]run

	valLo, valHi int // the last unquoted value
	noPEMEnd     int // no END line starts before here
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
	sc.pre = sc.c.pre
	if k == Feedback {
		sc.pre = feedbackPrefilter()
	}
	sc.valLo, sc.valHi, sc.noPEMEnd = 0, 0, 0
	sc.cap, sc.depth = workCap(len(s)), 0
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
	s, pre := sc.s, sc.pre
	mask := ^oddBit
	if stopOdd {
		mask = ^uint64(0)
	}
	half := ^uint64(0)
	i := 0
	for ; i+1 < len(s); i += 2 {
		pair := &pre.pairs[uint16(s[i])|uint16(s[i+1])<<8]
		hit := half & pair.second & mask
		half = pair.first
		if hit == 0 {
			continue
		}
		if hit&oddBit != 0 {
			return false
		}
		sc.hits(hit, i-2)
	}
	if i == len(s) {
		return true
	}
	hit := half & pre.pairs[uint16(s[i])|' '<<8].second & mask
	if hit&oddBit != 0 {
		return false
	}
	sc.hits(hit, i-2)
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
	four := fourAt(sc.s, w)
	for ; groups != 0; groups &= groups - 1 {
		group := &sc.pre.groups[bits.TrailingZeros64(groups)]
		for left := group.candidates(four); left != 0; left &= left - 1 {
			p := &group.placed[bits.TrailingZeros64(left)]
			if (four|p.fold)&p.mask != p.want {
				continue
			}
			if i := w - int(p.off); p.matches(sc.s, i) {
				sc.verify(p.anchor, i)
			}
		}
	}
}

func (sc *scanner) verify(a *anchor, i int) {
	end := i + len(a.lit)
	if i < sc.hi && sc.inside(a.fam, i) || sc.work > sc.cap {
		return
	}
	switch a.fam {
	case famSelf:
		sc.hi = max(sc.hi, tokenEnd(sc.s, end))
	case famPrefix:
		sc.prefix(i, &builtin.prefixes[a.arg])
	case famKey:
		sc.key(i, end, &keyWords[a.arg])
	case famCommand:
		sc.command(end, &commands[a.arg])
	case famMarker:
		sc.marker(i, end, &markers[a.arg])
	case famBearer:
		sc.bearer(end)
	case famBasic:
		sc.basic(end - 1)
	case famURL:
		sc.url(end)
	case famHostPassword:
		sc.hostPassword(i)
	case famPgpass:
		sc.pgpass(end)
	case famPEM:
		sc.pem(i, end)
	case famPutty:
		sc.putty(end)
	case famJWT:
		sc.jwt(i)
	case famTelegram:
		sc.telegram(i)
	case famAzure:
		sc.azure(i, a.arg)
	case famEntra:
		sc.entra(i)
	case famCookie:
		sc.cookies(end - 1)
	case famCookieJar:
		sc.cookieJar(end)
	case famOracle:
		sc.oracle(end)
	case famJWK:
		sc.jwk(i, end)
	case famPiped:
		sc.piped(i)
	case famHome:
		sc.home(i, end)
	}
}

// inside reports whether an anchor before sc.hi can be skipped. A token may have two prefixes of which the longer one
// knows more; what is recognised from its middle may begin before what was found.
func (sc *scanner) inside(f family, i int) bool {
	switch f {
	case famAzure, famEntra, famTelegram, famSelf:
		return false
	case famPrefix:
		n := len(sc.spans)
		return n == 0 || sc.spans[n-1].a != i
	}
	return true
}

// find collects the spans of the text. The text may still hold bytes that are not plain ASCII.
func (sc *scanner) find() {
	sc.scan(false)
	sc.findRest()
}

// findRest is what find does after the scan for anchors.
func (sc *scanner) findRest() {
	sc.longRuns()
	sc.unescaped()
	sc.patterns()
	if sc.c.cfg.PII {
		sc.pii()
	}
}

// exhausted reports that the text made the verifiers work more than any honest text does.
func (sc *scanner) exhausted() bool { return sc.work > sc.cap }

// fourAt is the four bytes at i as a little-endian number; bytes outside s count as 0.
func fourAt(s string, i int) (x uint32) {
	if i >= 0 && i+4 <= len(s) {
		return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
	}
	for k := range 4 {
		x |= uint32(at(s, i+k)) << (8 * k)
	}
	return x
}
