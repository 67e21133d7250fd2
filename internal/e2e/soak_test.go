package e2e

import (
	"encoding/binary"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/harnesserr/harnesserr/internal/e2e/otelcol"
	"github.com/harnesserr/harnesserr/internal/samplebatch"
)

const (
	soakWarmUp  = 20 * time.Second
	soakSenders = 2
)

// The quick start configuration as it is shipped, for a long time at a steady rate: every span is counted, none refused, memory and
// goroutines don't grow. HARNESSERR_SOAK is the duration (10m), HARNESSERR_SOAK_RATE spans a second (20000). The figures are
// in the log (-v).
func TestSoak(t *testing.T) {
	duration, err := time.ParseDuration(os.Getenv("HARNESSERR_SOAK"))
	if err != nil {
		t.Skip("HARNESSERR_SOAK is no duration")
	}
	rate := 20000
	if text := os.Getenv("HARNESSERR_SOAK_RATE"); text != "" {
		rate, err = strconv.Atoi(text)
		require.NoError(t, err, "HARNESSERR_SOAK_RATE")
	}

	// What a collector has when it is warm.
	c, counters := startSoak(t)
	sendSteadily(t, c, rate, soakWarmUp)
	before := soakGoroutines(t, c)

	c, counters = startSoak(t)
	sent := sendSteadily(t, c, rate, soakWarmUp)
	began, cpu := time.Now(), c.Metric(t, "otelcol_process_cpu_seconds_total")
	memory := []float64{soakMiB(t, c)}
	const parts = 4
	late, warm := 0, sent.spans
	for range parts {
		part := sendSteadily(t, c, rate, duration/parts)
		sent.spans += part.spans
		late += part.late
		memory = append(memory, soakMiB(t, c))
	}
	took := time.Since(began)
	cpu = c.Metric(t, "otelcol_process_cpu_seconds_total") - cpu
	measured := sent.spans - warm
	t.Logf("%d spans in %s: %.0f a second of %d wanted, %d of the requests late", measured, took.Round(time.Second),
		float64(measured)/took.Seconds(), rate, late)
	t.Logf("CPU %.2f cores; resident memory after the warm-up and each quarter: %.0f MiB", cpu/took.Seconds(), memory)

	require.Eventually(t, func() bool { return otelcol.Sum(t, counters, "harness_calls_total") >= float64(sent.spans) },
		30*time.Second, time.Second, "spans counted")
	require.Equal(t, float64(sent.spans), otelcol.Sum(t, counters, "harness_calls_total"))
	require.Equal(t, float64(sent.spans), c.Metric(t, "otelcol_receiver_accepted_spans_total"), "spans accepted")
	require.Zero(t, c.Metric(t, "otelcol_receiver_refused_spans_total"), "spans refused")
	require.Zero(t, c.Metric(t, "otelcol_exporter_send_failed_spans_total"), "spans not exported")
	after := soakGoroutines(t, c)
	t.Logf("goroutines: %d of a warm collector, %d in the end", before, after)

	// The garbage collector's rhythm moves memory by some MiB.
	require.LessOrEqual(t, memory[parts], memory[1]*1.1+16, "memory grows")
	require.LessOrEqual(t, after, before+20, "goroutines grow")
}

func startSoak(t *testing.T) (c *otelcol.Collector, counters string) {
	t.Helper()
	address := otelcol.FreeAddress(t)
	c = otelcol.Start(t, otelcol.Options{Config: "quickstart.yaml", Set: []string{
		"extensions::healthcheckv2::http::endpoint: ${env:HEALTH}",
		"receivers::otlp::protocols::grpc::endpoint: ${env:OTLP_GRPC}",
		"receivers::otlp::protocols::http::endpoint: ${env:OTLP_HTTP}",
		"exporters::board::endpoint: " + otelcol.FreeAddress(t),
		"exporters::board::directory: " + t.TempDir(),
		"exporters::board::scrape: []",
		"exporters::prometheus::endpoint: " + address,
		`service::telemetry::metrics::readers: [{pull: {exporter: {prometheus: {host: 127.0.0.1, port: "${env:METRICS_PORT}",
			without_type_suffix: false, without_units: false, without_scope_info: true}}}}]`,
	}})
	return c, "http://" + address + "/metrics"
}

type soakSent struct {
	spans int
	late  int // requests that could not be sent in time
}

// sendSteadily sends batches of 1000 spans at a rate. What can't be sent in time is sent as fast as it goes.
func sendSteadily(t *testing.T, c *otelcol.Collector, rate int, duration time.Duration) soakSent {
	t.Helper()
	interval := time.Duration(float64(samplebatch.Default.Spans) / float64(rate) * float64(time.Second))
	n := int64(duration / interval)
	var next, late atomic.Int64
	began := time.Now()
	var wg sync.WaitGroup
	failures := make([]error, soakSenders)
	for i := range soakSenders {
		wg.Go(func() {
			conn, err := grpc.NewClient(c.OTLP, grpc.WithTransportCredentials(insecure.NewCredentials()))
			if err != nil {
				failures[i] = err
				return
			}
			defer func() { _ = conn.Close() }()
			client := ptraceotlp.NewGRPCClient(conn)
			batch := samplebatch.Default
			batch.Seed += uint64(i)
			td := batch.Traces()
			for k := next.Add(1) - 1; k < n && failures[i] == nil; k = next.Add(1) - 1 {
				wait := time.Until(began.Add(time.Duration(k) * interval))
				if wait < -interval {
					late.Add(1)
				}
				time.Sleep(wait)
				soakRenumber(td, uint64(k))
				_, failures[i] = client.Export(t.Context(), ptraceotlp.NewExportRequestFromTraces(td))
			}
		})
	}
	wg.Wait()
	for _, err := range failures {
		require.NoError(t, err)
	}
	return soakSent{spans: int(n) * samplebatch.Default.Spans, late: int(late.Load())}
}

// soakRenumber gives the spans of a batch trace ids of their own.
func soakRenumber(td ptrace.Traces, batch uint64) {
	n := uint64(0)
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				var id pcommon.TraceID
				binary.BigEndian.PutUint64(id[:], batch+1)
				binary.BigEndian.PutUint64(id[8:], n+1)
				s.SetTraceID(id)
				n++
			}
		}
	}
}

func soakMiB(t *testing.T, c *otelcol.Collector) float64 {
	t.Helper()
	rss := c.Metric(t, "otelcol_process_memory_rss_bytes")
	require.NotZero(t, rss)
	return rss / (1 << 20)
}

// soakGoroutines ends a collector and counts the goroutines in the trace that it leaves.
func soakGoroutines(t *testing.T, c *otelcol.Collector) int {
	t.Helper()
	c.Stop(t, syscall.SIGQUIT)
	text, err := c.Log()
	require.NoError(t, err)
	n := strings.Count(text, "\ngoroutine ")
	require.NotZero(t, n, "no trace in the log")
	return n
}
