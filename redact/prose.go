package redact

import "strings"

const (
	proseReach = 64 // bytes after a name in which a bare secret is looked for
	proseWords = 6
	proseLeast = 16
)

// proseStops are words after which a random token is something else's.
var proseStops = wordSet(`id ids hash sha sha1 sha256 digest commit model request run trace span session message object file organization org
	project cursor checksum etag uuid version build image container pod revision branch bucket path table index column row count limit count: digest: id: hash: sha256: commit: trace:
	per usage used remaining budget line position offset type types name names fingerprint signature`)

// stopLetters are the first letters of proseStops.
var stopLetters = func() (t [256]bool) {
	for w := range proseStops {
		t[w[0]] = true
	}
	return t
}()

// prose looks for a bare secret a few words after a name: "invalid API key provided: XXXX", "token XXXX has expired".
func (sc *scanner) prose(i, end int, w *keyWord) {
	s := sc.s
	if w.bounded || w.class == classPassword || !beforeProse(at(s, end)) {
		return
	}
	limit := min(len(s), end+proseReach)
	j := end
	for range proseWords {
		for j < limit && !is(s[j], csAny) && s[j] != '\n' {
			j++
		}
		if j >= limit || s[j] == '\n' {
			return
		}
		stop := sc.run(j, csAny)
		if stop-j >= proseLeast {
			sc.bare(i, end, j, stop, w)
			return
		}
		if stopWord(s[j:stop]) {
			return
		}
		j = stop
	}
}

// bare adds the word at [j:stop] if it is a secret that the name at [i:end] announces.
func (sc *scanner) bare(i, end, j, stop int, w *keyWord) {
	s := sc.s
	word := trimTail(s[j:stop])
	sc.work += 4*maxName + min(len(word), maxValue)
	if !mixed(word) {
		return
	}
	var buf [maxName]byte
	class := w.classify(normName(s, i, end, buf[:0]))
	if class != classWeak && class != classStrong || !bareSecret(word, class) || at(s, stop) == ':' && at(s, stop+1) == '/' {
		return
	}
	sc.add(j, j+len(word), ruleToken, 0)
}

func beforeProse(c byte) bool {
	return c == ' ' || c == '\t' || c == '(' || c == '"' || c == '\'' || c == '`' || c >= 0x80
}

func stopWord(s string) bool {
	if len(s) > 12 || !stopLetters[lowerByte(s[0])] {
		return false
	}
	var buf [12]byte
	n := copy(buf[:], s)
	for k := range n {
		buf[k] = lowerByte(buf[k])
	}
	return proseStops[string(buf[:n])]
}

// bareSecret is strict: without a separator before it only a token that looks like nothing else counts.
func bareSecret(s string, class keyClass) bool {
	if len(s) < proseLeast {
		return false
	}
	h := shapeOf(s[:min(len(s), maxValue)])
	if h.slashes+h.symbols > 1+h.n/24 || s[0] == '/' || strings.Contains(s, "//") || h.dots > 2 || h.longest < 12 || isUUID(s) || identifier(s) || idLike(s, &h) || codeLike(s, &h) || dummyBody(s) {
		return false
	}
	if h.uppers == 0 || h.lowers == 0 {
		if runEnd(s, 0, clsDigit|clsHexLow) == len(s) || runEnd(s, 0, clsDigit|clsHexUp) == len(s) {
			return class == classStrong && h.n >= 32 && h.digits >= 6 && h.letters() >= 4
		}
		return h.n >= 20 && h.digits >= 4 && h.letters() >= 6 && h.dashes <= 2
	}
	return h.digits >= 2 && h.uppers >= 2 && h.lowers >= 2 && h.steps >= 2 && (h.n >= 20 || h.digits >= 3)
}

// seedPhrase takes twelve or more lower-case words.
func (sc *scanner) seedPhrase(i int) {
	s := sc.s
	j, words, end := i, 0, i
	for words < 25 {
		stop := runEnd(s, j, csLower)
		if n := stop - j; n < 3 || n > 8 {
			break
		}
		words++
		end = stop
		j = stop
		for j < len(s) && j < stop+3 && (s[j] == ' ' || s[j] == ',' || s[j] == '\n' || s[j] == '-') {
			j++
		}
	}
	sc.work += end - i
	if words >= 12 {
		sc.add(i, end, ruleSeedPhrase, 1)
	}
}
