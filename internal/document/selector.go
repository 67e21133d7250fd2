package document

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
)

// Classes of failures (harness.error.class).
const (
	classTaskFailure      = "task_failure"
	classProtocolError    = "protocol_error"
	classTransportFailure = "transport_failure"
	classInterrupted      = "interrupted"
	classExpected         = "expected"
)

// Selector decides which records become documents. The zero value takes
// counted failures only: records of one of the three failure classes that are
// neither propagated nor mirror nor handled.
type Selector struct {
	propagated, mirror, handled, interrupted, expected bool
}

// NewSelector returns the selector of a valid configuration.
func NewSelector(cfg Config) Selector {
	var s Selector
	for _, v := range cfg.Include {
		switch v {
		case IncludePropagated:
			s.propagated = true
		case IncludeMirror:
			s.mirror = true
		case IncludeHandled:
			s.handled = true
		case IncludeInterrupted:
			s.interrupted = true
		case IncludeExpected:
			s.expected = true
		}
	}
	return s
}

// Selects reports whether a record with these attributes becomes a document.
// It allocates nothing.
func (s Selector) Selects(attrs pcommon.Map) bool {
	class, ok := attrs.Get(attrClass)
	if !ok || class.Type() != pcommon.ValueTypeStr {
		return false
	}
	switch class.Str() {
	case classTaskFailure, classProtocolError, classTransportFailure:
	case classInterrupted:
		return s.interrupted && hasCode(attrs)
	case classExpected:
		return s.expected && hasCode(attrs)
	default:
		return false
	}
	return (s.propagated || !isTrue(attrs, attrPropagated)) &&
		(s.mirror || !isTrue(attrs, attrMirror)) &&
		(s.handled || !isTrue(attrs, attrHandled))
}

// hasCode holds back what waits or was expected and has no code: there is no
// document without one (draft 4.1).
func hasCode(attrs pcommon.Map) bool {
	_, ok := attrs.Get(attrCode)
	return ok
}

func isTrue(attrs pcommon.Map, key string) bool {
	v, ok := attrs.Get(key)
	return ok && v.Type() == pcommon.ValueTypeBool && v.Bool()
}
