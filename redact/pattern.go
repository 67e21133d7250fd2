package redact

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// userPattern is a rule of the user. It runs only on text that holds one of its literals.
type userPattern struct {
	re       *regexp.Regexp
	rule     ruleID
	literals []string // in lower case; empty: the pattern needs no literal and always runs
}

func compilePattern(p Pattern, rule ruleID) (userPattern, error) {
	re, err := regexp.Compile(p.Regexp)
	if err != nil {
		return userPattern{}, err
	}
	tree, err := syntax.Parse(p.Regexp, syntax.Perl)
	if err != nil {
		return userPattern{}, err
	}
	return userPattern{re, rule, requiredLiterals(tree.Simplify())}, nil
}

// requiredLiterals returns literals of which every match holds at least one, in lower case, or nil when there are none of
// two bytes or more.
func requiredLiterals(t *syntax.Regexp) []string {
	switch t.Op {
	case syntax.OpLiteral:
		text := toLower(string(t.Rune))
		if len(text) < 2 || t.Flags&syntax.FoldCase != 0 && !foldsPlainly(text) {
			return nil
		}
		return []string{text}
	case syntax.OpCapture, syntax.OpPlus:
		return requiredLiterals(t.Sub[0])
	case syntax.OpRepeat:
		if t.Min > 0 {
			return requiredLiterals(t.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range t.Sub {
			if lits := requiredLiterals(sub); lits != nil && (best == nil || shortest(lits) > shortest(best)) {
				best = lits
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range t.Sub {
			lits := requiredLiterals(sub)
			if lits == nil {
				return nil
			}
			all = append(all, lits...)
		}
		return all
	}
	return nil
}

// foldsPlainly reports text whose other case is plain ASCII too: K and S also fold to the Kelvin sign and the long s.
func foldsPlainly(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 || s[i] == 'k' || s[i] == 's' {
			return false
		}
	}
	return true
}

func shortest(lits []string) int {
	n := len(lits[0])
	for _, l := range lits {
		n = min(n, len(l))
	}
	return n
}

// mayMatch reports whether one of the literals stands in s, in any case.
func (p *userPattern) mayMatch(s string) bool {
	if len(p.literals) == 0 {
		return true
	}
	for _, l := range p.literals {
		if containsFold(s, l) {
			return true
		}
	}
	return false
}

func containsFold(s, lit string) bool {
	c := lit[0]
	upper := c
	if c-'a' < 26 {
		upper = c - 0x20
	}
	for i := 0; i+len(lit) <= len(s); i++ {
		if (s[i] == c || s[i] == upper) && foldPrefix(s[i:], lit) {
			return true
		}
	}
	return false
}

// patterns applies the user's rules.
func (sc *scanner) patterns() {
	for k := range sc.c.patterns {
		p := &sc.c.patterns[k]
		if !p.mayMatch(sc.s) {
			continue
		}
		for _, m := range p.re.FindAllStringSubmatchIndex(sc.s, -1) {
			a, b := m[0], m[1]
			if len(m) > 2 && m[2] >= 0 {
				a, b = m[2], m[3]
			}
			if !insideToken(sc.s, a, b) {
				sc.add(a, b, p.rule, 10)
			}
		}
	}
}

// insideToken reports whether [a:b) touches a replacement token.
func insideToken(s string, a, b int) bool {
	if redacted(s[a:b]) {
		return true
	}
	low := max(0, a-tokenLongest)
	if k := strings.LastIndex(s[low:b], tokenStart); k >= 0 {
		return tokenEnd(s, low+k+len(tokenStart)) > a
	}
	return false
}
