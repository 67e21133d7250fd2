package document

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// Traces returns a new batch that holds the selected spans of td, with what a
// document can hold of them and nothing else. It returns false, and allocates
// nothing, when there are none. td is not changed.
func (s Selector) Traces(td ptrace.Traces) (out ptrace.Traces, found bool) {
	for _, rs := range td.ResourceSpans().All() {
		var to ptrace.SpanSlice
		foundHere := false
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				if !s.Selects(span.Attributes()) {
					continue
				}
				if !found {
					out, found = ptrace.NewTraces(), true
				}
				if !foundHere {
					to, foundHere = newSpans(out, rs.Resource()), true
				}
				copySpan(span, to.AppendEmpty())
			}
		}
	}
	return out, found
}

func newSpans(td ptrace.Traces, resource pcommon.Resource) ptrace.SpanSlice {
	rs := td.ResourceSpans().AppendEmpty()
	copyResource(resource, rs.Resource())
	return rs.ScopeSpans().AppendEmpty().Spans()
}

func copySpan(from, to ptrace.Span) {
	from.CopyTo(to)
	to.Links().RemoveIf(func(ptrace.SpanLink) bool { return true })
	to.Events().RemoveIf(func(e ptrace.SpanEvent) bool { return e.Name() != eventException })
	for _, e := range to.Events().All() {
		keepNeeded(e.Attributes())
	}
	keepNeeded(to.Attributes())
}

func copyResource(from, to pcommon.Resource) {
	if name, ok := from.Attributes().Get(attrServiceName); ok {
		name.CopyTo(to.Attributes().PutEmpty(attrServiceName))
	}
}

func keepNeeded(attrs pcommon.Map) {
	attrs.RemoveIf(func(key string, _ pcommon.Value) bool { return !needed(key) })
}

// FromTraces returns a document for each selected span of td, in td's order.
// Document.Ordinal is the span's place among all spans of td.
func (b *Builder) FromTraces(td ptrace.Traces) []Document {
	var docs []Document
	ordinal := 0
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				if b.Selects(span.Attributes()) {
					doc := b.FromSpan(rs.Resource(), span)
					doc.Ordinal = ordinal
					docs = append(docs, doc)
				}
				ordinal++
			}
		}
	}
	return docs
}

// KeepSpans returns the spans of td at the given ordinals, which ascend. td is
// not changed.
func KeepSpans(td ptrace.Traces, ordinals []int) ptrace.Traces {
	out := ptrace.NewTraces()
	td.CopyTo(out)
	keep := keeper{ordinals: ordinals}
	out.ResourceSpans().RemoveIf(func(rs ptrace.ResourceSpans) bool {
		rs.ScopeSpans().RemoveIf(func(ss ptrace.ScopeSpans) bool {
			ss.Spans().RemoveIf(func(ptrace.Span) bool { return !keep.next() })
			return ss.Spans().Len() == 0
		})
		return rs.ScopeSpans().Len() == 0
	})
	return out
}

// keeper walks over ascending ordinals beside the records they count.
type keeper struct {
	ordinals []int
	seen     int
}

// next reports whether the next record is among the ordinals.
func (k *keeper) next() bool {
	hit := len(k.ordinals) > 0 && k.ordinals[0] == k.seen
	if hit {
		k.ordinals = k.ordinals[1:]
	}
	k.seen++
	return hit
}
