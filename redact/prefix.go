package redact

// maxJudged is how much of a long body decides whether it is a key.
const maxJudged = 512

// prefix verifies a token of tables/prefixes.tsv that begins at i.
func (sc *scanner) prefix(i int, r *prefixRule) {
	s := sc.s
	body := i + len(r.prefix)
	end := sc.run(body, r.body)
	if s[i:body] != r.prefix && (r.exact || r.random || !isUpper(s[i:min(end, body+maxJudged)])) { // all the text in capitals
		return
	}
	if r.max == 0 || end-body < r.max {
		end = sc.joinLines(body, end, r)
	}
	judged := s[body:min(end, body+maxJudged)]
	sc.work += 4 * len(judged)
	if len(judged) < maxJudged {
		judged = trimTail(judged)
		end = body + len(judged)
	}
	if len(judged) < r.min || r.fixed && end-body != r.max || r.uuid && !isUUID(judged) || dummyBody(judged) {
		return
	}
	if r.random && !randomish(judged) || r.body&(clsDash|clsUnder) != 0 && !mixed(judged) {
		return
	}
	if r.random && (!r.anyRun && longestRun(judged) < 12 || identifier(judged) || r.digits && countDigits(judged) < 2) {
		return
	}
	if r.keep {
		i = body
	}
	sc.add(i, end, r.rule, uint8(len(r.prefix)))
}

// trimTail drops punctuation of the sentence around a token; a token may end in - or _, which give nothing away.
func trimTail(s string) string {
	n := len(s)
	for n > 0 && is(s[n-1], clsDot|clsTilde) {
		n--
	}
	return s[:n]
}

// joinLines extends a token that a line break cut at end: terminals, tables and mail wrap long keys. The next line must be
// nothing but more of the same, and the whole no longer than the format allows.
func (sc *scanner) joinLines(body, end int, r *prefixRule) int {
	total := end - body
	for range 8 {
		next := wrapEnd(sc.s, end)
		if next < 0 {
			return end
		}
		stop := runEnd(sc.s, next, r.body)
		n := stop - next
		sc.work += n
		total += n
		if n < 4 || r.max > 0 && total > r.max || !lineRest(sc.s, stop) {
			return end
		}
		if piece := sc.s[next:stop]; !randomish(piece) && (n < 8 || total != r.max) {
			return end
		}
		end = stop
	}
	return end
}

// wrapEnd returns where text goes on after a line break at i, past table borders and indentation, or -1 without one.
func wrapEnd(s string, i int) int {
	i = skipFrame(s, i)
	if c := at(s, i); c == '\\' || c == '=' {
		i++
	}
	if at(s, i) != '\n' {
		return -1
	}
	return skipFrame(s, i+1)
}

// lineRest reports whether nothing but a border or closing punctuation is left of the line at i.
func lineRest(s string, i int) bool {
	for k := 0; k < 3 && i < len(s) && (s[i] == '"' || s[i] == '\'' || s[i] == '.' || s[i] == ',' || s[i] == '\\' || s[i] == '=' || s[i] == ')'); k++ {
		i++
	}
	i = skipFrame(s, i)
	return i >= len(s) || s[i] == '\n'
}

// skipFrame skips blanks and the vertical lines with which terminals frame text, at most 256 bytes.
func skipFrame(s string, i int) int {
	const bar = "│"
	for n := 0; n < 256 && i < len(s); n++ {
		switch {
		case s[i] == ' ' || s[i] == '\t' || s[i] == '|':
			i++
		case s[i] == bar[0] && len(s)-i >= len(bar) && s[i:i+len(bar)] == bar:
			i += len(bar)
		default:
			return i
		}
	}
	return i
}
