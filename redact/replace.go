package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

const (
	tokenStart   = "[REDACTED"
	tokenPlain   = tokenStart + "]"
	tokenLongest = 80
	truncMark    = "…[truncated]"
	hmacDigits   = 12
)

// tokenEnd returns the end of the replacement token whose tokenStart ends at i, or i when it is none: no secret can pass for
// the name of a rule.
func tokenEnd(s string, i int) int {
	if at(s, i) == ']' {
		return i + 1
	}
	end := i
	for end < len(s) && end < i+tokenLongest && (is(s[end], csLower|clsDigit) || s[end] == '_') {
		end++
	}
	if at(s, i) != '_' || at(s, end) != ']' {
		return i
	}
	name := s[i+1 : end]
	if k := strings.LastIndexByte(name, '_'); k >= 0 && len(name)-k-1 == hmacDigits && runEnd(name, k+1, clsDigit|clsHexLow) == len(name) {
		name = name[:k]
	}
	if countDigits(name) > 4 {
		return i
	}
	return end + 1
}

// withoutTokens is s without its replacement tokens.
func withoutTokens(s string) string {
	if !strings.Contains(s, tokenStart) {
		return s
	}
	var b strings.Builder
	for {
		k := strings.Index(s, tokenStart)
		if k < 0 {
			b.WriteString(s)
			return b.String()
		}
		end := tokenEnd(s, k+len(tokenStart))
		b.WriteString(s[:k])
		if end == k+len(tokenStart) {
			b.WriteString(tokenStart)
		}
		s = s[end:]
	}
}

// redacted reports a value of which, beside replacement tokens, next to nothing is left.
func redacted(v string) bool {
	rest := withoutTokens(v)
	return len(rest) < len(v) && len(rest) < 6
}

// writeToken writes what stands in the place of secret. It has no character that JSON or a query string must escape,
// and none that a rule takes for part of a key.
func (c *Cleaner) writeToken(b *strings.Builder, rule ruleID, secret string) {
	b.WriteString(tokenStart)
	b.WriteByte('_')
	b.WriteString(c.names[rule])
	if c.hmacKey != nil && rule.isCredential() {
		mac := hmac.New(sha256.New, c.hmacKey)
		mac.Write([]byte(secret))
		var sum [sha256.Size]byte
		b.WriteByte('_')
		b.WriteString(hex.EncodeToString(mac.Sum(sum[:0]))[:hmacDigits])
	}
	b.WriteByte(']')
}

// replace writes s with its spans replaced. Spans that overlap become one.
func (c *Cleaner) replace(s string, spans []span, r *Report) string {
	var b strings.Builder
	b.Grow(len(s) + 24*len(spans))
	pos := 0
	for i := 0; i < len(spans); {
		m := spans[i]
		for i++; i < len(spans) && spans[i].a < m.b; i++ {
			m.b = max(m.b, spans[i].b)
			if spans[i].prio > m.prio {
				m.rule, m.prio = spans[i].rule, spans[i].prio
			}
		}
		b.WriteString(s[pos:m.a])
		c.writeToken(&b, m.rule, s[m.a:m.b])
		r.add(c.names, m.rule, 1)
		pos = m.b
	}
	b.WriteString(s[pos:])
	return b.String()
}

// bound cuts s to n bytes, the mark included, never inside a character or a replacement token.
func bound(s string, n int) string {
	if n <= 0 || len(s) <= n {
		return s
	}
	cut := n - len(truncMark)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	near := max(0, cut-tokenLongest)
	if k := strings.LastIndexByte(s[near:cut], '['); k >= 0 {
		if open := near + k; cut-open < len(tokenStart) && strings.HasPrefix(s[open:], tokenStart) ||
			strings.HasPrefix(s[open:], tokenStart) && tokenEnd(s, open+len(tokenStart)) > cut {
			cut = open
		}
	}
	return s[:cut] + truncMark
}
