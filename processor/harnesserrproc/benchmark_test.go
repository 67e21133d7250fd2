package harnesserrproc

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/processor/processortest"

	"github.com/harnesserr/harnesserr/internal/samplebatch"
)

func newTestTraces(tb testing.TB, change func(*Config)) processor.Traces {
	f := NewFactory()
	cfg := f.CreateDefaultConfig().(*Config)
	if change != nil {
		change(cfg)
	}
	p, err := f.CreateTraces(tb.Context(), processortest.NewNopSettings(f.Type()), cfg, consumertest.NewNop())
	require.NoError(tb, err)
	return p
}

// BenchmarkTraces runs the processor over batches decoded from OTLP just before, as a collector gets them; the clock
// stands while decoding.
func BenchmarkTraces(b *testing.B) {
	failures := func(c *Config) { c.Annotate = annotateFailures }
	for _, bm := range []struct {
		name   string
		batch  samplebatch.Batch
		change func(*Config)
	}{
		{"healthy/failures", samplebatch.Batch{Spans: 1000, Seed: 1}, failures},
		{"healthy/all", samplebatch.Batch{Spans: 1000, Seed: 1}, nil},
		{"failing5/failures", samplebatch.Default, failures},
		{"failing5/all", samplebatch.Default, nil},
		{"failing100/failures", samplebatch.Batch{Spans: 1000, Failing: 1, Seed: 1}, failures},
		{"floor", samplebatch.Default, nil},
		{"plain", samplebatch.Batch{Spans: 1000, Seed: 1, Plain: true}, nil},
	} {
		b.Run(bm.name, func(b *testing.B) {
			p := newTestTraces(b, bm.change)
			if bm.name == "floor" {
				p = floor{}
			}
			bytes, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(bm.batch.Traces())
			require.NoError(b, err)
			b.ReportAllocs()
			number := 1_000_000
			for b.Loop() {
				b.StopTimer()
				td, err := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(bytes)
				require.NoError(b, err)
				number = samplebatch.Renew(td, number)
				b.StartTimer()
				require.NoError(b, p.ConsumeTraces(context.Background(), td))
			}
			perSpan(b, bm.batch.Spans)
		})
	}
}

func perSpan(b *testing.B, spans int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(spans), "ns/span")
}

// TestNoAllocation holds the promise that records which need no change cost no allocation.
func TestNoAllocation(t *testing.T) {
	for name, tt := range map[string]struct {
		batch  samplebatch.Batch
		change func(*Config)
	}{
		"spans that are not GenAI":          {samplebatch.Batch{Spans: 1000, Seed: 1, Plain: true}, nil},
		"healthy spans, annotate: failures": {samplebatch.Batch{Spans: 1000, Seed: 1}, func(c *Config) { c.Annotate = annotateFailures }},
		"healthy spans, annotated already":  {samplebatch.Batch{Spans: 1000, Seed: 1}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p, td := newTestTraces(t, tt.change), tt.batch.Traces()
			require.NoError(t, p.ConsumeTraces(t.Context(), td)) // fills the memory that is kept, annotates once
			perBatch := testing.AllocsPerRun(20, func() { _ = p.ConsumeTraces(context.Background(), td) })
			require.Less(t, perBatch/float64(tt.batch.Spans), 0.02, "allocations per span")
		})
	}
}

// floor is what any component pays that looks at every attribute once: a freshly decoded batch is cold memory.
type floor struct{ processor.Traces }

func (floor) ConsumeTraces(_ context.Context, td ptrace.Traces) error {
	n := 0
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				for k, v := range s.Attributes().All() {
					switch k {
					case "gen_ai.operation.name", "error.type", "gen_ai.provider.name", "gen_ai.request.model", "mcp.method.name",
						"a2a.method.name", "http.response.status_code", "gen_ai.response.finish_reasons":
						n += int(v.Type())
					}
				}
			}
		}
	}
	floorSink = n
	return nil
}

var floorSink int
