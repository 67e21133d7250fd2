package redact

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed tables/markers.tsv
var markersTSV string

// marker is a row of tables/markers.tsv.
type marker struct{ form, text string }

var markers = func() (ms []marker) {
	for i, f := range tableRows(markersTSV) {
		if len(f) != 2 {
			panic(fmt.Sprintf("tables/markers.tsv row %d: want form and text", i+1))
		}
		ms = append(ms, marker{f[0], strings.ReplaceAll(f[1], `\n`, "\n")})
	}
	return ms
}()

const (
	maxTag    = 200 // bytes of a tag
	maxOrder  = 60  // bytes from a verb to what it is about
	maxTarget = 2048
)

// marker verifies a row of tables/markers.tsv that stands at [i:end].
func (sc *scanner) marker(i, end int, m *marker) {
	switch m.form {
	case "literal":
		sc.add(i, end, ruleMarker, 5)
	case "tag":
		sc.tag(i, end, ruleMarker)
	case "phrase":
		sc.order(i, end)
	case "link":
		if m.text[0] == '<' {
			sc.tag(i, end, ruleLink)
		} else {
			sc.link(i, end)
		}
	}
}

// tag removes <name …> whole, or its beginning when it does not end.
func (sc *scanner) tag(i, end int, rule ruleID) {
	s := sc.s
	sc.work += maxTag / 4
	if c := at(s, end); is(c, csIdent) || c == '-' || c == '.' {
		return
	}
	if k := strings.IndexByte(s[end:min(len(s), end+maxTag)], '>'); k >= 0 && strings.IndexByte(s[end:end+k], '<') < 0 {
		sc.add(i, end+k+1, rule, 5)
		return
	}
	sc.add(i, end, rule, 5)
}

var (
	orderQualifiers = []string{"previous", "prior", "above", "all ", "earlier", "your ", "everything", "the system", "any ", "preceding", "the instructions", "these instructions", "these rules"}
	orderObjects    = []string{"instruction", "prompt", "rules", "guidelines", "everything you", "told before", "safety", "directive", "you were told", "restrictions", "constraints", "policies", "guardrails"}
)

// order verifies an order to a model: whole phrases by themselves, a single verb with a qualifier and an object after it.
func (sc *scanner) order(i, end int) {
	s := sc.s
	if i > 0 && is(s[i-1], csAlnum) {
		return
	}
	if verb := s[i:end]; strings.IndexByte(verb, ' ') >= 0 || verb[len(verb)-1] == ':' {
		sc.add(i, end, ruleInjection, 5)
		return
	}
	window := strings.ToLower(s[end:min(len(s), end+maxOrder)])
	sc.work += 8 * maxOrder
	first := -1
	for _, q := range orderQualifiers {
		if k := strings.Index(window, q); k >= 0 && (first < 0 || k < first) {
			first = k
		}
	}
	if first < 0 || first > 12 {
		return
	}
	to := 0
	for _, o := range orderObjects {
		if k := strings.Index(window[first:], o); k >= 0 {
			to = max(to, runEnd(s, end+first+k+len(o), csAlnum))
		}
	}
	if to > 0 {
		sc.add(i, to, ruleInjection, 5)
	}
}

// link removes the target of a Markdown image or link, and of a script URL.
func (sc *scanner) link(i, end int) {
	s := sc.s
	from := end
	switch s[i:end] {
	case "![":
		k := strings.Index(s[end:min(len(s), end+maxTag)], "](")
		if k < 0 {
			return
		}
		from = end + k + 2
	default:
		for k := i; k < end; k++ { // the target begins inside the anchor
			if is(s[k], csAlpha) {
				from = k
				break
			}
		}
	}
	to := from
	for depth := 0; to < len(s) && to < from+maxTarget && s[to] > ' ' && s[to] != '"' && s[to] != '<' && s[to] != '>'; to++ {
		if s[to] == '(' {
			depth++
		}
		if s[to] == ')' {
			if depth == 0 {
				break
			}
			depth--
		}
	}
	sc.work += to - from
	if !strings.HasPrefix(s[from:to], tokenStart) {
		sc.add(from, to, ruleLink, 5)
	}
}

// home verifies a home directory: the user's name begins at or after end.
func (sc *scanner) home(i, end int) {
	s := sc.s
	from := end
	for at(s, from) == '\\' || at(s, from) == '/' && from < end+2 {
		from++
	}
	sc.work += maxTag
	if strings.HasPrefix(s[from:], tokenStart) || inWebURL(s, i) {
		return
	}
	windows := s[end-1] == '\\' || s[i] == '\\'
	to := from
	for to < len(s) && to < from+64 {
		c := s[to]
		if c == '/' || c == '\\' || isQuote(c) || c == ':' || c == '\n' || c == ')' || c == ',' || c == ';' || c == '<' || c == '>' || c == '}' || c == ']' || c == '|' || c == '?' || c == '*' || c == '$' || c == '{' || c == '(' {
			break
		}
		if c == ' ' && !(windows && pathGoesOn(s, to)) {
			break
		}
		to++
	}
	for to > from && (s[to-1] == '.' || s[to-1] == ' ') {
		to--
	}
	if name := s[from:to]; name == "" || publicHomes[strings.ToLower(name)] {
		return
	}
	sc.add(from, to, ruleHome, 3)
}

// inWebURL reports that i stands in the path of a URL that is not file:.
func inWebURL(s string, i int) bool {
	low := max(0, i-maxTag)
	for j := i; j > low; j-- {
		switch c := s[j-1]; {
		case c <= ' ' || isQuote(c) || c == '<' || c == '(':
			return false
		case c == ':' && strings.HasPrefix(s[j:], "//"):
			return !foldSuffix(s[:j-1], "file")
		}
	}
	return false
}

// publicHomes name no person.
var publicHomes = wordSet("public shared default runner user username app node ubuntu vscode circleci travis root you me someone default.migrated all guest")

// pathGoesOn reports a backslash soon after the blank at i: names on Windows have blanks.
func pathGoesOn(s string, i int) bool {
	for k := i + 1; k < len(s) && k < i+24; k++ {
		switch s[k] {
		case '\\':
			return true
		case '\n', ':', '"', '\'', '/':
			return false
		}
	}
	return false
}
