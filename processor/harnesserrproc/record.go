package harnesserrproc

import (
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/keys"
	"github.com/harnesserr/harnesserr/signal"
)

// record is what one pass over a record's attributes found, and the evidence made of it.
type record struct {
	keys  *roles
	have  [keys.Max / 64]uint64
	vals  []pcommon.Value // by keys.ID; valid where have is set
	flags keys.Flags
	attrs pcommon.Map

	operation signal.Operation
	protocol  signal.Protocol
	role      signal.Role
	provider  string
	framework string
	peer      string
	method    string

	ev signal.Evidence
	v  signal.Verdict

	spellings map[string]providerName
}

func newValues(n int) []pcommon.Value { return make([]pcommon.Value, n) }

// scan is the one pass over the attributes.
func (r *record) scan(attrs pcommon.Map) {
	r.have, r.flags, r.attrs = [keys.Max / 64]uint64{}, 0, attrs
	for k, v := range attrs.All() {
		id := r.keys.Find(k)
		if id == 0 {
			if r.flags&keys.Marker == 0 && markerPrefix(k) {
				r.flags |= keys.Marker
			}
			continue
		}
		r.have[id/64] |= 1 << (id % 64)
		r.vals[id] = v
		r.flags |= r.keys.Flags(id)
	}
}

// drop forgets the values, so that pooled memory doesn't keep a batch alive.
func (r *record) drop() {
	clear(r.vals)
	r.attrs = pcommon.Map{}
	r.ev.Reset()
	r.v.Reset()
	r.provider, r.framework, r.peer, r.method = "", "", "", ""
}

// markerPrefix knows the families of attributes that have numbers or many names in them.
func markerPrefix(k string) bool {
	if len(k) < 12 {
		return false
	}
	switch k[0] {
	case 'g':
		return strings.HasPrefix(k, "gen_ai.prompt.") || strings.HasPrefix(k, "gen_ai.completion.") ||
			strings.HasPrefix(k, "gen_ai.guardrail.") || strings.HasPrefix(k, "gen_ai.response.") || strings.HasPrefix(k, "gcp.vertex.agent.")
	case 'h':
		return strings.HasPrefix(k, "haystack.agent.") || strings.HasPrefix(k, "haystack.pipeline.")
	case 'p':
		return strings.HasPrefix(k, "pydantic_ai.tool.")
	}
	return false
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
