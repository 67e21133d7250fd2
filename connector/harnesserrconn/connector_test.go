package harnesserrconn

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/connector/connectortest"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"golang.org/x/tools/txtar"

	"github.com/harnesserr/harnesserr/connector/harnesserrconn/internal/metadata"
)

var update = flag.Bool("update", false, "rewrite the expected events in testdata")

// The inputs are those of the documents; testdata holds an event a paragraph for each.
const inputs = "../../internal/document/testdata/*.txtar"

func TestGolden(t *testing.T) {
	files, err := filepath.Glob(inputs)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(name, func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			settings := map[string]any{}
			for line := range strings.Lines(string(archive.Comment)) {
				if list, ok := strings.CutPrefix(line, "include: "); ok {
					settings["include"] = strings.Fields(list)
				}
			}
			got := dump(convert(t, settings, archive.Files[0]))
			golden := filepath.Join("testdata", name+".txt")
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o600))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// convert sends OTLP/JSON through a connector.
func convert(t *testing.T, settings map[string]any, input txtar.File) []plog.Logs {
	t.Helper()
	cfg := createDefaultConfig()
	require.NoError(t, confmap.NewFromStringMap(settings).Unmarshal(cfg))
	var out consumertest.LogsSink
	set := connectortest.NewNopSettings(metadata.Type)
	if input.Name == "logs.json" {
		ld, err := (&plog.JSONUnmarshaler{}).UnmarshalLogs(input.Data)
		require.NoError(t, err)
		conn, err := NewFactory().CreateLogsToLogs(t.Context(), set, cfg, &out)
		require.NoError(t, err)
		require.False(t, conn.Capabilities().MutatesData)
		before := plog.NewLogs()
		ld.CopyTo(before)
		require.NoError(t, conn.ConsumeLogs(t.Context(), ld))
		require.Equal(t, before, ld, "the input stays as it is")
		return out.AllLogs()
	}
	td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(input.Data)
	require.NoError(t, err)
	conn, err := NewFactory().CreateTracesToLogs(t.Context(), set, cfg, &out)
	require.NoError(t, err)
	before := ptrace.NewTraces()
	td.CopyTo(before)
	require.NoError(t, conn.ConsumeTraces(t.Context(), td))
	require.Equal(t, before, td, "the input stays as it is")
	return out.AllLogs()
}

// dump writes events for readers: a line for what stands around the body, a line for the body.
func dump(all []plog.Logs) string {
	var b strings.Builder
	for _, ld := range all {
		for _, rl := range ld.ResourceLogs().All() {
			for _, sl := range rl.ScopeLogs().All() {
				for _, r := range sl.LogRecords().All() {
					fmt.Fprintf(&b, "%s %s %s trace=%s span=%s sampled=%t observed=%s attributes=%v scope=%s/%s resource=%v\n%s\n\n",
						r.Timestamp().AsTime().Format(time.RFC3339Nano), r.SeverityText(), r.EventName(),
						r.TraceID(), r.SpanID(), r.Flags().IsSampled(), r.ObservedTimestamp().AsTime().Format(time.RFC3339Nano),
						r.Attributes().AsRaw(), sl.Scope().Name(), sl.Scope().Version(), rl.Resource().Attributes().AsRaw(),
						r.Body().AsString())
				}
			}
		}
	}
	return b.String()
}

// Records of one resource and scope stay together, and those of another apart.
func TestResourceAndScopeAreKept(t *testing.T) {
	td := ptrace.NewTraces()
	for _, service := range []string{"a", "b", "healthy"} {
		rs := td.ResourceSpans().AppendEmpty()
		rs.SetSchemaUrl("https://opentelemetry.io/schemas/1.37.0")
		rs.Resource().Attributes().PutStr("service.name", service)
		for _, scope := range []string{"x", "y"} {
			ss := rs.ScopeSpans().AppendEmpty()
			ss.Scope().SetName(scope)
			for range 2 {
				attrs := ss.Spans().AppendEmpty().Attributes()
				if service != "healthy" {
					attrs.PutStr("harness.error.class", "task_failure")
					attrs.PutStr("harness.error.code", "tool.timeout")
				}
			}
		}
	}
	var out consumertest.LogsSink
	conn, err := NewFactory().CreateTracesToLogs(t.Context(), connectortest.NewNopSettings(metadata.Type), createDefaultConfig(), &out)
	require.NoError(t, err)
	require.NoError(t, conn.ConsumeTraces(t.Context(), td))
	require.Len(t, out.AllLogs(), 1)
	got := out.AllLogs()[0]
	require.Equal(t, 2, got.ResourceLogs().Len())
	for _, rl := range got.ResourceLogs().All() {
		require.Equal(t, "https://opentelemetry.io/schemas/1.37.0", rl.SchemaUrl())
		require.Equal(t, 2, rl.ScopeLogs().Len())
		for _, sl := range rl.ScopeLogs().All() {
			require.Equal(t, 2, sl.LogRecords().Len())
		}
	}
}

// An event is no failure for whoever counts failures: fed back, it makes no
// second event, also when a processor has read the document in it.
func TestEventsAreNotCountedAgain(t *testing.T) {
	archive, err := txtar.ParseFile("../../internal/document/testdata/spans.txtar")
	require.NoError(t, err)
	events := convert(t, nil, archive.Files[0])[0]
	for _, processed := range []bool{false, true} {
		if processed {
			for _, record := range events.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().All() {
				record.Attributes().PutStr("harness.error.code", "upstream.overloaded")
				record.Attributes().PutStr("harness.error.class", "transport_failure")
			}
		}
		var out consumertest.LogsSink
		conn, err := NewFactory().CreateLogsToLogs(t.Context(), connectortest.NewNopSettings(metadata.Type), createDefaultConfig(), &out)
		require.NoError(t, err)
		require.NoError(t, conn.ConsumeLogs(t.Context(), events))
		require.Empty(t, out.AllLogs())
	}
}

// What the next consumer says reaches the sender, who then sends again.
func TestErrorOfTheNextConsumer(t *testing.T) {
	full := errors.New("queue is full")
	next, err := consumer.NewLogs(consumertest.NewErr(full).ConsumeLogs)
	require.NoError(t, err)
	conn, err := NewFactory().CreateTracesToLogs(t.Context(), connectortest.NewNopSettings(metadata.Type), createDefaultConfig(), next)
	require.NoError(t, err)
	td := ptrace.NewTraces()
	attrs := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty().Attributes()
	require.NoError(t, conn.ConsumeTraces(t.Context(), td), "nothing failed, nothing is sent")
	attrs.PutStr("harness.error.class", "task_failure")
	require.ErrorIs(t, conn.ConsumeTraces(t.Context(), td), full)
}
