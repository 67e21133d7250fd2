package harnesserrproc

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/keys"
	"github.com/harnesserr/harnesserr/signal"
)

// look is what the presence of attributes tells at first sight, a bit each.
type look uint8

const (
	lookMarker   look = 1 << iota // GenAI or agent telemetry
	lookForeign                   // of another convention
	lookLoud                      // has to be read, whatever the status is
	lookFinish                    // a finish reason: loud unless benign
	lookHTTP                      // an HTTP status: loud from 400 on
	lookClaude                    // the operation of a Claude Code span
	lookEvidence                  // may show a failure
	lookOwn                       // written by an earlier pass
)

func lookOf(f keys.Flags, role string) look {
	var l look
	if f&keys.Marker != 0 {
		l |= lookMarker
	}
	if f&keys.Foreign != 0 {
		l |= lookForeign
	}
	if f&keys.Evidence != 0 {
		l |= lookEvidence
	}
	if role == "own" || strings.HasPrefix(role, "own.") {
		l |= lookOwn
	}
	switch role {
	case "finish":
		l |= lookFinish
	case "http":
		l |= lookHTTP
	case "operation.claude":
		l |= lookClaude
	case "message", "exception.type", "exception.message", "exception.stack":
		// They mean nothing by themselves on a record that did not fail.
	default:
		if f&keys.Evidence != 0 {
			l |= lookLoud
		}
	}
	return l
}

// seldom are the roles that few healthy spans are asked for: whoever asks calls complete before.
var seldom = map[string]bool{"model": true, "peer.agent": true, "peer.address": true, "peer.url": true, "peer.source": true}

// The traits that attributes are told apart by before they are looked up: the first two by their heads, the others by their
// slots.
const (
	traitClaim   uint8 = 1 << iota // tells that a record is ours
	traitForeign                   // tells that it is of another convention
	traitLoud                      // tells whether a healthy span has to be read
	traitBrief                     // describes most healthy records
	traitLater                     // says something of a record of ours, but seldom of a healthy one
	traitText                      // holds text of a failure
)

// markerFamilies are the beginnings of markers that have numbers or many names in them.
var markerFamilies = []string{
	"gen_ai.prompt.", "gen_ai.completion.", "gen_ai.guardrail.", "gen_ai.response.", "gcp.vertex.agent.",
	"haystack.agent.", "haystack.pipeline.", "pydantic_ai.tool.",
}

// sift makes the looks and the traits; read says which attributes are read at all on a record of ours, and payload which
// are cleaned on every record.
func (r *roles) sift(read, payload func(keys.ID) bool) (err error) {
	r.looks = make([]look, r.Len())
	for id := keys.ID(1); int(id) < r.Len(); id++ {
		r.looks[id] = lookOf(r.Flags(id), r.RoleOf(id))
	}
	r.traits = r.Traits(func(id keys.ID) (t uint8) {
		l := r.looks[id]
		if l&(lookLoud|lookFinish|lookHTTP) != 0 {
			t |= traitLoud
		}
		if r.texts[id].is {
			t |= traitText
		}
		switch {
		case !read(id) && !payload(id) && l&^(lookMarker|lookForeign) == 0:
			return t
		case seldom[r.RoleOf(id)] && !payload(id) && l&lookEvidence == 0:
			return t | traitLater
		}
		return t | traitBrief
	})
	claims := func(id keys.ID) (t uint8) {
		if r.looks[id]&(lookMarker|lookClaude) != 0 {
			t |= traitClaim
		}
		if r.looks[id]&lookForeign != 0 {
			t |= traitForeign
		}
		return t
	}
	families := map[string]uint8{}
	for _, prefix := range markerFamilies {
		families[prefix] = traitClaim
	}
	r.heads, err = r.Heads(claims, families)
	return err
}

// inMarkerFamily reports whether an attribute is in one of the markerFamilies.
func (r *roles) inMarkerFamily(k string) bool {
	if len(k) < keys.Least || r.heads.Of(k)&traitClaim == 0 {
		return false
	}
	for _, prefix := range markerFamilies {
		if strings.HasPrefix(k, prefix) {
			return true
		}
	}
	return false
}

// glance returns the traits that any of the attributes may have, as far as their first bytes tell whose they are. No branch
// depends on a key: keys come fresh from the decoder, and waiting for one after the other, or guessing wrong, costs several
// times what looking does.
func (r *roles) glance(attrs pcommon.Map) (traits uint8) {
	heads := r.heads
	for k := range attrs.All() {
		if len(k) >= keys.Least {
			traits |= heads.Of(k)
		}
	}
	return traits
}

// traits are those that each attribute of a record may have.
type traits struct {
	of   [64]uint8  // by position
	slot [64]uint16 // of the key
	many bool       // there are more than that
}

// at returns the traits of the i-th attribute, all where they are not known.
func (t *traits) at(i int) uint8 {
	if t.many {
		return ^uint8(0)
	}
	return t.of[i&63]
}

// id returns the number of the i-th attribute, whose key is given.
func (r *record) id(i int, key string) keys.ID {
	if r.traits.many {
		return r.keys.Find(key)
	}
	return r.keys.FindIn(uint(r.traits.slot[i&63]), key)
}

// weigh finds the traits of all attributes, as glance does without a branch that depends on a key, and returns them together.
func (r *record) weigh(attrs pcommon.Map) (all uint8) {
	i, known := 0, r.keys.traits
	for k := range attrs.All() {
		slot, t := uint(keys.Slots), known.Short
		if len(k) >= keys.Least {
			slot = keys.Mix(keys.Head(k), keys.Tail(k), len(k))
			t = known.BySlot[slot]
		}
		r.traits.slot[i&63], r.traits.of[i&63] = uint16(slot), t
		all |= t
		i++
	}
	r.traits.many = i > 64
	return all
}

// claim says whose a span is. Nothing is kept of it. Neighbours are alike: after a span of ours the first attribute mostly
// tells, after others a glance.
func (r *record) claim(sc *scope, span ptrace.Span) bool {
	if r.ours && r.beginsOurs(span.Attributes()) {
		return true
	}
	claims := traitClaim
	if sc.agent {
		claims |= traitForeign
	}
	if r.keys.glance(span.Attributes())&claims == 0 {
		r.ours = sc.owns(0)
	} else {
		r.ours = r.claimed(sc, span, claims)
	}
	return r.ours
}

// claimed looks for what tells, one attribute after the other.
func (r *record) claimed(sc *scope, span ptrace.Span, claims uint8) bool {
	var found look
	for k := range span.Attributes().All() {
		if len(k) < keys.Least || r.keys.heads.Of(k)&claims == 0 {
			continue
		}
		if id := r.keys.Find(k); id != 0 {
			if found |= r.keys.looks[id]; found&lookMarker != 0 {
				return true
			}
		} else if r.keys.inMarkerFamily(k) {
			return true
		}
	}
	return sc.owns(found) || found&lookClaude != 0 && strings.HasPrefix(span.Name(), "claude_code.")
}

// beginsOurs reports whether the first attribute is a marker.
func (r *record) beginsOurs(attrs pcommon.Map) bool {
	for k := range attrs.All() {
		return len(k) >= keys.Least && r.keys.heads.Of(k)&traitClaim != 0 && r.keys.looks[r.keys.Find(k)]&lookMarker != 0
	}
	return false
}

// quiet reports that nothing on a span of ours has to be read although its status is not ERROR.
func (r *record) quiet(e *signal.Engine, attrs pcommon.Map) bool {
	if r.weigh(attrs)&traitLoud == 0 {
		return true
	}
	i := 0
	for k, v := range attrs.All() {
		if r.traits.at(i)&traitLoud != 0 {
			switch l := r.keys.looks[r.id(i, k)]; {
			case l&lookLoud != 0, l&lookFinish != 0 && !r.benignStops(e, v), l&lookHTTP != 0 && statusOf(v) >= 400:
				return false
			}
		}
		i++
	}
	return true
}

// scannedQuiet is quiet for a span that was scanned.
func (r *record) scannedQuiet(e *signal.Engine) bool {
	if r.found&(lookLoud|lookFinish|lookHTTP) == 0 {
		return true
	}
	if r.found&lookLoud != 0 {
		return false
	}
	for _, id := range r.keys.finish {
		if r.has(id) && !r.benignStops(e, r.vals[id]) {
			return false
		}
	}
	for _, id := range r.keys.http {
		if r.has(id) && statusOf(r.vals[id]) >= 400 {
			return false
		}
	}
	return true
}

// benignStops reports whether finish reasons in any encoding are no failure.
func (r *record) benignStops(e *signal.Engine, v pcommon.Value) bool {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return r.benignStop(e, v.Str())
	case pcommon.ValueTypeSlice:
		for _, s := range v.Slice().All() {
			if s.Type() != pcommon.ValueTypeStr || !r.benignStop(e, s.Str()) {
				return false
			}
		}
		return true
	}
	return false
}

func (r *record) benignStop(e *signal.Engine, s string) bool {
	benign, ok := r.stops.get(s)
	if !ok {
		benign = e.BenignStop(s)
		r.stops.put(s, benign, true)
	}
	return benign
}
