package problemexporter

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/exportertest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/exporter/problemexporter/internal/metadata"
)

const failuresPerBatch = 7

var traceID = pcommon.TraceID{15: 1}

func spanID(n int) (id pcommon.SpanID) {
	binary.BigEndian.PutUint64(id[:], uint64(n)+1)
	return id
}

// failingTraces has n counted failures, each behind a healthy span.
func failingTraces(n int) ptrace.Traces {
	td := ptrace.NewTraces()
	spans := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans()
	for i := range n {
		spans.AppendEmpty().SetName("healthy")
		span := spans.AppendEmpty()
		span.SetTraceID(traceID)
		span.SetSpanID(spanID(i))
		span.SetEndTimestamp(pcommon.Timestamp(1764489600000000000 + i))
		span.Status().SetMessage(fmt.Sprintf("failure %d", i))
		fail(span.Attributes())
	}
	return td
}

func failingLogs(n int) plog.Logs {
	ld := plog.NewLogs()
	records := ld.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords()
	for i := range n {
		records.AppendEmpty().Body().SetStr("healthy")
		record := records.AppendEmpty()
		record.SetTraceID(traceID)
		record.SetSpanID(spanID(i))
		record.Body().SetStr(fmt.Sprintf("failure %d", i))
		fail(record.Attributes())
	}
	return ld
}

func fail(attrs pcommon.Map) {
	attrs.PutStr("harness.error.code", "upstream.overloaded")
	attrs.PutStr("harness.error.class", "transport_failure")
	attrs.PutStr("harness.peer", "anthropic")
}

// config reads a configuration as the collector does and validates it.
func config(t *testing.T, settings map[string]any) *Config {
	t.Helper()
	cfg := createDefaultConfig().(*Config)
	require.NoError(t, confmap.NewFromStringMap(settings).Unmarshal(cfg))
	require.NoError(t, confmap.Validate(cfg))
	return cfg
}

// posting is a configuration with an impatient client.
func posting(r *receiver, format string, more map[string]any) map[string]any {
	settings := map[string]any{
		"endpoint":         r.url(),
		"format":           format,
		"timeout":          "300ms",
		"retry_on_failure": map[string]any{"initial_interval": "20ms", "max_interval": "100ms"},
	}
	for key, value := range more {
		settings[key] = value
	}
	return settings
}

func startTraces(t *testing.T, cfg *Config, set exporter.Settings) exporter.Traces {
	t.Helper()
	exp, err := NewFactory().CreateTraces(t.Context(), set, cfg)
	require.NoError(t, err)
	require.NoError(t, exp.Start(t.Context(), componenttest.NewNopHost()))
	t.Cleanup(func() { require.NoError(t, exp.Shutdown(context.WithoutCancel(t.Context()))) })
	return exp
}

// requireAll waits until every one of n documents has arrived, then checks that
// what arrived twice had the same key and the same text.
func requireAll(t *testing.T, r *receiver, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return len(r.delivered()) == n }, 20*time.Second, 5*time.Millisecond,
		"%d documents", n)
	keys, bodies := map[string]string{}, map[string]string{}
	for _, req := range r.got() {
		require.Regexp(t, `^"[0-9a-f]{32}"$`, req.key)
		composition := strings.Join(req.spanIDs, ",")
		if key, seen := keys[composition]; seen {
			require.Equal(t, key, req.key, "key of a request that was sent again")
		}
		keys[composition] = req.key
		for i, id := range req.spanIDs {
			if body, seen := bodies[id]; seen {
				require.Equal(t, body, req.bodies[i], "document that was sent again")
			}
			bodies[id] = req.bodies[i]
		}
	}
}

// Each way in which a delivery can go wrong, in each format: every document
// arrives, once or more.
func TestDelivery(t *testing.T) {
	for _, tc := range []struct {
		name   string
		script []answerFunc
		pause  time.Duration // least pause between the first two requests
	}{
		{name: "all is well"},
		{name: "503 with Retry-After", script: []answerFunc{status(503, "1", ""), status(503, "1", "")}, pause: time.Second},
		{name: "503 with a date", script: []answerFunc{func(w http.ResponseWriter, req *http.Request, got request) bool {
			return status(503, time.Now().Add(2*time.Second).UTC().Format(http.TimeFormat), "")(w, req, got)
		}}, pause: 900 * time.Millisecond},
		{name: "429", script: []answerFunc{status(429, "1", "slow down"), status(429, "", "")}, pause: time.Second},
		{name: "502 and 504", script: []answerFunc{status(502, "", "<html>"), status(504, "", "")}},
		{name: "hang", script: []answerFunc{hang, hang}},
		{name: "cut in the body of a 200", script: []answerFunc{raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", 1)}},
		{name: "cut in the header", script: []answerFunc{raw("HTTP/1.1 20", 1), raw("", 1)}},
		{name: "no HTTP", script: []answerFunc{raw("SSH-2.0-OpenSSH_9.2\r\n", 1)}},
		{name: "reset", script: []answerFunc{raw("", 0), raw("", 0)}},
		{name: "endless answer", script: []answerFunc{func(w http.ResponseWriter, req *http.Request, _ request) bool {
			for req.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat("x", 4096)); err != nil {
					break
				}
			}
			return true
		}}},
	} {
		for _, format := range []string{"single", "ndjson", "array"} {
			t.Run(tc.name+"/"+format, func(t *testing.T) {
				t.Parallel()
				r := newReceiver(t, slices.Clone(tc.script)...)
				exp := startTraces(t, config(t, posting(r, format, nil)), exportertest.NewNopSettings(metadata.Type))
				require.NoError(t, exp.ConsumeTraces(t.Context(), failingTraces(failuresPerBatch)))
				requireAll(t, r, failuresPerBatch)
				if got := r.got(); tc.pause > 0 {
					require.GreaterOrEqual(t, got[1].at.Sub(got[0].at), tc.pause)
				}
			})
		}
	}
}

// The receiver is away for some seconds while failures come in.
func TestDeliveryAfterAnOutage(t *testing.T) {
	for _, format := range []string{"single", "ndjson"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t)
			r.down(t)
			exp := startTraces(t, config(t, posting(r, format, nil)), exportertest.NewNopSettings(metadata.Type))
			all := failingTraces(40)
			for i := 1; i < 80; i += 2 { // a batch per failure
				one := ptrace.NewTraces()
				all.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(i).
					CopyTo(one.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty())
				require.NoError(t, exp.ConsumeTraces(t.Context(), one))
			}
			time.Sleep(3 * time.Second)
			require.Empty(t, r.got())
			r.up(t)
			requireAll(t, r, 40)
		})
	}
}

func TestDeliveryOfLogs(t *testing.T) {
	r := newReceiver(t, status(503, "", ""), raw("", 0))
	exp, err := NewFactory().CreateLogs(t.Context(), exportertest.NewNopSettings(metadata.Type), config(t, posting(r, "array", nil)))
	require.NoError(t, err)
	require.NoError(t, exp.Start(t.Context(), componenttest.NewNopHost()))
	require.NoError(t, exp.ConsumeLogs(t.Context(), failingLogs(failuresPerBatch)))
	requireAll(t, r, failuresPerBatch)
	require.NoError(t, exp.Shutdown(t.Context()))
}

// A name that does not resolve is no reason to give up: resolvers fail, too.
func TestUnknownHostIsTriedAgain(t *testing.T) {
	cfg := config(t, map[string]any{
		"endpoint":         "http://receiver.invalid/problems?key=not-for-logs",
		"timeout":          "2s",
		"sending_queue":    map[string]any{"enabled": false},
		"retry_on_failure": map[string]any{"initial_interval": "10ms", "max_interval": "20ms", "max_elapsed_time": "50ms"},
	})
	exp := startTraces(t, cfg, exportertest.NewNopSettings(metadata.Type))
	err := exp.ConsumeTraces(t.Context(), failingTraces(2))
	require.ErrorContains(t, err, "no more retries left", "not permanent")
	require.ErrorContains(t, err, "receiver.invalid")
	require.NotContains(t, err.Error(), "not-for-logs", "the query may hold a key")
}

// refusing answers 4xx to requests that hold one of the poisoned spans.
func refusing(code int, poisoned ...string) []answerFunc {
	return slices.Repeat([]answerFunc{func(w http.ResponseWriter, _ *http.Request, got request) bool {
		for _, id := range got.spanIDs {
			if slices.Contains(poisoned, id) {
				w.WriteHeader(code)
				return false
			}
		}
		return true
	}}, 100)
}

// A document that a receiver won't take costs nobody else their delivery, and
// stands in the dead-letter file.
func TestRefusedDocuments(t *testing.T) {
	poisoned := []string{spanID(2).String(), spanID(5).String()}
	for _, tc := range []struct {
		format string
		code   int
		dead   []string
	}{
		{"single", 400, poisoned},
		{"single", 404, poisoned},
		{"ndjson", 400, poisoned},
		{"ndjson", 413, poisoned},
		{"array", 422, poisoned},
		{"array", 401, []string{
			spanID(0).String(), spanID(1).String(), spanID(2).String(), spanID(3).String(),
			spanID(4).String(), spanID(5).String(), spanID(6).String(),
		}}, // says nothing of single documents: asking again would be no use
	} {
		t.Run(fmt.Sprintf("%s %d", tc.format, tc.code), func(t *testing.T) {
			r := newReceiver(t, refusing(tc.code, poisoned...)...)
			path := filepath.Join(t.TempDir(), "dead.ndjson")
			cfg := config(t, posting(r, tc.format, map[string]any{
				"dead_letter":   map[string]any{"path": path},
				"sending_queue": map[string]any{"enabled": false},
			}))
			exp := startTraces(t, cfg, exportertest.NewNopSettings(metadata.Type))
			require.NoError(t, exp.ConsumeTraces(t.Context(), failingTraces(failuresPerBatch)))
			require.Equal(t, tc.dead, spanIDsIn(t, path))
			requireAll(t, r, failuresPerBatch-len(tc.dead))
		})
	}
}

func spanIDsIn(t *testing.T, path string) (ids []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		var members struct {
			SpanID string `json:"span_id"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &members), line)
		ids = append(ids, members.SpanID)
	}
	return ids
}

// A 207 that speaks of each document: what it does not confirm is sent again,
// and nothing else is.
func TestPartialDelivery(t *testing.T) {
	for _, body := range []string{
		`{"results":[{"index":0,"status":201},{"index":1,"status":503},{"index":2,"status":200},{"index":3,"status":204},{"index":5,"status":200},{"index":6,"status":429,"retry_after":0.2}]}`,
		`{"results":[{"index":0,"status":201},{"index":2,"status":200},{"index":3,"status":204},{"index":5,"status":200}]}`,
	} {
		r := newReceiver(t, status(207, "", body))
		exp := startTraces(t, config(t, posting(r, "ndjson", nil)), exportertest.NewNopSettings(metadata.Type))
		require.NoError(t, exp.ConsumeTraces(t.Context(), failingTraces(failuresPerBatch)))
		require.Eventually(t, func() bool { return len(r.got()) == 2 }, 10*time.Second, 5*time.Millisecond)
		require.Len(t, r.got()[0].spanIDs, failuresPerBatch)
		require.Equal(t, []string{spanID(1).String(), spanID(4).String(), spanID(6).String()}, r.got()[1].spanIDs)
	}
}

// In format single, documents before and behind one that fails are not sent again.
func TestOnlyTheFailedRequestIsRepeated(t *testing.T) {
	ok := status(200, "", "")
	r := newReceiver(t, ok, ok, status(502, "", ""), ok)
	exp := startTraces(t, config(t, posting(r, "single", nil)), exportertest.NewNopSettings(metadata.Type))
	require.NoError(t, exp.ConsumeTraces(t.Context(), failingTraces(failuresPerBatch)))
	requireAll(t, r, failuresPerBatch)
	require.Eventually(t, func() bool { return len(r.got()) == failuresPerBatch+1 }, 10*time.Second, 5*time.Millisecond)
	arrived := map[string]int{}
	for _, req := range r.got() {
		arrived[req.spanIDs[0]]++
	}
	require.Equal(t, 2, arrived[spanID(2).String()])
	require.Len(t, arrived, failuresPerBatch)
}

// A redirect is refused: following it would drop the body, or carry the
// configured headers to another host.
func TestRedirectsAreNotFollowed(t *testing.T) {
	elsewhere := newReceiver(t)
	for _, code := range []int{301, 302, 303, 307, 308} {
		r := newReceiver(t, func(w http.ResponseWriter, req *http.Request, _ request) bool {
			http.Redirect(w, req, elsewhere.url(), code)
			return false
		})
		path := filepath.Join(t.TempDir(), "dead.ndjson")
		cfg := config(t, posting(r, "ndjson", map[string]any{"dead_letter": map[string]any{"path": path}}))
		exp := startTraces(t, cfg, exportertest.NewNopSettings(metadata.Type))
		require.NoError(t, exp.ConsumeTraces(t.Context(), failingTraces(2)))
		require.Eventually(t, func() bool { return len(spanIDsIn(t, path)) == 2 }, 5*time.Second, 5*time.Millisecond)
	}
	require.Empty(t, elsewhere.got())
}
