package harnesserrproc

import (
	"strconv"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/keys"
	"github.com/harnesserr/harnesserr/signal"
)

// record is what one pass over a record's attributes found, and the evidence made of it.
type record struct {
	keys   *roles
	traits traits // as weighed last
	have   [keys.Max / 64]uint64
	vals   []pcommon.Value // by keys.ID; valid where have is set
	found  look            // what all of them tell together
	attrs  pcommon.Map
	whole  bool // all was taken in that is ever read
	used   bool // something was taken in since drop
	ours   bool // the span that was looked at last was

	operation signal.Operation
	protocol  signal.Protocol
	role      signal.Role
	provider  string
	framework string
	peer      string
	method    string

	ev      signal.Evidence
	decider *signal.Decider

	// what was made of words that come again and again
	providerNames memo[providerName]
	spellings     map[string]providerName // those that found no place in providerNames too
	stops         memo[bool]
	ops           memo[operationName]
	peers         memo[peerName] // of this batch: the bound wants to hear of a peer once in a while
}

func newValues(n int) []pcommon.Value { return make([]pcommon.Value, n) }

// scan takes in the attributes of a record that is known to be ours.
func (r *record) scan(attrs pcommon.Map) {
	r.begin(attrs, true)
	r.weigh(attrs)
	r.takeAll(traitBrief | traitLater)
}

// scanBrief takes in what describes most healthy spans; complete brings the rest where somebody asks for it.
func (r *record) scanBrief(attrs pcommon.Map) {
	r.begin(attrs, false)
	r.weigh(attrs)
	r.takeAll(traitBrief)
}

// complete makes up for what scanBrief left out; the attributes are still weighed.
func (r *record) complete() {
	if !r.whole {
		r.whole = true
		r.takeAll(traitLater)
	}
}

// takeAll keeps those of the weighed attributes that have one of the traits, and may keep others.
func (r *record) takeAll(wanted uint8) {
	i := 0
	for k, v := range r.attrs.All() {
		if r.traits.at(i)&wanted != 0 {
			r.take(r.id(i, k), v)
		}
		i++
	}
}

// scanAny takes in the attributes of a record that may be anybody's.
func (r *record) scanAny(attrs pcommon.Map) {
	r.begin(attrs, true)
	for k, v := range attrs.All() {
		if !r.take(r.keys.Find(k), v) && r.found&lookMarker == 0 && r.keys.inMarkerFamily(k) {
			r.found |= lookMarker
		}
	}
}

func (r *record) begin(attrs pcommon.Map, whole bool) {
	r.have, r.found, r.attrs, r.whole = [keys.Max / 64]uint64{}, 0, attrs, whole
	r.used = true
}

// take keeps an attribute if it is a known one.
func (r *record) take(id keys.ID, v pcommon.Value) bool {
	if id == 0 {
		return false
	}
	r.have[id/64] |= 1 << (id % 64)
	r.vals[id] = v
	r.found |= r.keys.looks[id]
	return true
}

// drop forgets the values, so that pooled memory doesn't keep a batch alive.
func (r *record) drop() {
	if !r.used {
		return
	}
	r.used = false
	clear(r.vals)
	r.attrs = pcommon.Map{}
	r.ev.Reset()
	r.provider, r.framework, r.peer, r.method = "", "", "", ""
	r.peers = memo[peerName]{}
}

func (r *record) has(id keys.ID) bool { return r.have[id/64]&(1<<(id%64)) != 0 }

// first returns the first attribute of a role that is present and not empty.
func (r *record) first(ids []keys.ID) (pcommon.Value, bool) {
	for _, id := range ids {
		if r.has(id) {
			if v := r.vals[id]; v.Type() != pcommon.ValueTypeStr || v.Str() != "" {
				return v, true
			}
		}
	}
	return pcommon.Value{}, false
}

// text returns the first attribute of a role as text.
func (r *record) text(ids []keys.ID) string {
	v, ok := r.first(ids)
	if !ok {
		return ""
	}
	return textOf(v)
}

// textOf returns a scalar as text; maps and slices give none.
func textOf(v pcommon.Value) string {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return v.Str()
	case pcommon.ValueTypeInt:
		return strconv.FormatInt(v.Int(), 10)
	case pcommon.ValueTypeBool:
		return strconv.FormatBool(v.Bool())
	case pcommon.ValueTypeDouble:
		return strconv.FormatFloat(v.Double(), 'f', -1, 64)
	}
	return ""
}

// present reports whether any attribute of the role is there.
func (r *record) present(ids []keys.ID) bool {
	for _, id := range ids {
		if r.has(id) {
			return true
		}
	}
	return false
}
