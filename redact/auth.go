package redact

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"
)

// bearerSchemes are authentication schemes followed by one opaque token (IANA HTTP authentication schemes, and vendors' own).
var bearerSchemes = []string{"bearer", "authorization: token", "authorization: bot", "genie", "geniekey", "ssws", "authorization: apikey", "authorization: key", "klaviyo-api-key", "deepl-auth-key", "pveapitoken", "splunk", "negotiate", "ntlm", "jwt", "api-token"}

// credentialStart steps over blanks, escapes and quotes between a scheme and its credentials.
func credentialStart(s string, i int) int {
	from := i
	for i < len(s) && i < from+8 && (s[i] == ' ' || s[i] == '\\' || s[i] == ':' || s[i] == '=' || s[i] == '+' || isQuote(s[i]) || s[i] == '(') {
		i++
	}
	return i
}

func (sc *scanner) bearer(end int) {
	s := sc.s
	i := credentialStart(s, end)
	if i == end {
		return
	}
	if foldPrefix(s[i:], "token=") || foldPrefix(s[i:], "token ") {
		i += len("token=")
	}
	if isQuote(at(s, i)) {
		i++
	}
	stop := sc.run(i, csAny|clsPercent|clsColon)
	val := strings.TrimRight(s[i:stop], ".:~")
	judged := val[:min(len(val), maxValue)]
	sc.work += 4 * len(judged)
	if len(val) < 8 || placeholder(judged) || dummyBody(judged) {
		return
	}
	h := shapeOf(judged)
	strict := len(val) < 16
	if h.digits == 0 && h.steps < 3 || h.letters() == 0 || codeLike(judged, &h) || idLike(judged, &h) || strict && (h.digits < 2 || h.symbols > 0) {
		return
	}
	if k := strings.IndexByte(judged, '='); k > 0 && k < len(judged)-2 && at(s, i+k+1) != '=' { // realm=…
		return
	}
	sc.add(i, i+len(val), ruleBearer, 2)
}

// basic verifies "Basic" credentials: base64 with a colon in it (RFC 7617).
func (sc *scanner) basic(end int) {
	s := sc.s
	i := credentialStart(s, end)
	if i == end {
		return
	}
	stop := sc.run(i, csB64|clsDash|clsUnder)
	if stop-i > 4096 {
		stop = i + 4096
	}
	if stop-i < 6 {
		return
	}
	sc.work += 4 * (stop - i)
	if decoded, ok := decodeBase64(s[i:stop]); ok && strings.ContainsAny(decoded, ":\x00") && utf8.ValidString(decoded) && printable(strings.ReplaceAll(decoded, "\x00", "")) {
		sc.add(i, stop, ruleBasic, 2)
	}
}

// decodeBase64 decodes standard or URL-safe base64, padded or not, and what is left of a text that was cut.
func decodeBase64(s string) (string, bool) {
	s = strings.TrimRight(s, "=")
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	enc := base64.RawStdEncoding
	if strings.ContainsAny(s, "-_") {
		enc = base64.RawURLEncoding
	}
	out, err := enc.DecodeString(s)
	return string(out), err == nil && len(out) > 0
}

// printable reports text: at most one byte in sixteen is a control or invalid.
func printable(s string) bool {
	odd := 0
	for i := range len(s) {
		if c := s[i]; c < 0x20 && c != '\n' && c != '\r' && c != '\t' || c == 0x7f || c >= 0xf8 {
			odd++
		}
	}
	return odd*16 <= len(s)
}

// jwt verifies a JSON Web Token or what is left of one; "eyJ" stands at i.
func (sc *scanner) jwt(i int) {
	s := sc.s
	stop := sc.run(i, csURL|clsDot|clsEq|clsB64)
	v := strings.TrimRight(s[i:stop], ".=")
	sc.work += 4 * min(len(v), 4096)
	head, _, dotted := strings.Cut(v[:min(len(v), 4096)], ".")
	if len(v) < 24 {
		return
	}
	if !dotted && len(head) < 24 {
		return
	}
	decoded, _ := decodeBase64(head)
	if dotted && len(head) >= 12 && (strings.Contains(decoded, `"alg"`) || strings.Contains(decoded, `"typ"`) || strings.Contains(decoded, `"kid"`) || strings.Contains(v, ".eyJ")) ||
		!dotted && (strings.Contains(decoded, `"alg"`) || strings.Contains(decoded, `"typ":"JWT"`)) {
		sc.add(i, i+len(v), ruleJWT, 3)
		return
	}
	if dotted && len(v) >= 80 && longestRun(v[:min(len(v), 4096)]) >= 24 {
		sc.add(i, i+len(v), ruleJWT, 3)
	}
}

// pem verifies "PRIVATE KEY" at [i:end] and takes the block to its END line, or to the end of a text that was cut.
func (sc *scanner) pem(i, end int) {
	s := sc.s
	low := max(0, i-40)
	begin := strings.LastIndex(s[low:i], "-BEGIN")
	if begin < 0 {
		return
	}
	dashes := strings.Index(s[end:min(len(s), end+24)], "--")
	if dashes < 0 {
		return
	}
	start := runStart(s, low+begin+1, clsDash, 5)
	from := runEnd(s, end+dashes, clsDash)
	to, ended := len(s), false
	if sc.noPEMEnd <= from {
		if k := strings.Index(s[from:], "-END"); k >= 0 {
			to, ended = from+k, true
		} else {
			sc.noPEMEnd = len(s)
		}
		sc.work += to - from
	}
	if len(strings.Trim(s[from:to], "\\rn \n\t.…\"'-")) < 16 {
		return
	}
	if ended { // the rest of the END line: dashes, a name, dashes
		to = runEnd(s, to, clsDash) + len("END")
		if k := strings.Index(s[to:min(len(s), to+40)], "-----"); k >= 0 {
			to += k + 5
		}
	} else {
		to = bodyEnd(s, from, to)
	}
	sc.add(start, to, rulePrivateKey, 9)
}

// bodyEnd keeps what follows a key without END: its body ends before the first byte that base64, the headers of a key and
// line breaks do not have, and before trailing blanks.
func bodyEnd(s string, from, to int) int {
	end := from
	for i := from; i < to; i++ {
		c := s[i]
		if is(c, csB64|clsColon) {
			end = i + 1
		} else if c != '\n' && c != '\\' && c != ' ' && c != ',' && c != '\t' && c != '-' {
			break
		}
	}
	return end
}

// jwkPrivate are the members of a JSON Web Key that are secret (RFC 7518 section 6).
var jwkPrivate = []string{"d", "p", "q", "dp", "dq", "qi", "k"}

const maxJWK = 8192

// jwk takes the secret members of the JSON Web Key whose "kty" stands at [i:end].
func (sc *scanner) jwk(i, end int) {
	low, high := max(0, i-maxJWK), min(len(sc.s), end+maxJWK)
	if k := strings.LastIndexByte(sc.s[low:i], '{'); k >= 0 {
		low += k
	}
	if k := strings.IndexByte(sc.s[end:high], '}'); k >= 0 {
		high = end + k
	}
	sc.work += high - low
	s := sc.s[:high]
	for j := low; j < high; j++ {
		if s[j] != '"' && s[j] != '\'' {
			continue
		}
		name := runEnd(s, j+1, csAlpha)
		if n := name - j - 1; n < 1 || n > 2 || !slices.Contains(jwkPrivate, s[j+1:name]) || at(s, name) != s[j] {
			j = max(j, name-1)
			continue
		}
		from := credentialStart(s, name)
		to := runEnd(s, from, csURL)
		if to-from >= 16 {
			sc.add(from, to, rulePrivateKey, 5)
		}
		j = to
	}
}

// putty takes the lines after "Private-Lines: n" (PuTTY's key file).
func (sc *scanner) putty(end int) {
	s := sc.s
	i := skipBlanks(s, end)
	i = runEnd(s, i, clsDigit)
	for i < len(s) && (s[i] == '\n' || s[i] == '\\' || s[i] == 'n' && s[i-1] == '\\') {
		i++
	}
	to := i
	for to < len(s) && (is(s[to], csB64) || s[to] == '\n' || s[to] == '\\') {
		to++
	}
	if k := strings.Index(s[i:to], "Private"); k > 0 {
		to = i + k
	}
	for to > i && (s[to-1] == '\n') {
		to--
	}
	if to-i >= 16 {
		sc.add(i, to, rulePrivateKey, 9)
	}
	if k := strings.Index(s[to:min(len(s), to+40)], "Private-MAC: "); k >= 0 {
		from := to + k + len("Private-MAC: ")
		sc.add(from, runEnd(s, from, csAlnum), rulePrivateKey, 9)
	}
}

// telegram verifies digits:AA…; the colon stands at i.
func (sc *scanner) telegram(i int) {
	s := sc.s
	start := runStart(s, i, clsDigit, 16)
	stop := sc.run(i+1, csURL)
	if i-start >= 7 && stop-i >= 31 && (start == 0 || !is(s[start-1], csAlnum) || start >= 3 && foldPrefix(s[start-3:], "bot")) {
		sc.add(start, stop, ruleTelegram, 9)
	}
}

// azureKeys are marks inside keys that Azure issues, with the bytes before them and the shortest rest.
var azureKeys = []struct {
	mark          string
	before, least int
}{
	{"JQQJ99", 52, 20}, {"AzFu", 44, 4}, {"AzSe", 42, 4}, {"AzCa", 40, 4}, {"ACDb", 76, 4}, {"+ASt", 76, 4}, {"+ABa", 76, 4}, {"+ASb", 33, 4}, {"+AEh", 33, 4}, {"+ARm", 33, 4}, {"AIoT", 33, 4}, {"+ACR", 42, 4}, {"AzMa", 40, 4},
}

// azure verifies a mark of azureKeys at i.
func (sc *scanner) azure(i int, arg int16) {
	k := azureKeys[arg]
	start := runStart(sc.s, i, csB64&^clsEq, k.before+4)
	stop := sc.run(i+len(k.mark), csB64)
	if i-start >= k.before-2 && stop-i-len(k.mark) >= k.least && i-start <= k.before+2 {
		sc.add(start, stop, ruleAzureKey, 9)
	}
}

// entra verifies a client secret of Microsoft Entra ID: three characters, a digit, Q~, and 31 to 34 more; the digit stands at i.
func (sc *scanner) entra(i int) {
	start := i - 3
	if start < 0 || runStart(sc.s, i, csAny, 3) != start {
		return
	}
	stop := sc.run(i+3, csURL|clsDot|clsTilde)
	if n := stop - i - 3; n >= 24 && n <= 40 {
		sc.add(start, stop, ruleAzureKey, 9)
	}
}
