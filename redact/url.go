package redact

import "strings"

const maxUserinfo = 512

// url looks at what follows "://" (at end): user and password before an @, and secrets that are part of a path.
func (sc *scanner) url(end int) {
	if !sc.userinfo(end) {
		sc.pathSecret(end)
	}
}

// userinfo verifies user:password@ or token@ at i.
func (sc *scanner) userinfo(i int) bool {
	s := sc.s
	limit := min(len(s), i+maxUserinfo)
	at, colon := -1, -1
	slash := -1
scan:
	for j := i; j < limit; j++ {
		sc.work++
		switch c := s[j]; {
		case c == '@':
			at = j
			if slash >= 0 {
				break scan
			}
		case c == ':':
			if colon < 0 && slash < 0 {
				colon = j
			}
		case c == '/':
			if slash < 0 {
				slash = j
			}
			// a port ends the authority; anything else after a colon may be a password with a slash in it
			if at >= 0 || colon < 0 || runEnd(s, colon+1, clsDigit) == slash {
				break scan
			}
		case c == '?' || c == '#':
			if at >= 0 || colon < 0 || slash >= 0 || runEnd(s, colon+1, clsDigit) == j {
				break scan
			}
		case c <= ' ' || c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' || c == '\\' || c == '|':
			break scan
		case c == ',' || c == ')' || c == ']' || c == '}' || c == '{' || c == '(':
			if colon < 0 {
				break scan
			}
		}
	}
	if at < 0 {
		return false
	}
	if colon >= 0 && colon < at {
		if v := s[colon+1 : at]; v != "" && !redacted(v) && !urlPlaceholder(v) && !strings.Contains(v, "://") && !(v == s[i:colon] && runEnd(v, 0, csAlpha) == len(v)) { // guest:guest is no secret
			sc.add(colon+1, at, ruleURLPassword, 4)
			if u := s[i:colon]; len(u) >= 16 && randomish(u) && longestRun(u) >= 12 && !dummyBody(u) && !redacted(u) {
				sc.add(i, colon, ruleURLToken, 4)
			}
			return true
		}
		if u := s[i:colon]; len(u) >= 16 && randomish(u) && longestRun(u) >= 12 && !dummyBody(u) && !redacted(u) { // token:@host, token:x-oauth-basic@host
			sc.add(i, colon, ruleURLToken, 4)
		}
		return true
	}
	if v := s[i:at]; len(v) >= 16 && randomish(v) && longestRun(v) >= 10 && !strings.ContainsAny(v, "/?#") && !redacted(v) && !dummyBody(v) {
		sc.add(i, at, ruleURLToken, 4)
		return true
	}
	return false
}

// urlPlaceholder reports a password that is a mask, a variable or a word of a template.
func urlPlaceholder(v string) bool {
	return placeholder(v) && !isNotValue(v) || v[0] == '*' || strings.HasPrefix(v, "xxx") || strings.EqualFold(v, "password") || strings.EqualFold(v, "pass") || strings.EqualFold(v, "pwd") || strings.EqualFold(v, "secret") || strings.EqualFold(v, "token") || strings.EqualFold(v, "redacted") || strings.EqualFold(v, "x-oauth-basic")
}

// secretSegments are path segments after which a one-time secret stands.
var secretSegments = []string{
	"/reset-password/", "/password-reset/", "/password/reset/", "/reset_password/", "/reset/", "/verify/", "/verify-email/", "/verification/", "/confirm/", "/confirmation/", "/activate/", "/magic/", "/magic-link/",
	"/magic_link/", "/magiclink/", "/invite/", "/invitation/", "/invitations/", "/accept-invite/", "/unsubscribe/", "/signin/", "/sign-in/", "/login/", "/auth/", "/callback/", "/token/", "/tokens/", "/webhook/", "/webhooks/", "/hooks/", "/hook/",
	"/share/", "/s/", "/key/", "/apikey/", "/api_key/", "/secret/", "/session/", "/onetime/", "/otp/", "/sso/", "/recover/", "/unlock/", "/device/", "/download/", "/mcp/", "/sse/", "/bot",
}

// pathSecret looks for a random segment after one of secretSegments in the URL whose host starts at i.
func (sc *scanner) pathSecret(i int) {
	s := sc.s
	stop := i
	for stop < len(s) && stop < i+maxUserinfo && s[stop] > ' ' && !isQuote(s[stop]) && s[stop] != '<' && s[stop] != '>' && s[stop] != '?' && s[stop] != '\\' && s[stop] != ')' {
		stop++
	}
	sc.work += stop - i
	path := s[:stop]
	for j := i; j < stop; j++ {
		if s[j] != '/' {
			continue
		}
		from := j + 1
		to := runEnd(path, from, csURL|clsDot|clsTilde|clsEq)
		sc.work += maxName
		if to-from < 20 || !segmentNamed(s[i:from]) {
			continue
		}
		v := s[from:to]
		if h := shapeOf(v); h.longest >= 16 && !idLike(v, &h) && !isUUID(v) && !dummyBody(v) && !codeLike(v, &h) &&
			(h.digits >= 2 && h.letters() >= 6 || h.steps >= 4) && (h.uppers > 1 && h.lowers > 1 || h.n >= 32) {
			sc.add(from, to, ruleURLToken, 1)
		}
		j = to - 1
	}
}

func segmentNamed(before string) bool {
	for _, seg := range secretSegments {
		if foldSuffix(before, seg) {
			return true
		}
	}
	return false
}

// oracle verifies user/password@host after the prefix of a JDBC URL.
func (sc *scanner) oracle(i int) {
	end := i
	for end < len(sc.s) && end < i+maxUserinfo && sc.s[end] > ' ' && !isQuote(sc.s[end]) && sc.s[end] != ',' {
		end++
	}
	sc.work += end - i
	sc.commandSecret(argument{i, end}, "oracle")
}

// hostPassword verifies the DSN form user:password@tcp(host) whose @ stands at i.
func (sc *scanner) hostPassword(i int) {
	s := sc.s
	start := i
	for start > 0 && i-start < 256 && s[start-1] > ' ' && !isQuote(s[start-1]) && s[start-1] != '=' {
		start--
	}
	sc.work += i - start
	colon := strings.IndexByte(s[start:i], ':')
	if colon < 0 {
		return
	}
	from := start + colon + 1
	if v := s[from:i]; v != "" && !redacted(v) && !urlPlaceholder(v) && !strings.HasPrefix(v, "//") {
		sc.add(from, i, ruleURLPassword, 4)
	}
}

// pgpass verifies a line of a password file, host:port:database:user:password; ":port:" ends at end.
func (sc *scanner) pgpass(end int) {
	s := sc.s
	lineEnd := len(s)
	if k := strings.IndexByte(s[end:], '\n'); k >= 0 {
		lineEnd = end + k
	}
	lineEnd = min(lineEnd, end+512)
	sc.work += lineEnd - end
	line := s[end:lineEnd]
	db, rest, ok1 := strings.Cut(line, ":")
	user, pw, ok2 := strings.Cut(rest, ":")
	if !ok1 || !ok2 || db == "" || user == "" || strings.ContainsAny(db+user, " /\"'{}()") {
		return
	}
	n := 0
	for n < len(pw) && pw[n] > ' ' && !isQuote(pw[n]) {
		n++
	}
	if pw = pw[:n]; len(pw) >= 4 && !placeholder(pw) && !redacted(pw) {
		from := end + len(db) + 1 + len(user) + 1
		sc.add(from, from+n, rulePassword, 4)
	}
}
