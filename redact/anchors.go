package redact

import "sync"

// The two prefilters are built once, when they are first needed: most text has no business with the anchors of markup.
var (
	textPrefilter     = sync.OnceValue(func() *prefilter { return newPrefilter(textAnchors()) })
	feedbackPrefilter = sync.OnceValue(func() *prefilter { return newPrefilter(append(textAnchors(), markerAnchors()...)) })
)

// textAnchors lists every literal that makes a verifier look, but for markup.
func textAnchors() []anchor {
	anchors := []anchor{{lit: tokenStart, exact: true, fam: famSelf}}
	anchors = append(anchors, prefixAnchors()...)
	anchors = append(anchors, keyAnchors()...)
	anchors = append(anchors, commandAnchors()...)
	return append(anchors, codeAnchors()...)
}

func prefixAnchors() (anchors []anchor) {
	for i, p := range builtin.prefixes {
		a := anchor{lit: p.prefix, exact: p.exact || p.random, before: !p.anywhere && !p.keep, after: members(p.body), fam: famPrefix, arg: int16(i)}
		if !a.exact {
			a.lit = toLower(a.lit)
		}
		anchors = append(anchors, a)
	}
	return anchors
}

func keyAnchors() (anchors []anchor) {
	nameEnds := setOf(func(c byte) bool { return !is(c, csLower) })
	for i, w := range keyWords {
		a := anchor{lit: w.word, fam: famKey, arg: int16(i)}
		if is(w.word[0], csAlnum) {
			a.after = nameEnds
		}
		anchors = append(anchors, a)
	}
	return anchors
}

func commandAnchors() (anchors []anchor) {
	separates := setOf(func(c byte) bool { return c == ' ' || isQuote(c) || c == ',' || c == '\\' || c == '\t' })
	for i, cmd := range commands {
		anchors = append(anchors, anchor{lit: toLower(cmd.name), before: true, after: separates, fam: famCommand, arg: int16(i)})
	}
	return anchors
}

func markerAnchors() (anchors []anchor) {
	for i, m := range markers {
		lits := []string{m.text}
		if m.form == "tag" {
			lits = []string{"<" + m.text, "</" + m.text}
		}
		for _, lit := range lits {
			anchors = append(anchors, anchor{lit: toLower(lit), fam: famMarker, arg: int16(i)})
		}
	}
	return anchors
}

func codeAnchors() (anchors []anchor) {
	add := func(fam family, before bool, after charset, lits ...string) {
		for i, lit := range lits {
			a := anchor{lit: lit, before: before, fam: fam, arg: int16(i)}
			if after != 0 {
				a.after = members(after)
			}
			anchors = append(anchors, a)
		}
	}
	exact := func(fam family, before bool, after charset, lits ...string) {
		n := len(anchors)
		add(fam, before, after, lits...)
		for i := range anchors[n:] {
			anchors[n+i].exact = true
		}
	}
	for _, scheme := range bearerSchemes {
		anchors = append(anchors, anchor{lit: scheme, before: true, after: setOf(func(c byte) bool { return !is(c, csURL) }), fam: famBearer})
	}
	add(famBasic, true, 0, "basic ", "basic\\ ", "basic:", "auth plain ", "auth login ", "authenticate plain ")
	add(famURL, false, 0, "://")
	exact(famHostPassword, false, 0, "@tcp(", "@tcp6(", "@unix(", "@udp(")
	add(famPgpass, false, 0, ":5432:", ":5433:", ":6432:", ":*:", ":3306:")
	exact(famPEM, false, 0, "PRIVATE KEY")
	exact(famPutty, false, 0, "Private-Lines:")
	exact(famJWT, true, csURL, "eyJ")
	exact(famTelegram, false, csURL, ":AA")
	for i, k := range azureKeys {
		anchors = append(anchors, anchor{lit: k.mark, exact: true, after: members(csB64), fam: famAzure, arg: int16(i)})
	}
	exact(famEntra, false, csURL, "0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~")
	add(famCookie, false, 0, "cookie:", "cookie\":", "cookie':", "cookie=", "cookie\\\":", "cookies=", "cookies\":", "cookies':", "cookies:", "cookie', ", "cookie\", ", "cookie ", "cookiejar[", "cookie: ")
	exact(famCookieJar, false, 0, "\tTRUE\t", "\tFALSE\t")
	add(famOracle, false, 0, "jdbc:oracle:thin:", "jdbc:oracle:oci:", "jdbc:oracle:oci8:")
	exact(famJWK, false, 0, "\"kty\"", "'kty'")
	add(famPiped, false, 0, "--password-stdin", "sudo -s", "passwd --stdin", "chpasswd", "--with-token", "login --token-stdin")
	exact(famHome, false, 0, "/home/", "/Users/")
	add(famHome, false, 0, "\\users\\", "users\\\\", "\\documents and settings\\")
	return anchors
}

func members(cs charset) byteSet { return setOf(func(c byte) bool { return is(c, cs) }) }

func toLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lowerByte(c)
	}
	return string(b)
}
