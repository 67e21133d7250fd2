package redact

import "strings"

const maxCookies = 4096

// sessionCookies hold a session whatever the length of their value.
var sessionCookies = []string{"sessionid", "session", "sess", "sid", "connect.sid", "phpsessid", "jsessionid", "asp.net_sessionid", "auth", "auth_token", "token", "access_token", "jwt", "csrftoken", "xsrf-token", "remember_me", "remember_token"}

// cookies verifies a Cookie or Set-Cookie header, or a cookie flag of a command, whose name ends at end.
func (sc *scanner) cookies(end int) {
	s := sc.s
	i := end
	for i < len(s) && i < end+12 && (isQuote(s[i]) || s[i] == '\\' || s[i] == ':' || s[i] == '=' || s[i] == ' ' || s[i] == ',' || s[i] == '[' || s[i] == '(' || s[i] == '{' || s[i] == 'b' && isQuote(at(s, i+1))) {
		i++
	}
	if i == end || !strings.ContainsAny(s[end:i], ":=,'\" ") {
		return
	}
	stop := i
	for stop < len(s) && stop < i+maxCookies && s[stop] != '\n' {
		stop++
	}
	sc.work += stop - i
	for i < stop {
		eq := i
		for eq < stop && s[eq] != '=' && s[eq] != ':' {
			eq++
		}
		if eq >= stop {
			return
		}
		name := s[runStart(s, eq, csURL|clsDot, 64):eq]
		if q := at(s, eq-1); isQuote(q) { // {'name': 'value'}
			name = s[runStart(s, eq-1, csURL|clsDot, 64) : eq-1]
		}
		from := eq + 1
		for from < stop && (s[from] == ' ' || isQuote(s[from])) {
			from++
		}
		to := from
		for to < stop && s[to] != ';' && !isQuote(s[to]) && s[to] != ' ' && s[to] != ',' && s[to] != '\\' && s[to] != ']' && s[to] != ')' && s[to] != '}' && s[to] != '>' {
			to++
		}
		sc.work += 2*min(to-from, maxValue) + maxName
		if v := s[from:to]; cookieSecret(name, v) {
			sc.add(from, to, ruleCookie, 2)
		}
		i = max(to, eq+1)
	}
}

func cookieSecret(name, v string) bool {
	if v == "" || redacted(v) || placeholder(v) {
		return false
	}
	switch lower := strings.ToLower(name); lower {
	case "path", "domain", "expires", "max-age", "samesite", "priority":
		return false
	default:
		for _, n := range sessionCookies {
			if lower == n && len(v) >= 8 && randomish(v) {
				return true
			}
		}
	}
	h := shapeOf(v[:min(len(v), maxValue)])
	if codeLike(v[:min(len(v), maxValue)], &h) {
		return false
	}
	return h.n >= 16 && (h.digits > 0 && h.letters() > 0 || h.steps >= 3) && h.longest >= 8 && !dummyBody(v[:min(len(v), maxValue)])
}

// cookieJar verifies a line of a Netscape cookie file: domain, flag, path, flag, expiry, name, value; tabs between them.
// "\tTRUE\t" or "\tFALSE\t" ends at end.
func (sc *scanner) cookieJar(end int) {
	s := sc.s
	expiry := runEnd(s, end, clsDigit)
	if expiry == end || at(s, expiry) != '\t' {
		return
	}
	tab := strings.IndexByte(s[expiry+1:min(len(s), expiry+130)], '\t')
	if tab < 0 {
		return
	}
	from := expiry + 1 + tab + 1
	to := from
	for to < len(s) && to < from+maxCookies && s[to] > ' ' {
		to++
	}
	sc.work += to - end
	if v := s[from:to]; len(v) >= 8 && !redacted(v) && randomish(v) {
		sc.add(from, to, ruleCookie, 2)
	}
}
