package redact

import (
	"strings"
	"unicode/utf8"
)

// plainASCII marks the bytes that need no look: printable ASCII, newline and tab.
var plainASCII = func() (t [256]bool) {
	for c := 0x20; c < 0x7f; c++ {
		t[c] = true
	}
	t['\n'], t['\t'] = true, true
	return t
}()

// invisible reports characters that change how text looks or is read without being seen: controls, bidirectional marks,
// zero-width and tag characters, variation selectors beyond the first sixteen, the soft hyphen.
func invisible(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return r != '\n' && r != '\t'
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x180e, r == 0x3164, r == 0xfeff, r == 0xffa0:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r >= 0xfff9 && r <= 0xfffb:
		return true
	case r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

func joiner(r rune) bool { return r == 0x200c || r == 0x200d }

func lineBreak(r rune) bool { return r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029 }

// sanitize returns s as valid UTF-8 without escape sequences and invisible characters, full-width ASCII folded, and tells
// how many pieces of each kind it changed. Joiners stay between non-ASCII characters, where scripts and emoji need them.
func sanitize(s string, oneLine bool) (out string, badUTF8, removed int) {
	var b strings.Builder
	last := 0 // s[last:i] is still to be copied
	put := func(i, next int, with string) {
		b.WriteString(s[last:i])
		b.WriteString(with)
		last = next
	}
	prevHigh := false
	for i := 0; i < len(s); {
		if c := s[i]; plainASCII[c] {
			if oneLine && (c == '\n' || c == '\t') {
				put(i, i+1, " ")
			}
			prevHigh = false
			i++
			continue
		}
		if s[i] == 0x1b {
			end := escapeEnd(s, i+1)
			put(i, end, "")
			removed++
			i = end
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			put(i, i+1, "\uFFFD")
			badUTF8++
		case r == 0x9b: // the one-character form of ESC [
			n = csiEnd(s, i+n) - i
			put(i, i+n, "")
			removed++
		case lineBreak(r):
			if r == '\r' && at(s, i+1) == '\n' {
				put(i, i+1, "")
			} else if oneLine {
				put(i, i+n, " ")
			} else {
				put(i, i+n, "\n")
			}
			removed++
		case r >= 0xff01 && r <= 0xff5e: // full-width forms hide words from every later stage
			put(i, i+n, string(r-0xff01+'!'))
			removed++
		case joiner(r) && prevHigh && at(s, i+n) >= 0x80:
		case invisible(r):
			put(i, i+n, "")
			removed++
		default:
			prevHigh = true
		}
		i += n
	}
	if last == 0 {
		return s, 0, 0
	}
	b.WriteString(s[last:])
	return b.String(), badUTF8, removed
}

// escapeEnd returns the index after the escape sequence whose ESC stands before i (ECMA-48).
func escapeEnd(s string, i int) int {
	switch at(s, i) {
	case '[':
		return csiEnd(s, i+1)
	case ']', 'P', 'X', '^', '_': // a string, up to BEL or ST; an unfinished one only to the end of its line
		for j := i + 1; j < len(s); j++ {
			switch {
			case s[j] == 0x07:
				return j + 1
			case s[j] == 0x1b:
				if at(s, j+1) == '\\' {
					return j + 2
				}
				return j
			case s[j] == '\n':
				return j
			}
		}
		return len(s)
	case '(', ')', '#', '%':
		return min(i+2, len(s))
	}
	if c := at(s, i); c >= 0x30 && c < 0x7f {
		return i + 1
	}
	return i
}

// csiEnd returns the index after the parameters and the final byte of a control sequence. The blank and punctuation that may
// stand before the final byte (ESC [ 2 SP q) count only before a small letter: a sequence that was cut must not swallow text.
func csiEnd(s string, i int) int {
	params := i
	for i < len(s) && s[i] >= 0x30 && s[i] < 0x40 {
		i++
	}
	if i > params && at(s, i) >= 0x20 && at(s, i) < 0x30 && is(at(s, i+1), csLower) {
		return i + 2
	}
	if c := at(s, i); c >= 0x40 && c < 0x7f {
		i++
	}
	return i
}
