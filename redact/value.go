package redact

import "strings"

// shape is what the characters of a value say about it.
type shape struct {
	n                             int
	digits, lowers, uppers        int
	symbols                       int // neither alphanumeric nor - _ . /
	dashes, dots, slashes, spaces int // dashes counts - and _
	steps                         int // changes from lower to upper case
	longest                       int // longest run of letters and digits
	high                          int // non-ASCII bytes
}

func shapeOf(s string) (h shape) {
	h.n = len(s)
	run := 0
	var prev charset
	for i := 0; i < len(s); i++ {
		c := classes[s[i]]
		if c&csAlnum != 0 {
			run++
		} else {
			h.longest = max(h.longest, run)
			run = 0
		}
		switch {
		case c&clsDigit != 0:
			h.digits++
		case c&csLower != 0:
			h.lowers++
		case c&csUpper != 0:
			h.uppers++
			if prev&csLower != 0 {
				h.steps++
			}
		case c&(clsDash|clsUnder) != 0:
			h.dashes++
		case c&clsDot != 0:
			h.dots++
		case s[i] == '/':
			h.slashes++
		case s[i] == ' ':
			h.spaces++
		case c&clsHigh != 0:
			h.high++
		default:
			h.symbols++
		}
		prev = c
	}
	h.longest = max(h.longest, run)
	return h
}

func (h *shape) letters() int { return h.lowers + h.uppers }

// randomish: a digit, or at least three changes from lower to upper case. A random body of 20 letters and digits has no
// digit one time in 33, so a digit alone is not a fair test.
func randomish(s string) bool {
	steps := 0
	for i := 0; i < len(s); i++ {
		c := classes[s[i]]
		if c&clsDigit != 0 {
			return true
		}
		if i > 0 && c&csUpper != 0 && classes[s[i-1]]&csLower != 0 {
			if steps++; steps == 3 {
				return true
			}
		}
	}
	return false
}

// mixed: a digit, or both cases. Words joined by dashes have neither.
func mixed(s string) bool {
	var all charset
	for i := 0; i < len(s); i++ {
		all |= classes[s[i]]
	}
	return all&clsDigit != 0 || all&csLower != 0 && all&csUpper != 0
}

func countDigits(s string) (n int) {
	for i := 0; i < len(s); i++ {
		if classes[s[i]]&clsDigit != 0 {
			n++
		}
	}
	return n
}

// identifier reports a name from source code: few digits, and fewer changes between lower case, upper case and digits than
// random text has. Of random letters and digits, 62 % of neighbours differ; of words in camel case, a third.
func identifier(s string) bool {
	const kinds = clsDigit | csLower | csUpper
	digits, changes, pairs, lowers, uppers := 0, 0, 0, 0, 0
	kind := func(c byte) charset {
		switch k := classes[c] & kinds; {
		case k&csLower != 0:
			return csLower
		case k&csUpper != 0:
			return csUpper
		default:
			return k
		}
	}
	for i := 0; i < len(s); i++ {
		k := kind(s[i])
		switch k {
		case clsDigit:
			digits++
		case csLower:
			lowers++
		case csUpper:
			uppers++
		}
		if i == 0 || k == 0 {
			continue
		}
		if before := kind(s[i-1]); before != 0 {
			pairs++
			if before != k {
				changes++
			}
		}
	}
	return digits*12 <= len(s) && (changes*100 < pairs*34 || changes*100 < pairs*42 && uppers*100 < (lowers+uppers)*28)
}

func longestRun(s string) (longest int) {
	n := 0
	for i := 0; i < len(s); i++ {
		if classes[s[i]]&csAlnum != 0 {
			n++
			longest = max(longest, n)
		} else {
			n = 0
		}
	}
	return longest
}

func isUpper(s string) bool {
	for i := 0; i < len(s); i++ {
		if classes[s[i]]&csLower != 0 {
			return false
		}
	}
	return true
}

// dummyWords stand in keys that documentation makes up.
var dummyWords = []string{"xxxx", "your", "example", "placeholder", "redacted", "changeme", "replace", "dummy", "insert", "sample"}

// dummyReach is how much of a body is searched for dummyWords.
const dummyReach = 64

// dummyLetters are the first letters of dummyWords, in both cases.
var dummyLetters = func() (t [256]bool) {
	for _, w := range dummyWords {
		t[w[0]], t[w[0]-0x20] = true, true
	}
	return t
}()

// dummyBody reports a made-up body: three different characters or fewer, or one of dummyWords in it.
func dummyBody(s string) bool {
	var seen [4]byte
	n := 0
	for i := 0; i < len(s) && n < len(seen); i++ {
		if strings.IndexByte(string(seen[:n]), s[i]) < 0 {
			seen[n] = s[i]
			n++
		}
	}
	if n < len(seen) {
		return true
	}
	s = s[:min(len(s), dummyReach)]
	for i := 0; i < len(s); i++ {
		if !dummyLetters[s[i]] {
			continue
		}
		for _, w := range dummyWords {
			if lowerByte(s[i]) == w[0] && foldPrefix(s[i:], w) {
				return true
			}
		}
	}
	return false
}
