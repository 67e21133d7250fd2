package redact

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	runStride = 24 // a run of runLeast bytes holds at least one multiple of it
	runLeast  = 32 // shortest encoded secret
	maxDepth  = 4  // encodings inside encodings
)

// longRuns looks at long unbroken runs, which no anchor announces: Discord tokens, and hex and base64, which may hold
// a secret.
func (sc *scanner) longRuns() {
	const cs = csURL | clsDot
	s := sc.s
	for i := runStride - 1; i < len(s); i += runStride {
		if classes[s[i]]&cs == 0 {
			continue
		}
		a := runStart(s, i, cs, len(s))
		b := runEnd(s, i, cs)
		if b-a >= runLeast && !sc.covered(a, b) {
			sc.longRun(a, b)
		}
		i += (b - i) / runStride * runStride
	}
}

func (sc *scanner) covered(a, b int) bool {
	for i := range sc.spans {
		if sc.spans[i].a <= a && b <= sc.spans[i].b {
			return true
		}
	}
	return false
}

func (sc *scanner) longRun(a, b int) {
	s := sc.s
	sc.work += 4 * (b - a)
	if d := sc.discord(a, b); d || sc.depth >= maxDepth {
		return
	}
	if (b-a)%2 == 0 && runEnd(s, a, clsDigit|clsHexLow|clsHexUp) >= b {
		if !asciiHex(s[a:b]) {
			return
		}
		if text, err := hex.DecodeString(s[a:b]); err == nil && sc.hidesSecret(string(text)) {
			sc.add(a, b, ruleEncoded, 2)
		}
		return
	}
	a = runStart(s, a, csB64|clsDash|clsUnder, len(s))
	b = runEnd(s, b, csB64|clsDash|clsUnder)
	run := s[a:b]
	digits, uppers := 0, 0
	for i := 0; i < len(run) && (digits < 2 || uppers == 0); i++ {
		if c := classes[run[i]]; c&clsDigit != 0 {
			digits++
		} else if c&csUpper != 0 {
			uppers++
		}
	}
	if digits < 2 || uppers == 0 || !beginsText(run) {
		return
	}
	if k := strings.IndexByte(run, '='); k > 0 && k < len(run)-2 { // name=value
		a += k + 1
		run = run[k+1:]
	}
	if text, ok := decodeBase64(run); ok {
		if strings.Count(text, "\x00") > len(text)/3 { // UTF-16, as PowerShell encodes commands
			text = strings.ReplaceAll(text, "\x00", "")
		}
		if sc.hidesSecret(text) {
			sc.add(a, b, ruleEncoded, 2)
		}
	}
}

// asciiHex reports hexadecimal whose first eight bytes are printable ASCII.
func asciiHex(s string) bool {
	for i := 0; i < 16 && i < len(s); i += 2 {
		if s[i] < '2' || s[i] > '7' {
			return false
		}
	}
	return true
}

// beginsText reports base64 that begins with text of ASCII, or with UTF-16.
func beginsText(run string) bool {
	if k := strings.IndexByte(run, '='); k > 0 && k < len(run)-2 {
		run = run[k+1:]
	}
	var buf [12]byte
	if len(run) < 16 {
		return false
	}
	enc := base64.RawStdEncoding
	if strings.ContainsAny(run[:16], "-_") {
		enc = base64.RawURLEncoding
	}
	n, err := enc.Decode(buf[:], []byte(run[:16]))
	if err != nil {
		return false
	}
	for _, c := range buf[:n] {
		if c >= 0x7f || c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != 0 {
			return false
		}
	}
	return true
}

// hidesSecret reports whether decoded text holds a credential.
func (sc *scanner) hidesSecret(text string) bool {
	if len(text) < 12 || !printable(text) || !utf8.ValidString(text) {
		return false
	}
	sub := sc.sub(text)
	defer sc.c.pool.Put(sub)
	sub.find()
	sc.work += sub.work
	for _, sp := range sub.spans {
		if sp.rule.isCredential() {
			return true
		}
	}
	return false
}

func (sc *scanner) sub(text string) *scanner {
	sub := sc.c.pool.Get().(*scanner)
	sub.reset(text, sc.kind)
	sub.depth = sc.depth + 1
	return sub
}

// discord verifies a bot token: the user's id in base64, a timestamp, a MAC.
func (sc *scanner) discord(a, b int) bool {
	s := sc.s[a:b]
	if len(s) < 50 || len(s) > 90 {
		return false
	}
	id, rest, ok := strings.Cut(s, ".")
	stamp, mac, ok2 := strings.Cut(rest, ".")
	if !ok || !ok2 || len(id) < 22 || len(id) > 30 || len(stamp) < 5 || len(stamp) > 8 || len(mac) < 25 || strings.IndexByte(strings.TrimRight(mac, "."), '.') >= 0 || !randomish(id) || !randomish(mac) {
		return false
	}
	sc.add(a, a+len(strings.TrimRight(s, ".")), ruleDiscord, 9)
	return true
}

// unescaped looks at what the text says once its escapes (\n, \u0073, \x73, %73, &quot;) are read, and marks in the
// text what is a secret there.
func (sc *scanner) unescaped() {
	if sc.depth >= 2 || strings.IndexByte(sc.s, '\\') < 0 && strings.IndexByte(sc.s, '%') < 0 && strings.IndexByte(sc.s, '&') < 0 {
		return
	}
	text, offsets := unescape(sc.s)
	if offsets == nil {
		return
	}
	sub := sc.sub(text)
	defer sc.c.pool.Put(sub)
	sub.find()
	sc.work += sub.work
	for _, sp := range sub.spans {
		sc.add(int(offsets[sp.a]), int(offsets[sp.b]), sp.rule, sp.prio)
	}
}

// unescape reads the escapes of s. offsets holds, for every byte of text and for its end, where it began in s; it is nil
// when s has no escapes.
func unescape(s string) (text string, offsets []int32) {
	first := nextEscape(s, 0)
	if first == len(s) {
		return s, nil
	}
	out := make([]byte, 0, len(s))
	offsets = make([]int32, 0, len(s)+1)
	for i := 0; i < len(s); {
		r, n := escapeAt(s, i)
		if n == 0 {
			out = append(out, s[i])
			offsets = append(offsets, int32(i))
			i++
			continue
		}
		if r == 0x1b { // a colour in a text that was quoted
			if end := i + n; at(s, end) == '[' {
				n = csiEnd(s, end+1) - i
			}
		} else if !invisible(r) {
			before := len(out)
			out = utf8.AppendRune(out, r)
			for range len(out) - before {
				offsets = append(offsets, int32(i))
			}
		}
		i += n
	}
	return string(out), append(offsets, int32(len(s)))
}

// nextEscape returns the index of the first escape at or after i, or len(s).
func nextEscape(s string, i int) int {
	for ; i < len(s); i++ {
		if c := s[i]; c == '\\' || c == '%' || c == '&' {
			if _, n := escapeAt(s, i); n > 0 {
				return i
			}
		}
	}
	return len(s)
}

// entities are the HTML entities of characters that surround values.
var entities = []struct {
	text string
	r    rune
}{{"&quot;", '"'}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&apos;", '\''}, {"&nbsp;", ' '}, {"&equals;", '='}, {"&colon;", ':'}}

// escapeAt reads the escape at i and returns its character and its length, 0 for none.
func escapeAt(s string, i int) (rune, int) {
	switch s[i] {
	case '\\':
		return backslashAt(s, i)
	case '%':
		if v, ok := hexAt(s, i+1, 2); ok && v < 0x80 {
			return v, 3
		}
	case '&':
		for _, e := range entities {
			if strings.HasPrefix(s[i:], e.text) {
				return e.r, len(e.text)
			}
		}
		return numericEntity(s, i)
	}
	return 0, 0
}

func backslashAt(s string, i int) (rune, int) {
	switch c := at(s, i+1); c {
	case 'n':
		return '\n', 2
	case 'r', 'f', 'v':
		return '\n', 2
	case 't':
		return '\t', 2
	case '"', '\'', '\\', '/', '`':
		return rune(c), 2
	case 'e':
		if at(s, i+2) == '[' {
			return 0x1b, 2
		}
	case 'x':
		if v, ok := hexAt(s, i+2, 2); ok {
			return v, 4
		}
	case 'u':
		if v, ok := hexAt(s, i+2, 4); ok {
			if utf16.IsSurrogate(v) && at(s, i+6) == '\\' && at(s, i+7) == 'u' {
				if low, ok := hexAt(s, i+8, 4); ok {
					return utf16.DecodeRune(v, low), 12
				}
			}
			return v, 6
		}
		if at(s, i+2) == '{' {
			if k := strings.IndexByte(s[i:min(len(s), i+12)], '}'); k > 3 {
				if v, ok := hexAt(s, i+3, k-3); ok {
					return v, k + 1
				}
			}
		}
	case '0', '1':
		if v, n := octalAt(s, i+1); n == 3 {
			return v, 4
		}
	}
	return 0, 0
}

func hexAt(s string, i, n int) (v rune, ok bool) {
	if i+n > len(s) || n > 6 {
		return 0, false
	}
	for _, c := range []byte(s[i : i+n]) {
		switch {
		case c >= '0' && c <= '9':
			v = v<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			v = v<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return v, true
}

func octalAt(s string, i int) (v rune, n int) {
	for n < 3 && at(s, i+n) >= '0' && at(s, i+n) <= '7' {
		v = v<<3 | rune(s[i+n]-'0')
		n++
	}
	return v, n
}

func numericEntity(s string, i int) (v rune, n int) {
	k := strings.IndexByte(s[i:min(len(s), i+10)], ';')
	if k < 3 || s[i+1] != '#' {
		return 0, 0
	}
	if s[i+2]|0x20 == 'x' {
		if v, ok := hexAt(s, i+3, k-3); ok {
			return v, k + 1
		}
		return 0, 0
	}
	for _, c := range []byte(s[i+2 : i+k]) {
		if c < '0' || c > '9' {
			return 0, 0
		}
		v = v*10 + rune(c-'0')
	}
	return v, k + 1
}
