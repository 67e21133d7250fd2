package redact

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// isJSON reports a text that is a JSON object or array as a whole.
func isJSON(s string) bool {
	t := strings.TrimLeft(s, " \t\n\r")
	return t != "" && (t[0] == '{' || t[0] == '[') && json.Valid([]byte(s))
}

// jsonToken is a string (without its quotes) or another scalar of a JSON text.
type jsonToken struct {
	a, b     int
	isString bool
}

// nextScalar returns the next scalar at or after i of a valid JSON text; ok is false at its end.
func nextScalar(s string, i int) (t jsonToken, ok bool) {
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return jsonToken{i + 1, stringEnd(s, i+1), true}, true
		case c == '-' || c >= '0' && c <= '9' || c == 't' || c == 'f' || c == 'n':
			j := i
			for j < len(s) && s[j] != ',' && s[j] != '}' && s[j] != ']' && s[j] > ' ' {
				j++
			}
			return jsonToken{i, j, false}, true
		}
	}
	return t, false
}

// stringEnd returns the index of the quote that closes the JSON string whose content starts at i.
func stringEnd(s string, i int) int {
	for i < len(s) && s[i] != '"' {
		if s[i] == '\\' {
			i++
		}
		i++
	}
	return min(i, len(s))
}

// cleanJSON cleans the decoded strings of a JSON text and replaces the scalars that the scan of the whole text marked.
// Everything else stays as it is written: order, white space, numbers.
func (c *Cleaner) cleanJSON(s string, k Kind, spans []span, r *Report, depth int) string {
	var b strings.Builder
	pos := 0
	for i := 0; ; {
		t, ok := nextScalar(s, i)
		if !ok {
			break
		}
		i = t.b + 1
		for len(spans) > 0 && spans[0].b <= t.a {
			spans = spans[1:]
		}
		var clean string
		if t.isString {
			clean = c.cleanString(s[t.a:t.b], t.a, k, spans, r, depth)
		} else if len(spans) > 0 && spans[0].a < t.b && spans[0].b > t.a {
			var tok strings.Builder
			tok.WriteByte('"')
			c.writeToken(&tok, spans[0].rule, s[t.a:t.b])
			tok.WriteByte('"')
			clean = tok.String()
			r.add(c.names, spans[0].rule, 1)
		} else {
			continue
		}
		if clean != s[t.a:t.b] {
			b.WriteString(s[pos:t.a])
			b.WriteString(clean)
			pos = t.b
		}
	}
	if pos == 0 {
		return s
	}
	b.WriteString(s[pos:])
	return b.String()
}

// cleanString cleans the content raw of a JSON string that starts at offset in the text that spans belong to.
func (c *Cleaner) cleanString(raw string, offset int, k Kind, spans []span, r *Report, depth int) string {
	var marked []span
	for _, sp := range spans {
		if sp.a >= offset+len(raw) {
			break
		}
		sp.a, sp.b = max(sp.a-offset, 0), min(sp.b-offset, len(raw))
		if sp.a < sp.b {
			sp.a, sp.b = wholeEscapes(raw, sp.a, sp.b)
			marked = append(marked, sp)
		}
	}
	text := raw
	if len(marked) > 0 {
		if c.dropsFor(marked) {
			return tokenPlain
		}
		text = c.replace(raw, marked, r)
	}
	decoded, err := unquoteJSON(text)
	if err != nil { // a replaced escape: cannot be, but the text must not get out
		r.add(c.names, ruleUnscanned, 1)
		return unscanned
	}
	clean := decoded
	if decoded != "" {
		clean = c.clean(decoded, k, r, depth+1)
	}
	if clean == decoded {
		return text
	}
	return quoteJSON(clean)
}

// wholeEscapes widens [a:b) so that it does not cut an escape of a JSON string.
func wholeEscapes(raw string, a, b int) (int, int) {
	for i := 0; i < len(raw); {
		n := 1
		if raw[i] == '\\' {
			n = 2
			if at(raw, i+1) == 'u' {
				n = 6
			}
		}
		if i < a && a < i+n {
			a = i
		}
		if i < b && b < i+n {
			b = min(i+n, len(raw))
		}
		if i >= b {
			break
		}
		i += n
	}
	return a, b
}

func unquoteJSON(raw string) (string, error) {
	if strings.IndexByte(raw, '\\') < 0 && utf8.ValidString(raw) {
		return raw, nil
	}
	var out string
	err := json.Unmarshal([]byte(`"`+raw+`"`), &out)
	return out, err
}

// quoteJSON is the content of a JSON string.
func quoteJSON(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < 0x20:
			const digits = "0123456789abcdef"
			b.WriteString(`\u00`)
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// boundJSON cuts a JSON text to n bytes and keeps it JSON: first its longest strings, then its last members.
func boundJSON(s string, n int) string {
	for _, most := range []int{n / 2, n / 8, n / 32} {
		if most > 2*len(truncMark) {
			if s = boundStrings(s, most); len(s) <= n {
				return s
			}
		}
	}
	return boundMembers(s, n)
}

func boundStrings(s string, most int) string {
	var b strings.Builder
	pos := 0
	for i := 0; ; {
		t, ok := nextScalar(s, i)
		if !ok {
			break
		}
		i = t.b + 1
		if !t.isString || t.b-t.a <= most {
			continue
		}
		if text, err := unquoteJSON(s[t.a:t.b]); err == nil {
			b.WriteString(s[pos:t.a])
			b.WriteString(quoteJSON(bound(text, most)))
			pos = t.b
		}
	}
	b.WriteString(s[pos:])
	return b.String()
}

// boundMembers keeps the members that fit and closes what is open after them.
func boundMembers(s string, n int) string {
	const inObject, inArray = `"` + truncMark + `":true`, `"` + truncMark + `"`
	var open, safeOpen []byte
	safe := -1
	mark := func(i int) { // everything before i is whole
		if i+len(inObject)+1+len(open) <= n {
			safe = i
			safeOpen = append(safeOpen[:0], open...)
		}
	}
	for i := 0; i < len(s) && i < n; i++ {
		switch c := s[i]; c {
		case '"':
			i = stringEnd(s, i+1)
		case '{', '[':
			open = append(open, c)
			mark(i + 1)
		case '}', ']':
			open = open[:len(open)-1]
			if len(open) > 0 {
				mark(i + 1)
			}
		case ',':
			mark(i)
		}
	}
	if safe < 0 {
		return bound(s, n)
	}
	out := []byte(s[:safe])
	if c := out[len(out)-1]; c != '{' && c != '[' {
		out = append(out, ',')
	}
	if safeOpen[len(safeOpen)-1] == '{' {
		out = append(out, inObject...)
	} else {
		out = append(out, inArray...)
	}
	for k := len(safeOpen) - 1; k >= 0; k-- {
		out = append(out, safeOpen[k]+2) // '{'+2 is '}', '['+2 is ']'
	}
	return string(out)
}
