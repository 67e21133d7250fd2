package redact

const (
	maxName  = 48  // bytes of a name that classify looks at
	maxGlue  = 64  // bytes between a name and its value
	maxValue = 256 // bytes of a value that decide
)

// separator says how a name and its value are joined.
type separator uint8

const (
	sepNone   separator = iota
	sepAssign           // = : => and the like
	sepQuery            // = after ? & or #
	sepTuple            // "name", "value"
	sepSpace            // --name value, set NAME value
	sepProse            // the password is value
)

// key verifies a name that ends in w; the word stands at [i:end].
func (sc *scanner) key(i, end int, w *keyWord) {
	s := sc.s
	if w.bounded && i > 0 && is(s[i-1], csAlnum) && !(is(s[i], csUpper) && is(s[i-1], csLower)) {
		return
	}
	nameEnd, ok := nameSuffix(s, end)
	if !ok {
		return
	}
	start := runStart(s, i, csIdent|clsDash|clsDot, maxName)
	v := sc.glue(start, nameEnd)
	sc.work += maxName
	if v.sep == sepNone {
		if w.class >= classWeak {
			sc.prose(i, nameEnd, w)
		}
		return
	}
	var buf [maxName]byte
	sc.work += 4 * maxName
	class := w.classify(normName(s, i, end, buf[:0]))
	if class == classNever {
		return
	}
	v.class, v.name, v.nameEnd, v.nameLen = class, start, nameEnd, end-start
	v.envName = isUpper(s[start:nameEnd]) && v.sep == sepAssign
	v.literal = v.quote != 0 || v.envName || v.sep == sepQuery || s[start] == '-' || at(s, nameEnd) == '=' || at(s, start-1) == '<'
	if class == classWords {
		sc.seedPhrase(v.at)
		return
	}
	sc.value(&v, w)
}

// nameSuffixes may follow the word a name ends in without changing what it names.
var nameSuffixes = map[string]bool{
	"1": true, "2": true, "3": true, "4": true, "_1": true, "_2": true, "_3": true, "value": true, "_value": true, "string": true, "_string": true,
	"_prod": true, "_production": true, "_dev": true, "_development": true, "_staging": true, "_stage": true, "_test": true, "_live": true,
	"_base": true, "base": true, "_b64": true, "_base64": true, "_data": true, "data": true, "_raw": true, "_old": true, "_new": true, "_backup": true,
	"_primary": true, "_secondary": true, "_plain": true, "plain": true, "_text": true, "text": true, "plaintext": true, "_local": true, "_main": true, "_default": true,
	"_github": true, "_gitlab": true, "_openai": true, "_here": true, "_pem": true, "pem": true, "s": true,
}

// nameSuffix returns the end of the name whose word ends at end, and whether it is still a name of a secret.
func nameSuffix(s string, end int) (int, bool) {
	stop := runEnd(s, end, csIdent)
	if stop == end {
		return end, true
	}
	if stop-end > 12 {
		return end, false
	}
	var buf [12]byte
	n := copy(buf[:], s[end:stop])
	for k := range n {
		buf[k] = lowerByte(buf[k])
	}
	return stop, nameSuffixes[string(buf[:n])]
}

// normName is the end of the name s[..:end] in lower case and without separators; single spaces join words, so that
// "api key" is apikey.
func normName(s string, i, end int, buf []byte) []byte {
	low := max(0, end-maxName)
	spaces := 0
	start := end
	for start > low {
		c := s[start-1]
		if c == ' ' && start <= i && spaces < 2 && start-2 >= low && is(s[start-2], csAlnum) {
			spaces++
		} else if !is(c, csIdent|clsDash|clsDot|clsHigh) {
			break
		}
		start--
	}
	for ; start < end; start++ {
		if c := s[start]; is(c, csAlnum|clsHigh) {
			buf = append(buf, lowerByte(c))
		}
	}
	return buf
}

// found is a value and how it was found.
type found struct {
	at       int // where it starts, after an opening quote
	sep      separator
	quote    byte // 0 for none
	escaped  bool // the quote was written \"
	class    keyClass
	literal  bool // what stands there is no variable
	envName  bool // NAME= in capitals
	name     int  // where the name starts
	nameEnd  int
	nameLen  int // up to the end of its word
	isKey    bool
	longName bool // a word says whose token it is
	hexOK    bool // a hex digest of usual length counts as a secret
}

// setters are commands that take a name and a value side by side.
var setters = []string{"set ", "env ", "setx ", "setenv ", "login ", "machine ", "config ", "add ", "put ", "-x ", "by ", "user ", "role ", "with "}

// looseGlue handles names and values with nothing but blanks (or "is") between them; j is the first byte after the blanks.
func (sc *scanner) looseGlue(start, end, j int) found {
	s := sc.s
	if j == end || s[end] != ' ' && s[end] != '\t' && !isQuote(s[end]) {
		return found{}
	}
	if at(s, start) == '-' && start > 0 && !is(s[start-1], csAlnum) || at(s, start) == '-' && start == 0 {
		return openValue(s, j, found{sep: sepAssign})
	}
	if k := afterType(s, end); k > end {
		return openValue(s, k, found{sep: sepAssign})
	}
	for _, w := range linkWords {
		if lowerByte(at(s, j)) == w[0] && foldPrefix(s[j:], w) {
			return openValue(s, j+len(w), found{sep: sepProse})
		}
	}
	if k := skipBlanks(s, end); k > end && isQuote(at(s, k)) { // PASSWORD 'value'
		j = k
	}
	if isQuote(at(s, j)) || is(at(s, j), csAny) {
		if isQuote(at(s, j)) && j > end && (foldSuffix(s[:end], "password") || foldSuffix(s[:end], "identified by")) {
			return openValue(s, j, found{sep: sepSpace})
		}
		if !plausible(s, j) {
			return found{}
		}
		sc.work += 8 * maxName
		for _, w := range setters {
			if near(s, start, w, 40) {
				return openValue(s, j, found{sep: sepSpace})
			}
		}
	}
	return found{}
}

// plausible reports that a secret may begin at i: a quote, or a word of six bytes or more that is not all small letters.
func plausible(s string, i int) bool {
	if isQuote(at(s, i)) {
		return true
	}
	end := i
	for end < len(s) && end < i+maxName && s[end] > ' ' {
		end++
	}
	return end-i >= 6 && runEnd(s, i, csLower) < end && mixed(s[i:end])
}

// linkWords stand between a name and its value in prose.
var linkWords = []string{"is ", "was ", "ist ", "lautet ", "est ", "es ", "è ", "é ", "是", "は", "为", "為", "が", "to be ", "equals ", "value ", "set to "}

// near reports whether word stands in the n bytes before i, on the same line.
func near(s string, i int, word string, n int) bool {
	for k := i - len(word); k >= 0 && k >= i-n; k-- {
		if s[k] == '\n' {
			return false
		}
		if lowerByte(s[k]) == word[0] && foldPrefix(s[k:], word) && (k == 0 || !is(s[k-1], csAlnum)) {
			return true
		}
	}
	return false
}
