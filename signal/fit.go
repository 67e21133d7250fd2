package signal

import (
	"math/bits"
	"strings"
)

// best finds the rule for a key that fits the record best and takes it as a candidate.
func (d *decision) best(m Match, key []byte, rank int16, kind Kind, n *typeName) bool {
	return d.bestOf(d.e.index[m][string(key)], rank, kind, n)
}

func (d *decision) bestOf(rules []ref, rank int16, kind Kind, n *typeName) bool {
	var win *Rule
	score := -1
	for i := range rules {
		if s := d.score(&rules[i], n); s > score {
			win, score = rules[i].Rule, s
		}
	}
	if win == nil {
		return false
	}
	d.take(win, rank, kind, n.last, score)
	return true
}

// score says how well a rule fits: -1 not at all. A user's own rules beat all; then the full name of a class, the home of
// the words, and how much of the record the rule's condition names.
func (d *decision) score(r *ref, n *typeName) int {
	if r.weight > 0 && !r.when.holds(d) {
		return -1
	}
	if r.exact && qualified(r, n) < rootFits {
		return -1
	}
	s := int(r.weight) * 4
	if r.user {
		return s + 1<<20 - int(r.order)
	}
	relation := r.elsewhere
	if d.home.has(r.file) {
		relation = atHome
	}
	switch relation {
	case apart:
		return -1
	case atHome:
		s += 300
	case general:
		s += 200
	}
	if !r.typed {
		return s
	}
	return max(s+qualified(r, n), 0)
}

// rootFits is the least that qualified says of a name of the same package.
const rootFits = 1000

// qualified says how well what stands before a class's own name fits the name of a type rule. Rules are many and most do
// not fit, so only where the hashes do are the names compared.
func qualified(r *ref, n *typeName) int {
	switch {
	case n.qual == 0 && r.qual == 0:
		return 50
	case n.qual == 0 || r.qual == 0:
		return 0
	case n.qual == r.qual && strings.EqualFold(n.qualifier, r.qualifier):
		return 2000
	case n.root == r.root && strings.EqualFold(rootOf(n.qualifier), r.Rule.root):
		return rootFits
	}
	return -100
}

func (d *decision) atHome(homes []string) bool {
	for _, h := range homes {
		if h == d.ev.Provider && h != "" || h == d.ev.Framework && h != "" {
			return true
		}
	}
	return false
}

func (d *decision) anyText(phrases []phrase) bool {
	d.readTexts()
	for i := range phrases {
		p := &phrases[i]
		if p.id > 0 {
			if d.phrases[(p.id-1)/64]>>((p.id-1)%64)&1 != 0 {
				return true
			}
			continue
		}
		found := false
		d.eachText(func(text string) { found = found || p.in(text) })
		if found {
			return true
		}
	}
	return false
}

// hasWord reports whether an attribute has one of the values; "any" stands for every value.
func (d *decision) hasWord(key string, values []string) bool {
	var buf [64]byte
	for i := range d.ev.Words {
		w := &d.ev.Words[i]
		if w.Key != key || len(w.Value) > len(buf) {
			continue
		}
		got := squash(buf[:0], w.Value)
		for _, v := range values {
			if string(got) == v || v == "any" {
				return true
			}
		}
	}
	return false
}

func (d *decision) anyType(keys []string) bool {
	var buf [96]byte
	is := func(s string) bool {
		if s == "" || len(s) > 200 {
			return false
		}
		key := squash(buf[:0], parseType(s).last)
		for _, k := range keys {
			if string(key) == k {
				return true
			}
		}
		return false
	}
	for i := range d.ev.Exceptions {
		if is(d.ev.Exceptions[i].Type) {
			return true
		}
	}
	for _, c := range d.in.classes[:d.in.nClasses] {
		if is(c) {
			return true
		}
	}
	for _, c := range d.in.codes[:d.in.nCodes] {
		if is(c) {
			return true
		}
	}
	return is(d.ev.ErrorType)
}

// conceptGeneric is the concept of classes that say nothing (RuntimeError): whatever else is known wins.
const conceptGeneric = "generic"

// take turns a rule that fits into a candidate.
func (d *decision) take(r *Rule, rank int16, kind Kind, raw string, weight int) {
	if r.out.unwrap {
		d.unwrap = true
		return
	}
	switch {
	case r.file.user:
		rank, kind = rankUser, KindRule
	case r.out.weak && r.match == MatchMessage:
		rank = rankWordMessage
	case r.out.weak, r.out.concept == conceptGeneric:
		rank = rankWeak
	case r.match == MatchHTTP && r.out.control:
		rank = rankSuccess
	}
	d.push(candidate{code: resolve(r, d.groups), rank: rank, kind: kind, weight: weight, rule: r, raw: raw})
}

func (d *decision) push(c candidate) {
	if d.n < maxCandidates {
		d.list[d.n] = c
		d.n++
	}
}

// resolve gives the code of a rule in the record's groups of operations. A concept, and a code that means something else
// inside a tool, go through the concept table; a rule that names the operation or protocol itself stands as it is.
func resolve(r *Rule, groups Group) string {
	out := r.out
	if out.codes == nil || out.concept == "" && (r.when.particular() || r.file.user || r.match.exact()) {
		return out.code
	}
	for _, g := range [...]Group{GroupMCP, GroupA2A, GroupTool, GroupModel, GroupAgent, GroupRetrieval, GroupGuardrail, GroupOther} {
		if groups&g != 0 {
			if c := out.codes[bits.TrailingZeros8(uint8(g))]; c != "" {
				return c
			}
		}
	}
	if out.code != "" {
		return out.code
	}
	return out.codes[bits.TrailingZeros8(uint8(GroupOther))]
}

// conceive gives every outcome its row of the concept table.
func (e *Engine) conceive() {
	rows := make(map[string]*[8]string, len(e.concepts))
	for name, codes := range e.concepts {
		rows[name] = &codes
	}
	for _, r := range e.rules {
		name := r.out.concept
		if name == "" {
			name = r.out.code
		}
		r.out.codes = rows[name]
	}
}
