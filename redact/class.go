package redact

import "fmt"

// charset is a set of byte classes.
type charset uint16

const (
	clsDigit   charset = 1 << iota // 0-9
	clsHexLow                      // a-f
	clsHexUp                       // A-F
	clsLow                         // g-z
	clsUp                          // G-Z
	clsDash                        // -
	clsUnder                       // _
	clsDot                         // .
	clsTilde                       // ~
	clsB64                         // + /
	clsEq                          // =
	clsDollar                      // $ , (password hashes)
	clsColon                       // :
	clsPercent                     // %
	clsHigh                        // bytes of non-ASCII characters
)

const (
	csLower = clsHexLow | clsLow
	csUpper = clsHexUp | clsUp
	csAlpha = csLower | csUpper
	csAlnum = csAlpha | clsDigit
	csIdent = csAlnum | clsUnder
	csURL   = csAlnum | clsDash | clsUnder
	csB64   = csAlnum | clsB64 | clsEq
	csAny   = csURL | clsDot | clsTilde | clsB64 | clsEq
)

// charsets are the names that tables use.
var charsets = map[string]charset{
	"digit":  clsDigit,
	"hex":    clsDigit | clsHexLow,
	"hexany": clsDigit | clsHexLow | clsHexUp,
	"lower":  clsDigit | csLower,
	"upper":  clsDigit | csUpper,
	"alnum":  csAlnum,
	"url":    csURL,
	"url.":   csURL | clsDot,
	"b64":    csB64,
	"any":    csAny,
	"path":   csURL | clsB64,
	"crypt":  csAny | clsDollar,
}

var classes = func() (t [256]charset) {
	set := func(s string, c charset) {
		for i := 0; i < len(s); i++ {
			t[s[i]] |= c
		}
	}
	set("0123456789", clsDigit)
	set("abcdef", clsHexLow)
	set("ABCDEF", clsHexUp)
	set("ghijklmnopqrstuvwxyz", clsLow)
	set("GHIJKLMNOPQRSTUVWXYZ", clsUp)
	set("-", clsDash)
	set("_", clsUnder)
	set(".", clsDot)
	set("~", clsTilde)
	set("+/", clsB64)
	set("=", clsEq)
	set("$,", clsDollar)
	set(":", clsColon)
	set("%", clsPercent)
	for i := 0x80; i < 0x100; i++ {
		t[i] = clsHigh
	}
	return t
}()

func is(c byte, cs charset) bool { return classes[c]&cs != 0 }

// at returns the byte at i, or 0 outside s.
func at(s string, i int) byte {
	if uint(i) < uint(len(s)) {
		return s[i]
	}
	return 0
}

func runEnd(s string, i int, cs charset) int {
	for i < len(s) && classes[s[i]]&cs != 0 {
		i++
	}
	return i
}

func runStart(s string, i int, cs charset, most int) int {
	low := max(0, i-most)
	for i > low && classes[s[i-1]]&cs != 0 {
		i--
	}
	return i
}

func lowerByte(c byte) byte {
	if c-'A' < 26 {
		return c | 0x20
	}
	return c
}

// foldPrefix reports whether s begins with lit, which is in lower case.
func foldPrefix(s, lit string) bool {
	if len(s) < len(lit) {
		return false
	}
	for i := 0; i < len(lit); i++ {
		if lowerByte(s[i]) != lit[i] {
			return false
		}
	}
	return true
}

func foldSuffix(s, lit string) bool {
	return len(s) >= len(lit) && foldPrefix(s[len(s)-len(lit):], lit)
}

func parseCharset(name string) (charset, error) {
	cs, ok := charsets[name]
	if !ok {
		return 0, fmt.Errorf("unknown charset %q", name)
	}
	return cs, nil
}
