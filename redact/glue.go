package redact

import "strings"

// glue looks at what stands between a name s[start:end] and its value.
func (sc *scanner) glue(start, end int) (v found) {
	s := sc.s
	limit := min(len(s), end+maxGlue)
	before := byte(0)
	if start > 0 {
		before = s[start-1]
	}
	j := end
	closed := false // the name's own closing quote was seen
	for j < limit && v.sep == sepNone {
		switch c := s[j]; {
		case c == '\\' && j+1 < limit && (s[j+1] == '"' || s[j+1] == '\'' || s[j+1] == '\\'):
			j++
		case c == '"' || c == '\'' || c == '`':
			if closed && j > end && s[j-1] == ' ' { // name" "value
				v.sep = sepTuple
				continue
			}
			closed = true
			j++
		case c == ']' || c == ')' || c == '}' && closed:
			j++
		case c == '*' && at(s, j+1) == '*': // **name**: value
			j += 2
		case c == ' ' || c == '\t':
			j++
		case c == '=' || c == ':':
			if c == ':' && (at(s, j+1) == '/' && at(s, j+2) == '/' || before == ':' && j == end && at(s, j+1) != ' ') { // scheme://, a:b:c
				return found{}
			}
			for j < limit && (s[j] == '=' || s[j] == ':' || s[j] == '>' || s[j] == '~') {
				j++
			}
			v.sep = sepAssign
			j = afterType(s, j)
			if c == '=' && (before == '?' || before == '&' || before == '#' || before == ';' && j == end+1) {
				v.sep = sepQuery
			}
		case (c == '?' || c == '.' || c == '+' || c == '|') && assignAfter(s, j): // ?= .= += ||= ??=
			j = assignAfterEnd(s, j)
			v.sep = sepAssign
		case c == '>' && (before == '<' || closed): // an element's text, an attribute's last value
			j = skipBlanks(s, j+1)
			v.sep = sepAssign
		case c == '|' && (closed || at(s, j+1) == ' ' && before == ' ' && at(s, start-2) == '|'): // a row of a table
			j++
			v.sep = sepAssign
		case c == '-' && at(s, j+1) == '>':
			j += 2
			v.sep = sepAssign
		case c == 0xe2 && len(s)-j > 3 && (s[j:j+3] == "→" || s[j:j+3] == "│"):
			j += 3
			v.sep = sepAssign
		case c == ',' && closed:
			k := skipBlanks(s, j+1)
			if next := valueAttribute(s, k); next > 0 {
				j = next
				v.sep = sepAssign
				break
			}
			if at(s, k) == '<' && at(s, k+1) == '<' {
				k += 2
			}
			if q := at(s, k); q != '"' && q != '\'' && !(q == 'b' && isQuote(at(s, k+1))) && q != '\\' {
				return found{}
			}
			j = k
			v.sep = sepTuple
		default:
			if next := valueAttribute(s, j); next > 0 && closed {
				j = next
				v.sep = sepAssign
				break
			}
			if s[j] == '\n' {
				if next := valueAttribute(s, j); next > 0 {
					j = next
					v.sep = sepAssign
					break
				}
			}
			if strings.HasPrefix(s[j:], "「") || strings.HasPrefix(s[j:], "『") || strings.HasPrefix(s[j:], "：") {
				j += len("「")
				v.sep = sepAssign
				break
			}
			return sc.looseGlue(start, end, j)
		}
	}
	if v.sep == sepNone {
		if j == limit || closed {
			return found{}
		}
		return sc.looseGlue(start, end, j)
	}
	return openValue(s, j, v)
}

// assignAfter reports an assignment operator of one to three bytes before its = at i.
func assignAfter(s string, i int) bool { return assignAfterEnd(s, i) > i }

func assignAfterEnd(s string, i int) int {
	j := i
	for j < i+2 && (at(s, j) == '?' || at(s, j) == '.' || at(s, j) == '+' || at(s, j) == '|') {
		j++
	}
	if at(s, j) == '=' {
		return j + 1
	}
	return i
}

// types stand between a name and its value in typed languages.
var types = []string{"string", "str", "&str", "&'static str", "char", "text", "any", "[]byte", "optional[str]", "str | none", "option<string>", "string?", "std::string", "secretstr", "varchar", "object"}

// afterType steps over ": type =" and " type =" at i and returns where the value can start, or i.
func afterType(s string, i int) int {
	j := i
	for j < len(s) && s[j] == ' ' && j < i+4 {
		j++
	}
	if c := at(s, j); !is(c, csAlpha) && c != '&' && c != '[' {
		return i
	}
	for _, t := range types {
		if lowerByte(at(s, j)) != t[0] || !foldPrefix(s[j:], t) {
			continue
		}
		k := j + len(t)
		for k < len(s) && (s[k] == ' ' || s[k] == '*' || s[k] == '&') && k < j+len(t)+4 {
			k++
		}
		if at(s, k) == '=' && at(s, k+1) != '=' {
			return k + 1
		}
	}
	return i
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

func skipBlanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n') {
		i++
	}
	return i
}

// valueAttribute recognises the second half of name="API_KEY" value="…" and of {"name": "API_KEY", "value": "…"} at i, and
// returns where the value (with its quote) starts, or 0.
func valueAttribute(s string, i int) int {
	i = skipBlanks(s, i)
	for k := 0; k < 3 && (isQuote(at(s, i)) || at(s, i) == '\\'); k++ {
		i++
	}
	if !foldPrefix(s[i:], "value") {
		return 0
	}
	i += len("value")
	for k := 0; k < 4 && (isQuote(at(s, i)) || at(s, i) == '\\' || at(s, i) == ' '); k++ {
		i++
	}
	if c := at(s, i); c != '=' && c != ':' {
		return 0
	}
	return i + 1
}

// openValue steps over what a language puts between a separator and the value itself.
func openValue(s string, j int, v found) found {
	limit := min(len(s), j+maxGlue)
	newline := false
	for j < limit {
		c := s[j]
		if c == ' ' || c == '\t' || c == '[' && at(s, j+1) != ']' || c == '(' || c == '&' && isQuote(at(s, j+1)) {
			j++
			continue
		}
		if c == '\n' && !newline { // a value on its own line, if it is quoted
			if k := skipBlanks(s, j); isQuote(at(s, k)) {
				newline = true
				j = k
				continue
			}
		}
		if c == '{' && (isQuote(at(s, j+1)) || at(s, j+1) == '\\') || c == '*' && at(s, j+1) == '*' && at(s, j+2) == ' ' {
			j++
			continue
		}
		if c == '*' && j > 0 && (s[j-1] == '*' || s[j-1] == ' ') && at(s, j+1) != '*' {
			j++
			continue
		}
		if k := wrapperEnd(s, j, limit); k > j {
			j = k
			continue
		}
		break
	}
	for at(s, j) == '\\' && (isQuote(at(s, j+1)) || at(s, j+1) == '\\') {
		v.escaped = true
		j++
	}
	if isQuote(at(s, j)) {
		v.quote = s[j]
		j++
		if v.quote == '"' && at(s, j) == '"' && at(s, j+1) == '"' { // """value"""
			j += 2
		}
	} else {
		v.escaped = false
	}
	v.at = j
	return v
}

// wrapperEnd steps over Some(, b', string(32) ", []string{ and the like: a short word in front of the quote or parenthesis.
func wrapperEnd(s string, j, limit int) int {
	k := j
	if at(s, k) == '[' && at(s, k+1) == ']' {
		k += 2
	}
	word := k
	k = runEnd(s, k, csIdent)
	if k == word || k-word > 20 || k >= limit {
		return j
	}
	if isQuote(s[k]) && k-word <= 2 {
		return k
	}
	if s[k] != '(' && s[k] != '{' {
		return j
	}
	open := k
	k = skipBlanks(s, k+1)
	if isQuote(at(s, k)) || at(s, k) == '\\' {
		return k
	}
	if n := runEnd(s, k, clsDigit); n > k && at(s, n) == ')' && open-word <= 8 {
		return skipBlanks(s, n+1)
	}
	if foldPrefix(s[word:], "some(") {
		return k
	}
	return j
}
