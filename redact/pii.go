package redact

import (
	"net/netip"
	"strings"
)

// pii looks for personal data. It walks the text once: every kind begins with a digit, a plus, a letter pair or has an @.
func (sc *scanner) pii() {
	s := sc.s
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '@':
			sc.email(i)
		case c == '+' || c == '(' || c >= '0' && c <= '9':
			if i > 0 && (is(s[i-1], csAlnum|clsUnder) || (s[i-1] == '.' || s[i-1] == '-') && i > 1 && is(s[i-2], clsDigit)) {
				continue
			}
			if end := sc.number(i); end > i {
				i = end - 1
			}
		case is(c, csUpper) && is(at(s, i+1), csUpper) && is(at(s, i+2), clsDigit) && (i == 0 || !is(s[i-1], csAlnum)):
			if end := ibanEnd(s, i); end > i {
				sc.add(i, end, ruleIBAN, 6)
				i = end - 1
			}
		case c == ':' || is(c, clsHexLow|clsHexUp):
			if i == 0 || !is(s[i-1], csAlnum|clsColon) {
				if end := sc.hexAddress(i); end > i {
					i = end - 1
				}
			}
		}
	}
}

// email verifies an address around the @ at i.
func (sc *scanner) email(i int) {
	s := sc.s
	start := i
	for start > 0 && i-start < 64 && (is(s[start-1], csURL|clsDot) || s[start-1] == '+' || s[start-1] == '%' || s[start-1] == '\'' && is(at(s, start-2), csAlnum) && is(s[start], csAlnum)) {
		start--
	}
	end := runEnd(s, i+1, csAlnum|clsDash|clsDot)
	for end > i && (s[end-1] == '.' || s[end-1] == '-') {
		end--
	}
	dot := strings.LastIndexByte(s[i:end], '.')
	if start == i || dot < 2 || end-i-dot < 3 || runEnd(s, i+dot+1, csAlpha) < end {
		return
	}
	sc.work += end - start
	if c := at(s, start-1); c == '/' && at(s, start-2) == '/' || c == ':' && !foldSuffix(s[:start], "mailto:") && strings.LastIndex(s[max(0, start-maxName):start], "//") >= 0 {
		return // user@host of a URL
	}
	sc.add(start, end, ruleEmail, 6)
}

// number tries what begins with a digit, a plus or a parenthesis at i, and returns where to go on.
func (sc *scanner) number(i int) int {
	s := sc.s
	if end := sc.hexAddress(i); end > i {
		return end
	}
	digits, end := 0, i
	var buf [20]byte
	seps := 0
	for j := i; j < len(s) && digits < len(buf) && j < i+32; j++ {
		c := s[j]
		if is(c, clsDigit) {
			buf[digits] = c - '0'
			digits++
			end = j + 1
			continue
		}
		if c == ' ' || c == '-' || c == '.' || c == '(' || c == ')' || c == '/' || c == '+' && j == i {
			if j > i && (s[j-1] == ' ' && c == ' ' || c == '.' && s[j-1] == '.') {
				break
			}
			seps++
			continue
		}
		break
	}
	if digits == 0 {
		return i
	}
	if is(at(s, end), csAlnum|clsUnder) {
		return runEnd(s, end, csAlnum)
	}
	text := s[i:end]
	switch {
	case digits == 9 && len(text) == 11 && text[3] == '-' && text[6] == '-':
		sc.add(i, end, ruleSSN, 6)
	case digits >= 13 && digits <= 19 && !strings.ContainsAny(text, "()+./") && luhn(buf[:digits]) && cardIssuer(buf[:]):
		sc.add(i, end, ruleCard, 6)
	case isPhone(text, digits):
		sc.add(i, end, rulePhone, 6)
	}
	return end
}

// cardIssuer reports a first digit that card networks use: 3 to 6, and 2 for Mastercard's second range.
func cardIssuer(digits []byte) bool { return digits[0] >= 2 && digits[0] <= 6 }

// luhn is the check of ISO/IEC 7812-1.
func luhn(digits []byte) bool {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i])
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// isPhone reports an international number, or a national one that is written like one: 555-0132 style groups.
func isPhone(s string, digits int) bool {
	if s[0] == '+' {
		return digits >= 8 && digits <= 15
	}
	if digits != 10 {
		return false
	}
	switch len(s) {
	case 12: // 415-555-0199
		return (s[3] == '-' && s[7] == '-') || (s[3] == ' ' && s[7] == ' ') || s[3] == '.' && s[7] == '.'
	case 13: // (415)555-0199
		return s[0] == '(' && s[4] == ')'
	case 14: // (415) 555-0199
		return s[0] == '(' && s[4] == ')' && (s[9] == '-' || s[9] == ' ')
	}
	return false
}

// hexAddress verifies an IP or MAC address at i.
func (sc *scanner) hexAddress(i int) int {
	s := sc.s
	end := i
	colons, dots := 0, 0
	for end < len(s) && end < i+45 {
		switch c := s[end]; {
		case c == ':':
			colons++
		case c == '.':
			dots++
		case !is(c, clsDigit|clsHexLow|clsHexUp) && c != '-':
			goto done
		case c == '-' && (end-i)%3 != 2:
			goto done
		}
		end++
	}
done:
	for end > i && (s[end-1] == '.' || s[end-1] == ':' && at(s, end-2) != ':' || s[end-1] == '-') {
		if s[end-1] == '.' {
			dots--
		} else if s[end-1] == ':' {
			colons--
		}
		end--
	}
	if dots < 3 && colons < 2 && end-i != 17 || is(at(s, end), csAlnum) {
		return i
	}
	text := s[i:end]
	if isMAC(text) {
		sc.add(i, end, ruleMAC, 6)
		return end
	}
	if dots == 3 && colons == 1 { // address:port
		text = text[:strings.IndexByte(text, ':')]
	}
	addr, err := netip.ParseAddr(text)
	if err != nil || addr.IsLoopback() || addr.IsUnspecified() || addr.Is6() && colons < 3 && len(text) < 6 {
		return i
	}
	sc.add(i, i+len(text), ruleIP, 6)
	return i + len(text)
}

func isMAC(s string) bool {
	if len(s) != 17 {
		return false
	}
	for i := range len(s) {
		if i%3 == 2 {
			if s[i] != ':' && s[i] != '-' || s[i] != s[2] {
				return false
			}
		} else if !is(s[i], clsDigit|clsHexLow|clsHexUp) {
			return false
		}
	}
	return true
}

// ibanEnd returns the end of an IBAN at i (ISO 13616: its digits mod 97 are 1), or i.
func ibanEnd(s string, i int) int {
	var buf [34]byte
	n := 0
	best := i
	for j := i; j < len(s) && n < len(buf); j++ {
		c := s[j]
		if c == ' ' && n > 0 && n%4 == 0 {
			continue
		}
		if !is(c, csUpper|clsDigit) {
			break
		}
		buf[n] = c
		n++
		if n >= 15 && !is(at(s, j+1), csAlnum) && mod97(buf[:n]) == 1 {
			best = j + 1
		}
	}
	return best
}

func mod97(iban []byte) int {
	rest := 0
	for i := range iban {
		c := iban[(i+4)%len(iban)]
		if is(c, clsDigit) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest
}
