package problemexporter

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/exporter/exportertest"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/harnesserr/harnesserr/exporter/problemexporter/internal/metadata"
	"github.com/harnesserr/harnesserr/exporter/problemexporter/internal/metadatatest"
)

func TestRequest(t *testing.T) {
	for _, tc := range []struct {
		format, contentType string
		requests            int
		status              bool
	}{
		{"single", "application/problem+json", 3, true},
		{"ndjson", "application/x-ndjson", 1, false},
		{"array", "application/json", 1, false},
	} {
		t.Run(tc.format, func(t *testing.T) {
			r := newReceiver(t)
			cfg := config(t, posting(r, tc.format, map[string]any{
				"headers":     map[string]any{"X-Team": "agents"},
				"compression": "gzip",
			}))
			r.server.Handler = gunzip(r)
			exp := startTraces(t, cfg, exportertest.NewNopSettings(metadata.Type))
			require.NoError(t, exp.ConsumeTraces(t.Context(), failingTraces(3)))
			requireAll(t, r, 3)
			require.Len(t, r.got(), tc.requests)
			for _, req := range r.got() {
				require.Equal(t, tc.contentType, req.contentType)
				require.Equal(t, "agents", req.header.Get("X-Team"))
				require.Contains(t, req.header.Get("User-Agent"), "/")
				for _, body := range req.bodies {
					require.Equal(t, tc.status, strings.Contains(body, `"status":503,`), body)
				}
			}
		})
	}
}

func TestBatchWithoutFailuresIsNotQueued(t *testing.T) {
	r := newReceiver(t)
	exp := startTraces(t, config(t, posting(r, "single", map[string]any{"sending_queue": map[string]any{"enabled": false}})),
		exportertest.NewNopSettings(metadata.Type))
	td := ptrace.NewTraces()
	td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty().SetName("healthy")
	require.NoError(t, exp.ConsumeTraces(t.Context(), td))
	require.Empty(t, r.got())
}

func TestMaxRequestBytes(t *testing.T) {
	r := newReceiver(t)
	cfg := config(t, posting(r, "ndjson", map[string]any{"max_request_bytes": minRequestBytes}))
	exp := startTraces(t, cfg, exportertest.NewNopSettings(metadata.Type))
	const n = 400 // of about 500 bytes each
	require.NoError(t, exp.ConsumeTraces(t.Context(), failingTraces(n)))
	requireAll(t, r, n)
	require.Greater(t, len(r.got()), 2)
	for _, req := range r.got() {
		require.LessOrEqual(t, len(strings.Join(req.bodies, "\n"))+1, minRequestBytes)
	}
}

// Traces and logs of one configuration write to one file, whole lines only.
func TestFileSinkOfTwoPipelines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dir", "problems.ndjson")
	cfg := config(t, map[string]any{"sink": "file", "file": map[string]any{"path": path}})
	set := exportertest.NewNopSettings(metadata.Type)
	factory := NewFactory()
	traces, err := factory.CreateTraces(t.Context(), set, cfg)
	require.NoError(t, err)
	logs, err := factory.CreateLogs(t.Context(), set, cfg)
	require.NoError(t, err)
	host := componenttest.NewNopHost()
	require.NoError(t, traces.Start(t.Context(), host))
	require.NoError(t, logs.Start(t.Context(), host))
	for range 20 {
		require.NoError(t, traces.ConsumeTraces(t.Context(), failingTraces(10)))
		require.NoError(t, logs.ConsumeLogs(t.Context(), failingLogs(10)))
	}
	require.NoError(t, traces.Shutdown(t.Context()))
	require.NoError(t, logs.ConsumeLogs(t.Context(), failingLogs(1)), "the other pipeline goes on")
	require.NoError(t, logs.Shutdown(t.Context()))
	require.Len(t, spanIDsIn(t, path), 401)
}

func TestFileSinkThatCannotBeOpened(t *testing.T) {
	cfg := config(t, map[string]any{"sink": "file", "file": map[string]any{"path": t.TempDir()}})
	exp, err := NewFactory().CreateTraces(t.Context(), exportertest.NewNopSettings(metadata.Type), cfg)
	require.NoError(t, err)
	require.ErrorContains(t, exp.Start(t.Context(), componenttest.NewNopHost()), "file::path: open "+cfg.File.Path)
	require.NoError(t, exp.Shutdown(t.Context()))
}

func TestDeadLetterThatCannotBeOpened(t *testing.T) {
	cfg := config(t, map[string]any{"endpoint": "http://127.0.0.1:1/", "dead_letter": map[string]any{"path": t.TempDir()}})
	exp, err := NewFactory().CreateTraces(t.Context(), exportertest.NewNopSettings(metadata.Type), cfg)
	require.NoError(t, err)
	require.ErrorContains(t, exp.Start(t.Context(), componenttest.NewNopHost()), "dead_letter::path: open ")
	require.NoError(t, exp.Shutdown(t.Context()))
}

func TestAuthExtensionThatIsMissing(t *testing.T) {
	cfg := config(t, map[string]any{"endpoint": "http://127.0.0.1:1/", "auth": map[string]any{"authenticator": "bearertokenauth"}})
	exp, err := NewFactory().CreateTraces(t.Context(), exportertest.NewNopSettings(metadata.Type), cfg)
	require.NoError(t, err)
	require.ErrorContains(t, exp.Start(t.Context(), componenttest.NewNopHost()), "bearertokenauth")
	require.NoError(t, exp.Shutdown(t.Context()))
}

func TestStdoutSink(t *testing.T) {
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	stdout := os.Stdout
	os.Stdout = writer
	t.Cleanup(func() { os.Stdout = stdout })
	exp, err := NewFactory().CreateTraces(t.Context(), exportertest.NewNopSettings(metadata.Type), config(t, map[string]any{"sink": "stdout"}))
	require.NoError(t, err)
	require.NoError(t, exp.Start(t.Context(), componenttest.NewNopHost()))
	require.NoError(t, exp.ConsumeTraces(t.Context(), failingTraces(3)))
	require.NoError(t, exp.Shutdown(t.Context()), "it empties its queue first")
	require.NoError(t, writer.Close())
	text, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(string(text), "\n"))
}

// The exporter's own metric says what became of each document.
func TestTelemetry(t *testing.T) {
	ok, bad := status(200, "", ""), status(403, "", "")
	point := func(outcome string, n int64) metricdata.DataPoint[int64] {
		return metricdata.DataPoint[int64]{Attributes: attribute.NewSet(attribute.String("outcome", outcome)), Value: n}
	}
	for _, tc := range []struct {
		name       string
		deadLetter bool
		permanent  bool
		want       []metricdata.DataPoint[int64]
	}{
		{"dropped", false, true, []metricdata.DataPoint[int64]{point("delivered", 2), point("refused", 1)}},
		{"dead letter", true, false, []metricdata.DataPoint[int64]{point("delivered", 2), point("dead_lettered", 1)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			telemetry := componenttest.NewTelemetry()
			t.Cleanup(func() { require.NoError(t, telemetry.Shutdown(context.WithoutCancel(t.Context()))) })
			set := exportertest.NewNopSettings(metadata.Type)
			set.TelemetrySettings = telemetry.NewTelemetrySettings()
			r := newReceiver(t, ok, bad, ok)
			more := map[string]any{"sending_queue": map[string]any{"enabled": false}}
			if tc.deadLetter {
				more["dead_letter"] = map[string]any{"path": filepath.Join(t.TempDir(), "dead.ndjson")}
			}
			exp := startTraces(t, config(t, posting(r, "single", more)), set)
			err := exp.ConsumeTraces(t.Context(), failingTraces(3))
			if tc.permanent {
				require.ErrorContains(t, err, "got 403 Forbidden")
			} else {
				require.NoError(t, err)
			}
			metadatatest.AssertEqualExporterProblemDocuments(t, telemetry, tc.want, metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
		})
	}
}

// A shared exporter can be created anew after its pipelines have ended.
func TestRestart(t *testing.T) {
	r := newReceiver(t)
	cfg := config(t, posting(r, "ndjson", nil))
	factory := NewFactory()
	for range 3 {
		exp, err := factory.CreateTraces(t.Context(), exportertest.NewNopSettings(metadata.Type), cfg)
		require.NoError(t, err)
		require.NoError(t, exp.Start(t.Context(), componenttest.NewNopHost()))
		require.NoError(t, exp.ConsumeTraces(t.Context(), failingTraces(1)))
		require.NoError(t, exp.Shutdown(t.Context()))
	}
	require.Len(t, r.got(), 3)
}

func TestUnusedExporterEnds(t *testing.T) {
	exp, err := NewFactory().CreateTraces(t.Context(), exportertest.NewNopSettings(component.MustNewType("problem")),
		config(t, map[string]any{"endpoint": "http://127.0.0.1:1/"}))
	require.NoError(t, err)
	require.NoError(t, exp.Shutdown(t.Context()))
}

// gunzip unpacks request bodies, as every server behind `compression: gzip` must.
func gunzip(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := gzip.NewReader(req.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		req.Body = body
		next.ServeHTTP(w, req)
	})
}
