package signal

import (
	"strings"

	"github.com/harnesserr/harnesserr/registry"
)

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

// stopWord is what the tables have under a finish reason.
type stopWord struct {
	key   string // its normal form
	rules []ref
}

func (e *Engine) stopWord(word string) stopWord {
	var buf [128]byte
	key := stopKey(buf[:0], word)
	if rules := e.index[MatchStop][string(key)]; len(rules) > 0 {
		return stopWord{rules: rules}
	}
	return stopWord{key: string(key)}
}

func (d *decision) stop(word string) {
	w := d.stops.get(d.seed, word, d.e.stopWord)
	if len(w.rules) > 0 {
		d.bestOf(w.rules, rankStop, KindStopReason, &typeName{last: word})
		return
	}
	if r, length := d.telling(w.key); r != nil && believed(r) {
		d.take(r, rankStop, KindStopReason, word, length)
	}
}

// believed reports whether a telling word is believed in a reason that nobody listed: one that names a limit or a filter.
func believed(r *Rule) bool { return precedes(r.out.code) || r.out.code == registry.OutputMalformed }
