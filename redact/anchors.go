package redact

// builtinAnchors lists every literal that makes a verifier look.
func builtinAnchors() []anchor {
	anchors := []anchor{{lit: tokenStart, exact: true, fam: famSelf}}
	for i, p := range builtin.prefixes {
		body := setOf(func(c byte) bool { return is(c, p.body) })
		a := anchor{lit: p.prefix, exact: p.exact || p.random, before: !p.anywhere && !p.keep, after: body, fam: famPrefix, arg: int16(i)}
		if !a.exact {
			a.lit = toLower(a.lit)
		}
		anchors = append(anchors, a)
	}
	return anchors
}

func toLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lowerByte(c)
	}
	return string(b)
}
