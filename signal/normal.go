package signal

import "strings"

// squash appends the normal form of a word to dst: ASCII letters in lower case and digits; every other ASCII character is
// dropped, other bytes are kept. MAX_TOKENS, max-tokens, maxTokens and "MaxTokens" are one word in it.
func squash(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'A' <= c && c <= 'Z':
			dst = append(dst, c+'a'-'A')
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c >= 0x80:
			dst = append(dst, c)
		}
	}
	return dst
}

// lower returns c in lower case if it is an ASCII letter.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// numeric reports whether s is a decimal integer, with an optional sign.
func numeric(s string) bool {
	if len(s) > 1 && s[0] == '-' {
		s = s[1:]
	}
	if s == "" || len(s) > 6 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// httpStatus returns the HTTP status that s spells, or 0.
func httpStatus(s string) int {
	if len(s) != 3 || s[0] < '1' || s[0] > '5' || s[1] < '0' || s[1] > '9' || s[2] < '0' || s[2] > '9' {
		return 0
	}
	return int(s[0]-'0')*100 + int(s[1]-'0')*10 + int(s[2]-'0')
}

// typeName is the name of an error class or code, cut out of the spelling that an SDK recorded.
type typeName struct {
	// full is the name without decoration: no <class '...'>, pointer stars, type arguments or version suffixes.
	full string
	// last is the last segment of full, or the last two where the last alone says nothing ("Error").
	last string
	// qualifier is what stands before last, empty for a bare name.
	qualifier string
	// qual and root are hashes of the qualifier and of its first segment that counts; 0 is none.
	qual, root uint32
}

// parseType reads the spellings of spec'd and real SDKs: `<class 'a.b.C'>`, `*url.Error`, `a::b::C`, `a.b$C`,
// `C[int]`, `C_v0_3`, `a\b\C`, "C`1".
func parseType(s string) typeName {
	if plainName(s) {
		return segments(trimVersion(s))
	}
	s = strings.Trim(s, " \t\r\n\"'`")
	if rest, ok := strings.CutPrefix(s, "<class "); ok {
		s = strings.Trim(rest, "'\"> ")
	}
	s = strings.TrimLeft(s, "*&")
	if i := strings.IndexAny(s, "[`<("); i > 0 {
		s = s[:i]
	}
	s = strings.Trim(s, " '\">:")
	return segments(trimVersion(s))
}

// plainName reports whether a name is nothing but words and dots, as most are: there is no decoration to take away.
func plainName(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isWordByte(c) && c != '.' {
			return false
		}
	}
	return s != ""
}

// segments cuts a name without decoration at its separators.
func segments(s string) typeName {
	n := typeName{full: s, last: s}
	at := lastSeparator(s)
	if at < 0 {
		return n
	}
	n.last, n.qualifier = s[at+1:], trimSeparators(s[:at])
	if vague(n.last) {
		if at = lastSeparator(n.qualifier); at >= 0 {
			n.last, n.qualifier = s[at+1:], trimSeparators(s[:at])
		} else {
			n.last, n.qualifier = s, ""
		}
	}
	return n
}

func lastSeparator(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case '.', ':', '/', '$', '+', '\\', '#':
			return i
		}
	}
	return -1
}

func trimSeparators(s string) string { return strings.TrimRight(s, `.:/$+\#`) }

// trimVersion cuts a suffix such as _v0_3 that SDKs put behind the classes of an older protocol version.
func trimVersion(s string) string {
	i := strings.LastIndex(s, "_v")
	if i <= 0 || i+2 == len(s) {
		return s
	}
	for j := i + 2; j < len(s); j++ {
		if c := s[j]; c != '_' && (c < '0' || c > '9') {
			return s
		}
	}
	return s[:i]
}

// vague names say nothing without the segment before them (`*openai.Error`, `Faraday::Error`).
func vague(last string) bool {
	switch len(last) {
	case 5:
		return strings.EqualFold(last, "error")
	case 3:
		return strings.EqualFold(last, "err")
	case 9:
		return strings.EqualFold(last, "exception")
	case 7:
		return strings.EqualFold(last, "failure")
	}
	return false
}

// rootOf returns the first segment of a qualified name ("openai" of "openai.types.X"), skipping a reversed domain
// ("com.openai.errors" is "openai").
func rootOf(qualifier string) string {
	for qualifier != "" {
		i := strings.IndexAny(qualifier, `.:/$+\#`)
		if i < 0 {
			return qualifier
		}
		switch head := qualifier[:i]; head {
		case "com", "org", "io", "dev", "net", "ai", "github", "co", "software", "System", "builtins":
			qualifier = strings.TrimLeft(qualifier[i:], `.:/$+\#`)
		default:
			return head
		}
	}
	return ""
}

// hashFold is a hash of s that ignores ASCII case, 0 for no text.
func hashFold(s string) uint32 {
	h := uint32(0)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(lower(s[i]))) * 0x01000193
	}
	if h == 0 && s != "" {
		return 1
	}
	return h
}
