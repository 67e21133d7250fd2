package harnesserrproc

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor/processortest"
)

// The fuzz targets feed arbitrary OTLP through the processor and check what holds for any input: no panic, no record lost,
// nothing changed outside the attributes that are ours and the texts that are redacted, a second pass changes nothing.

// fixtures returns the OTLP/JSON files of the repository that hold the given signal.
func fixtures(tb testing.TB, member string) [][]byte {
	tb.Helper()
	files, err := filepath.Glob("../../testdata/otlp/*.json")
	require.NoError(tb, err)
	var out [][]byte
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(tb, err)
		if !strings.HasSuffix(f, ".expect.json") && strings.Contains(string(data), member) {
			out = append(out, data)
		}
	}
	require.NotEmpty(tb, out)
	return out
}

func FuzzTraces(f *testing.F) {
	for _, data := range fixtures(f, "resourceSpans") {
		td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(data)
		require.NoError(f, err)
		b, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(td)
		require.NoError(f, err)
		f.Add(b)
	}
	fac := NewFactory()
	sink := &consumertest.TracesSink{}
	p, err := fac.CreateTraces(context.Background(), processortest.NewNopSettings(fac.Type()), fac.CreateDefaultConfig(), sink)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, b []byte) {
		td, err := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(b)
		if err != nil {
			return
		}
		sink.Reset()
		before := ptrace.NewTraces()
		td.CopyTo(before)
		require.NoError(t, p.ConsumeTraces(t.Context(), td))
		sameSpans(t, before, td)
		once := ptrace.NewTraces()
		td.CopyTo(once)
		require.NoError(t, p.ConsumeTraces(t.Context(), td))
		require.Equal(t, protoOf(t, once), protoOf(t, td), "a second pass changes nothing")
	})
}

func protoOf(t *testing.T, td ptrace.Traces) string {
	t.Helper()
	b, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(td)
	require.NoError(t, err)
	return string(b)
}

func sameSpans(t *testing.T, before, after ptrace.Traces) {
	t.Helper()
	require.Equal(t, before.SpanCount(), after.SpanCount(), "no span is lost")
	require.Equal(t, before.ResourceSpans().Len(), after.ResourceSpans().Len())
	for i, rs := range before.ResourceSpans().All() {
		rs2 := after.ResourceSpans().At(i)
		require.Equal(t, rs.Resource().Attributes().AsRaw(), rs2.Resource().Attributes().AsRaw())
		for j, ss := range rs.ScopeSpans().All() {
			for k, s := range ss.Spans().All() {
				sameSpan(t, s, rs2.ScopeSpans().At(j).Spans().At(k))
			}
		}
	}
}

func sameSpan(t *testing.T, before, after ptrace.Span) {
	t.Helper()
	require.Equal(t, before.TraceID(), after.TraceID())
	require.Equal(t, before.SpanID(), after.SpanID())
	require.Equal(t, before.ParentSpanID(), after.ParentSpanID())
	require.Equal(t, before.Kind(), after.Kind())
	require.Equal(t, before.StartTimestamp(), after.StartTimestamp())
	require.Equal(t, before.EndTimestamp(), after.EndTimestamp())
	require.Equal(t, before.Status().Code(), after.Status().Code())
	require.Equal(t, before.Events().Len(), after.Events().Len())
	require.Equal(t, before.Links().Len(), after.Links().Len())
	sameAttributes(t, before.Attributes(), after.Attributes())
	if _, recognised := after.Attributes().Get(attrOperation); !recognised {
		require.Equal(t, before.Name(), after.Name())
		require.Equal(t, before.Status().Message(), after.Status().Message())
	}
}

// sameAttributes checks that only our own attributes came, only error.type and texts of failures changed, and nothing went.
func sameAttributes(t *testing.T, before, after pcommon.Map) {
	t.Helper()
	keys, err := newRoles(newTestEngine(t), createDefaultConfig().(*Config))
	require.NoError(t, err)
	seen := map[string]bool{}
	for k, v := range after.All() {
		old, had := before.Get(k)
		switch {
		case strings.HasPrefix(k, "harness."), k == attrErrorType:
		case !had:
			t.Fatalf("attribute %q appeared", k)
		case seen[k]: // the same key twice: Get sees only the first
		default:
			if !keys.texts[keys.Find(k)].is {
				require.Equal(t, old.AsRaw(), v.AsRaw(), "attribute %q", k)
			}
			require.Equal(t, old.Type(), v.Type(), "type of attribute %q", k)
		}
		seen[k] = true
	}
	for k := range before.All() {
		require.True(t, seen[k], "attribute %q went", k)
	}
}

func FuzzLogs(f *testing.F) {
	for _, data := range fixtures(f, "resourceLogs") {
		ld, err := (&plog.JSONUnmarshaler{}).UnmarshalLogs(data)
		require.NoError(f, err)
		b, err := (&plog.ProtoMarshaler{}).MarshalLogs(ld)
		require.NoError(f, err)
		f.Add(b)
	}
	fac := NewFactory()
	p, err := fac.CreateLogs(context.Background(), processortest.NewNopSettings(fac.Type()), fac.CreateDefaultConfig(), consumertest.NewNop())
	require.NoError(f, err)
	marshal := func(t *testing.T, ld plog.Logs) string {
		b, err := (&plog.ProtoMarshaler{}).MarshalLogs(ld)
		require.NoError(t, err)
		return string(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		ld, err := (&plog.ProtoUnmarshaler{}).UnmarshalLogs(b)
		if err != nil {
			return
		}
		before := plog.NewLogs()
		ld.CopyTo(before)
		require.NoError(t, p.ConsumeLogs(t.Context(), ld))
		require.Equal(t, before.LogRecordCount(), ld.LogRecordCount(), "no log record is lost")
		for i, rl := range before.ResourceLogs().All() {
			for j, sl := range rl.ScopeLogs().All() {
				for k, lr := range sl.LogRecords().All() {
					after := ld.ResourceLogs().At(i).ScopeLogs().At(j).LogRecords().At(k)
					sameAttributes(t, lr.Attributes(), after.Attributes())
					require.Equal(t, lr.Body().Type(), after.Body().Type())
				}
			}
		}
		once := marshal(t, ld)
		require.NoError(t, p.ConsumeLogs(t.Context(), ld))
		require.Equal(t, once, marshal(t, ld), "a second pass changes nothing")
	})
}

func FuzzMetrics(f *testing.F) {
	for _, data := range fixtures(f, "resourceMetrics") {
		md, err := (&pmetric.JSONUnmarshaler{}).UnmarshalMetrics(data)
		require.NoError(f, err)
		b, err := (&pmetric.ProtoMarshaler{}).MarshalMetrics(md)
		require.NoError(f, err)
		f.Add(b)
	}
	fac := NewFactory()
	p, err := fac.CreateMetrics(context.Background(), processortest.NewNopSettings(fac.Type()), fac.CreateDefaultConfig(), consumertest.NewNop())
	require.NoError(f, err)
	marshal := func(t *testing.T, md pmetric.Metrics) string {
		b, err := (&pmetric.ProtoMarshaler{}).MarshalMetrics(md)
		require.NoError(t, err)
		return string(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		md, err := (&pmetric.ProtoUnmarshaler{}).UnmarshalMetrics(b)
		if err != nil {
			return
		}
		metrics, points := md.MetricCount(), md.DataPointCount()
		require.NoError(t, p.ConsumeMetrics(t.Context(), md))
		require.Equal(t, metrics, md.MetricCount())
		require.LessOrEqual(t, md.DataPointCount(), points, "points may be joined, never added")
		once := marshal(t, md)
		require.NoError(t, p.ConsumeMetrics(t.Context(), md))
		require.Equal(t, once, marshal(t, md), "a second pass changes nothing")
	})
}
