package redact

import "strings"

// hexWords are weak words whose value may be a secret in hexadecimal; after others it is more often a digest.
var hexWords = map[string]bool{"token": true, "sig": true, "signature": true, "auth": true, "code": true, "hmac": true, "dsn": true}

// value cuts out the value that glue found and adds it if it is a secret of its class.
func (sc *scanner) value(v *found, w *keyWord) {
	end := sc.valueEnd(v)
	if v.class == classPassword && at(sc.s, v.at) == '{' && at(sc.s, end) == '}' && at(sc.s, end+1) == ';' { // ODBC
		v.at++
	}
	val := sc.s[v.at:end]
	if v.quote == 0 {
		val = trimValue(val)
	}
	if redacted(val) {
		return
	}
	if w.word == "authorization" {
		if scheme := schemeLen(sc.s[v.at:]); scheme > 0 {
			sc.schemeValue(v, scheme)
			return
		}
	}
	sc.work += 4 * min(len(val), maxValue)
	v.hexOK = hexWords[w.word]
	v.isKey = w.word == "key"
	v.longName = w.word == "token" && v.nameLen > len(w.word)
	judged := withoutTokens(val[:min(len(val), maxValue)])
	if placeholder(judged) || isSelf(sc.s[v.name:v.nameEnd], judged) || !secretValue(judged, v) {
		return
	}
	rule := ruleSecret
	switch {
	case v.class == classPassword:
		rule = rulePassword
	case v.class == classWeak || strings.HasSuffix(w.word, "token"):
		rule = ruleToken
	case v.sep == sepQuery:
		rule = ruleURLToken
	}
	sc.add(v.at, v.at+len(val), rule, 1)
}

// isSelf reports a value that only repeats its name: opGetToken = "GetToken".
func isSelf(name, val string) bool { return len(val) >= 6 && foldSuffix(name, toLower(val)) }

// valueEnd returns where a value ends: at its quote, or where unquoted text stops.
func (sc *scanner) valueEnd(v *found) int {
	s := sc.s
	if v.quote != 0 {
		j := v.at
		for ; j < len(s) && s[j] != '\n'; j++ {
			if s[j] == '\\' && j+1 < len(s) {
				if v.escaped && (isQuote(s[j+1]) || s[j+1] == '\\') {
					break
				}
				j++
				if s[j] == '\n' {
					break
				}
				continue
			}
			if s[j] == v.quote {
				break
			}
		}
		j = min(j, len(s))
		sc.work += j - v.at
		return j
	}
	if v.at < sc.valHi && v.at >= sc.valLo {
		return sc.valHi
	}
	greedy := v.envName || v.class == classPassword && v.sep == sepAssign
	j := v.at
	for ; j < len(s); j++ {
		c := s[j]
		if c <= ' ' || c == '"' || c == '\'' || c == '`' || c == ';' || c == ',' || c == '\\' {
			break
		}
		if c == '<' && (!greedy || at(s, j+1) == '/' || at(s, j+1) == ' ') || c == '|' && !is(at(s, j+1), csAlnum) {
			break
		}
		if c == '&' && (!greedy || v.sep == sepQuery || paramFollows(s, j+1)) {
			break
		}
		if (c == ')' || c == ']' || c == '}') && (!greedy || !is(at(s, j+1), csAlnum)) {
			break
		}
		if c == 0xe3 && (strings.HasPrefix(s[j:], "」") || strings.HasPrefix(s[j:], "』") || strings.HasPrefix(s[j:], "、") || strings.HasPrefix(s[j:], "。")) {
			break
		}
		if c == '>' && !greedy || c == 0xe2 && strings.HasPrefix(s[j:], "│") {
			break
		}
	}
	sc.work += j - v.at
	sc.valLo, sc.valHi = v.at, j
	return j
}

// paramFollows reports name= at i.
func paramFollows(s string, i int) bool {
	end := i
	for end < len(s) && end < i+32 && is(s[end], csIdent|clsDash|clsDot) {
		end++
	}
	return end > i && (at(s, end) == '=' || strings.HasPrefix(s[end:], "amp;") || strings.HasPrefix(s[i:], "amp;"))
}

func trimValue(s string) string {
	for {
		n := len(s)
		s = strings.TrimRight(s, ".:!?)]}*_")
		s = strings.TrimSuffix(s, "…")
		if len(s) == n {
			return s
		}
	}
}

// schemeLen is the length of an authentication scheme and its blanks at the start of s, or 0.
func schemeLen(s string) int {
	n := runEnd(s, 0, csURL)
	if n < 2 || n > 24 || at(s, n) != ' ' || !is(s[0], csAlpha) || strings.IndexByte(s, ' ') < 0 {
		return 0
	}
	m := n
	for at(s, m) == ' ' {
		m++
	}
	return m
}

// schemeValue handles the credentials after a scheme that has no verifier of its own: one value, or name=value pairs.
func (sc *scanner) schemeValue(v *found, scheme int) {
	i := v.at + scheme
	end := i
	for end < len(sc.s) && end < i+2048 && sc.s[end] != '\n' && (v.quote == 0 || sc.s[end] != v.quote) {
		end++
	}
	sc.work += end - i
	s := sc.s[:end]
	stop := runEnd(s, i, csAny|clsColon)
	strong := found{class: classStrong, sep: sepAssign}
	if val := s[i:stop]; len(val) >= 8 && !placeholder(val) && secretValue(val, &strong) && strings.IndexByte(strings.TrimRight(val, "="), '=') < 0 {
		sc.add(i, stop, ruleBearer, 1)
	}
	for k := i; k < end; k++ { // response="…", nonce="…", signature="…"
		if s[k] != '=' {
			continue
		}
		from := k + 1
		if at(s, from) == '\\' {
			from++
		}
		if isQuote(at(s, from)) {
			from++
		}
		to := runEnd(s, from, csAny)
		if val := s[from:to]; len(val) >= 16 && randomish(val) && longestRun(val) >= 12 && !dummyBody(val) {
			sc.add(from, to, ruleBearer, 1)
		}
		k = max(k, to-1)
	}
}

// placeholder reports a value that stands for another: a variable, a mask, a reference, a word like None.
func placeholder(v string) bool {
	if v == "" {
		return true
	}
	switch v[0] {
	case '$':
		if c := at(v, 1); c == '{' || c == '(' || len(v) > 1 && is(c, csAlpha|clsUnder) && runEnd(v, 1, csIdent) == len(v) {
			return true
		}
	case '{', '<', '[', '(':
		return true
	case '%':
		if len(v) > 2 && v[len(v)-1] == '%' || len(v) == 2 {
			return true
		}
	case '*', '.':
		if len(v) < 3 || v[1] == v[0] {
			return true
		}
	}
	if strings.Contains(v, "***") || strings.Contains(v, "•••") || strings.Contains(v, "${") || strings.Contains(v, "{{") || strings.Contains(v, "<redacted") {
		return true
	}
	for _, r := range references {
		if lowerByte(v[0]) == r[0] && foldPrefix(v, r) {
			return true
		}
	}
	return isNotValue(v)
}

// secretValue decides whether val is a secret, given what its name promises.
func secretValue(val string, v *found) bool {
	h := shapeOf(val)
	switch v.class {
	case classPassword:
		if v.sep == sepProse || v.sep == sepSpace && v.quote == 0 {
			return h.n >= 6 && h.spaces == 0 && (h.digits > 0 || h.symbols > 1 || h.symbols > 0 && h.steps > 0) && h.letters() > 0 && !codeLike(val, &h)
		}
		return isPassword(val, &h, v)
	case classCode:
		return isCode(val, &h, v)
	case classStrong:
		if v.sep == sepProse || v.sep == sepSpace {
			return h.n >= 8 && h.spaces == 0 && h.digits > 1 && h.letters() > 0 && h.longest >= 6 && !dummyBody(val) && !codeLike(val, &h) && !idLike(val, &h)
		}
		return isStrong(val, &h, v)
	default:
		return isWeak(val, &h, v)
	}
}

func isPassword(val string, h *shape, v *found) bool {
	if h.n < 4 || v.quote == 0 && (codeLike(val, h) || strings.HasPrefix(val, "0x") && h.n <= 10) {
		return false
	}
	if h.spaces > 0 {
		return v.quote != 0 && h.n >= 12 && h.spaces <= 1 && h.digits > 0 && h.symbols > 0
	}
	switch {
	case h.digits > 0 && h.digits == h.n:
		return v.literal && h.n >= 6
	case h.digits > 0:
		return h.n >= 6 && h.letters()+h.symbols+h.high > 0
	case h.symbols > 0:
		return h.n >= 6 && h.letters() > 0 && !strings.ContainsAny(val, "(){}[]<>|\\,;=\"'")
	case h.high > 0:
		return false
	case h.steps >= 2:
		return h.n >= 8 && h.dots == 0 && v.literal && !identifier(val)
	}
	return h.n >= 8 && h.dashes+h.dots+h.slashes == 0 && v.envName
}

func isCode(val string, h *shape, v *found) bool {
	if h.digits == h.n {
		return h.n >= 4 && h.n <= 10
	}
	return h.n >= 6 && h.digits > 0 && h.symbols+h.spaces+h.high == 0 && !codeLike(val, h) && !idLike(val, h)
}

func isStrong(val string, h *shape, v *found) bool {
	if h.spaces > 0 || h.n < 6 || h.high > 0 || dummyBody(val) || codeLike(val, h) {
		return false
	}
	if h.digits == 0 {
		if h.symbols > 0 && h.letters() > 0 && v.quote != 0 {
			return h.n >= 8 && !strings.ContainsAny(val, "(){}[]<>|\\,;:")
		}
		if h.dots+h.slashes > 0 && h.steps < 3 {
			return false
		}
		if (v.envName || v.sep == sepQuery) && h.n >= 12 && h.uppers >= 3 && h.lowers >= 3 && h.dashes+h.dots == 0 && !identifier(val) {
			return true
		}
		return h.n >= 16 && h.steps >= 3 && h.dots == 0 && !identifier(val) || h.n >= 24 && h.dashes == 0 && h.uppers+h.lowers == h.n && (h.uppers == 0 || h.lowers == 0)
	}
	if h.letters() == 0 {
		return h.n >= 12 && v.quote != 0 && h.dots == 0
	}
	if v.quote == 0 && h.n < 8 || versionLike(val) {
		return false
	}
	return h.slashes <= 1+h.n/6 && !idLike(val, h)
}

// versionLike reports v1.2.3 and the like.
func versionLike(s string) bool {
	i := 0
	if at(s, 0)|0x20 == 'v' {
		i = 1
	}
	end := runEnd(s, i, clsDigit)
	if end == i || end-i > 4 || at(s, end) != '.' {
		return false
	}
	next := runEnd(s, end+1, clsDigit)
	return next > end+1 && next-end < 6
}

func isWeak(val string, h *shape, v *found) bool {
	least := 16
	if v.sep == sepQuery || v.longName && h.digits >= 2 && h.letters() >= 4 && h.longest == h.n {
		least = 12
	}
	if v.sep == sepProse || v.sep == sepSpace {
		least = 20
	}
	if h.n < least || h.spaces+h.high > 0 || h.letters() == 0 || h.longest < 10 || dummyBody(val) || codeLike(val, h) || idLike(val, h) {
		return false
	}
	if runEnd(val, 0, csAny|clsPercent|clsColon) != h.n && !strings.Contains(val, "|") || strings.Count(val, ":") > 1 {
		return false
	}
	if isUUID(val) {
		return v.longName || (v.hexOK || v.isKey) && v.sep == sepQuery
	}
	if identifier(val) && h.uppers > 0 && h.lowers > 0 {
		return false
	}
	if isHexDigest(val, h) {
		return v.sep == sepQuery || v.hexOK && v.sep != sepProse
	}
	return h.digits > 1 || h.digits == 1 && h.n >= 20 || h.steps >= 4 && h.n >= 20
}

// isHexDigest reports lower-case hexadecimal text as long as a digest.
func isHexDigest(s string, h *shape) bool {
	return h.n >= 32 && h.n%2 == 0 && runEnd(s, 0, clsDigit|clsHexLow) == h.n
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return false
			}
		} else if !is(s[i], clsDigit|clsHexLow|clsHexUp) {
			return false
		}
	}
	return true
}

// codeLike reports source code rather than a value: calls, members, index expressions, types.
func codeLike(s string, h *shape) bool {
	if strings.ContainsAny(s, "()") && (strings.HasSuffix(s, ")") || strings.Contains(s, "(") && h.digits < 3) {
		return true
	}
	if h.dots > 0 && h.digits == 0 && h.steps < 6 && h.symbols == 0 { // http.StatusNotFound
		return true
	}
	if h.dots > 0 && is(s[0], csAlpha) && h.symbols == 0 && h.dashes <= 2 && h.digits <= 2 && h.longest < 20 { // a.b.v2
		return true
	}
	return strings.HasSuffix(s, ".pem") || strings.HasSuffix(s, ".key") || strings.HasSuffix(s, ".json") || strings.HasSuffix(s, ".txt") || strings.HasSuffix(s, ".py") || strings.HasSuffix(s, ".go")
}

// idLike reports an identifier: words joined by - _ . or /, or a prefix that marks a public id.
func idLike(s string, h *shape) bool {
	for _, p := range idPrefixes {
		if lowerByte(s[0]) == p[0] && foldPrefix(s, p) {
			return true
		}
	}
	if h.symbols > 0 || h.dashes+h.dots+h.slashes == 0 || h.uppers > 0 && h.lowers > 0 && h.steps > 1 {
		return false
	}
	// every part is a word or a short number: at most one part mixes letters and digits, and that one is short
	mixedParts, words := 0, 0
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == '/' }) {
		p := shapeOf(part)
		switch {
		case p.digits == 0 && p.letters() > 0:
			words++
		case p.letters() == 0 && p.n <= 12:
		case p.digits <= 4 && p.n <= 8:
			mixedParts++
		default:
			return false
		}
	}
	return words >= 1 && mixedParts <= 1 && words >= mixedParts
}
