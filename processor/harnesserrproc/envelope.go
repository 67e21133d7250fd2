package harnesserrproc

import (
	"encoding/json"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/harnesserr/harnesserr/signal"
)

// envelope reads a labby error envelope from a map or JSON text. A bare kind is too general a word: an envelope is known by
// kind, contract_version and recovery together.
func (r *record) envelope(v pcommon.Value) {
	switch v.Type() {
	case pcommon.ValueTypeMap:
		m := v.Map()
		if _, ok := m.Get("contract_version"); !ok {
			return
		}
		r.ev.Labby = labbyOf(m.AsRaw())
	case pcommon.ValueTypeStr:
		s := v.Str()
		if len(s) > maxJSON || !strings.Contains(s, `"contract_version"`) || !strings.Contains(s, `"recovery"`) {
			return
		}
		var tree any
		if json.Unmarshal([]byte(s), &tree) == nil {
			r.ev.Labby = findLabby(tree, 0)
		}
	}
}

// findLabby looks for an envelope in an answer: at the top, under structuredContent or result, or as JSON in a text item.
func findLabby(tree any, depth int) signal.Labby {
	if depth > 4 {
		return signal.Labby{}
	}
	switch t := tree.(type) {
	case map[string]any:
		if l := labbyOf(t); l.Kind != "" {
			return l
		}
		for _, k := range [...]string{"structuredContent", "result", "error", "content", "text", "data"} {
			if l := findLabby(t[k], depth+1); l.Kind != "" {
				return l
			}
		}
	case []any:
		for _, e := range t {
			if l := findLabby(e, depth+1); l.Kind != "" {
				return l
			}
		}
	case string:
		var inner any
		if strings.Contains(t, `"contract_version"`) && json.Unmarshal([]byte(t), &inner) == nil {
			return findLabby(inner, depth+1)
		}
	}
	return signal.Labby{}
}

func labbyOf(m map[string]any) signal.Labby {
	recovery, ok := m["recovery"].(map[string]any)
	kind, isText := m["kind"].(string)
	if _, versioned := m["contract_version"]; !ok || !isText || !versioned {
		return signal.Labby{}
	}
	return signal.Labby{
		Kind: kind, Origin: str(m, "origin"), Action: str(recovery, "action"), SameArguments: str(recovery, "same_arguments"),
		SideEffects: str(m, "side_effects"), Tool: str(m, "tool"), Upstream: str(m, "upstream"),
		RetryAfterMS: num(recovery, "retry_after_ms", "retryAfterMs"),
	}
}

func str(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func num(m map[string]any, keys ...string) float64 {
	for _, k := range keys {
		switch n := m[k].(type) {
		case float64:
			return n
		case int64:
			return float64(n)
		}
	}
	return 0
}
