package document

import (
	"math"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// reader takes members from attributes. A value of the wrong type or out of its
// range counts as absent: a member that is wrong is worse than none.
type reader struct {
	attrs pcommon.Map
	clean func(string) string
}

// first returns the first of the attributes that holds text, clean.
func (r reader) first(keys ...string) string {
	for _, key := range keys {
		if v, ok := r.attrs.Get(key); ok && v.Type() == pcommon.ValueTypeStr && v.Str() != "" {
			if s := r.clean(v.Str()); s != "" {
				return s
			}
		}
	}
	return ""
}

func (r reader) flag(key string) *bool {
	if v, ok := r.attrs.Get(key); ok && v.Type() == pcommon.ValueTypeBool {
		return new(v.Bool())
	}
	return nil
}

// integer returns a value of at least least.
func (r reader) integer(key string, least int64) *int64 {
	v, ok := r.attrs.Get(key)
	if !ok {
		return nil
	}
	n := v.Int()
	if v.Type() == pcommon.ValueTypeDouble && v.Double() == math.Trunc(v.Double()) && math.Abs(v.Double()) < 1<<53 {
		n = int64(v.Double())
	} else if v.Type() != pcommon.ValueTypeInt {
		return nil
	}
	if n < least {
		return nil
	}
	return &n
}

// number returns a finite value.
func (r reader) number(key string) *float64 {
	v, ok := r.attrs.Get(key)
	if !ok {
		return nil
	}
	f := v.Double()
	if v.Type() == pcommon.ValueTypeInt {
		f = float64(v.Int())
	} else if v.Type() != pcommon.ValueTypeDouble {
		return nil
	}
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil
	}
	return &f
}
