package signal

import (
	"slices"
	"strings"
)

func clip(s string) string {
	if len(s) > maxText {
		return s[:maxText]
	}
	return s
}

// readTexts reads all texts of the record, once.
func (d *decision) readTexts() {
	if d.read {
		return
	}
	d.read = true
	d.eachText(d.text)
}

// eachText calls f with every text of the record, as much of it as is read; the last exception comes first.
func (d *decision) eachText(f func(text string)) {
	for i := len(d.ev.Exceptions) - 1; i >= 0; i-- {
		f(clip(d.ev.Exceptions[i].Message))
	}
	for _, m := range d.ev.Messages {
		f(clip(m))
	}
	for _, m := range d.ev.Payloads {
		f(clip(m))
	}
}

// find is a pattern that stands in a text.
type find struct{ id, start, end int32 }

// longestKnown is the longest text whose finds are remembered, in bytes.
const longestKnown = 1 << 10

// finds are all patterns that stand in a text, valid until the next call. Failures of one kind say the same again and again,
// and to compare a text is cheaper than to scan it.
func (dc *Decider) finds(s string) []find {
	var free *recalled[[]find]
	if len(s) <= longestKnown {
		var known *[]find
		if known, free = dc.texts.look(dc.seed, s); known != nil {
			return *known
		}
	}
	dc.found = dc.found[:0]
	dc.e.text.scan(s, func(id int32, start, end int) { dc.found = append(dc.found, find{id, int32(start), int32(end)}) })
	if free != nil {
		free.fill(s, slices.Clone(dc.found))
	}
	return dc.found
}

// text takes status, codes and classes out of a text, and notes which message rules it fires, and which phrases of
// conditions stand in it: whether conditions hold is judged when all texts are known.
func (d *decision) text(s string) {
	if s == "" {
		return
	}
	d.in.leading(s)
	base := int32(len(d.e.messages))
	phrases := base + int32(len(triggers))
	for _, f := range d.finds(s) {
		switch {
		case f.id >= phrases:
			d.phrases[(f.id-phrases)/64] |= 1 << ((f.id - phrases) % 64)
		case f.id >= base:
			d.in.read(triggers[f.id-base].what, s, int(f.end))
		case d.nHits < maxHits:
			d.hits[d.nHits] = hit{f, s}
			d.nHits++
		default:
			d.overflow = true
		}
	}
}

// messages tries the message rules that a text fired.
func (d *decision) messages(s string) {
	if s == "" {
		return
	}
	if d.overflow {
		d.rescan(s)
	}
	if len(s) < 16 {
		d.lookup(MatchMessage, strings.ToLower(strings.Trim(s, " .'\"\r\n\t")), rankMessage, KindMessage)
	}
	for i := range d.e.regexps {
		if r := &d.e.regexps[i]; r.re.MatchString(s) && r.when.holds(d) {
			d.take(r.Rule, rankMessage, KindRule, s, 1<<20-int(r.order))
		}
	}
}

// fired judges the message rules that were noted.
func (d *decision) fired() {
	if d.overflow {
		return // messages looks again, at every text by itself
	}
	for i := range d.hits[:d.nHits] {
		h := &d.hits[i]
		d.message(&d.e.messages[h.id], h.text, int(h.start), int(h.end))
	}
}

func (d *decision) message(r *ref, text string, start, end int) {
	if !r.matchText(text, start, end) {
		return
	}
	if fit := d.score(r, &typeName{}); fit >= 0 {
		d.take(r.Rule, rankMessage, KindMessage, text, fit+r.length())
	}
}

// rescan is for texts that fire more rules than are noted.
func (d *decision) rescan(s string) {
	d.e.text.scan(s, func(id int32, start, end int) {
		if int(id) < len(d.e.messages) {
			d.message(&d.e.messages[id], s, start, end)
		}
	})
}
