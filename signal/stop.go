package signal

import "strings"

// maxStops bounds how many reasons one record is asked for; more than a handful of candidates is not seen in practice.
const maxStops = 16

// stopFrame are the bytes that encodings put around a reason.
var stopFrame = setOf(" \t\r\n[](){}\"'`\\")

// eachStop calls f for every reason in raw, which may be one word, a JSON array, a pseudo array ([stop]), a tuple
// (('end_turn',)) or a joined list, with or without quotes. It stops when f returns false.
func eachStop(raw string, f func(word string) bool) {
	n := 0
	for raw != "" && n < maxStops {
		i := 0
		for i < len(raw) && raw[i] != ',' && raw[i] != ';' && raw[i] != '|' {
			i++
		}
		word := raw[:i]
		raw = raw[min(i+1, len(raw)):]
		word = skip(word, &stopFrame)
		for word != "" && stopFrame[word[len(word)-1]] {
			word = word[:len(word)-1]
		}
		if word == "" {
			continue
		}
		n++
		if !f(word) {
			return
		}
	}
}

// stopPrefixes are the names of enumerations that SDKs glue to a value; longest first.
var stopPrefixes = []string{"completionsfinishreason", "chatfinishreason", "finishreason", "stopreason"}

// stopKey appends the normal form of a reason to dst: the word after the last dot, without the enumeration's name.
func stopKey(dst []byte, word string) []byte {
	if i := strings.LastIndexAny(word, ".:"); i >= 0 && i+1 < len(word) {
		word = word[i+1:]
	}
	start := len(dst)
	dst = squash(dst, word)
	for _, p := range stopPrefixes {
		if rest := dst[start:]; len(rest) > len(p) && string(rest[:len(p)]) == p {
			return append(dst[:start], rest[len(p):]...)
		}
	}
	return dst
}
