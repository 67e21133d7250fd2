package document

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func BenchmarkEncode(b *testing.B) {
	g := readGolden(b, "testdata/spans.txtar")
	builder, err := NewBuilder(g.cfg)
	require.NoError(b, err)
	b.ReportAllocs()
	documents := 0
	for b.Loop() {
		for _, d := range builder.FromTraces(g.traces) {
			if _, _, err := d.Encode(true); err != nil {
				b.Fatal(err)
			}
			documents++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(documents), "ns/document")
}

func BenchmarkSelectHealthy(b *testing.B) {
	g := readGolden(b, "testdata/counted.txtar")
	spans := g.traces.ResourceSpans().At(0).ScopeSpans().At(0).Spans()
	kept := 0
	for i := range spans.Len() { // the counted one goes
		if !(Selector{}).Selects(spans.At(i).Attributes()) {
			kept++
		}
	}
	g.traces = KeepSpans(g.traces, []int{0, 1, 2, 3, 4, 5, 6, 7})
	require.Equal(b, kept, g.traces.SpanCount())
	b.ReportAllocs()
	spansSeen := 0
	for b.Loop() {
		if _, found := (Selector{}).Traces(g.traces); found {
			b.Fatal("a healthy span was selected")
		}
		spansSeen += kept
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(spansSeen), "ns/span")
}
