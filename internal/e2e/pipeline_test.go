package e2e

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/open-telemetry/opentelemetry-collector-contrib/pkg/pdatatest/ptracetest"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"gopkg.in/yaml.v3"

	"github.com/harnesserr/harnesserr/dashboards/contract"
)

func readTraces(t *testing.T, file string) ptrace.Traces {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(text)
	require.NoError(t, err)
	return td
}

// post sends OTLP/JSON over HTTP, a line a request.
func (c *collector) post(t *testing.T, path string, body []byte) {
	t.Helper()
	resp, err := http.Post("http://"+c.http+path, "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

func (c *collector) export(t *testing.T, td ptrace.Traces) {
	t.Helper()
	conn, err := grpc.NewClient(c.grpc, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	_, err = ptraceotlp.NewGRPCClient(conn).Export(t.Context(), ptraceotlp.NewExportRequestFromTraces(td))
	require.NoError(t, err)
}

// received waits for n requests of spans at the sink.
func (c *collector) received(t *testing.T, n int) []ptrace.Traces {
	t.Helper()
	require.Eventually(t, func() bool { return len(c.sink.Traces()) >= n }, 30*time.Second, 20*time.Millisecond, "no spans came out")
	return c.sink.Traces()
}

// What goes in over gRPC and over HTTP comes out as testdata says. UPDATE=1 writes what came out, for review.
func TestSpansComeOut(t *testing.T) {
	c := startCollector(t)
	in, want := readTraces(t, "testdata/spans.json"), readTraces(t, "testdata/spans.expect.json")
	c.export(t, in)
	text, err := os.ReadFile("testdata/spans.json")
	require.NoError(t, err)
	c.post(t, "/v1/traces", text)
	got := c.received(t, 2)
	if os.Getenv("UPDATE") != "" {
		out, err := (&ptrace.JSONMarshaler{}).MarshalTraces(got[0])
		require.NoError(t, err)
		var text bytes.Buffer
		require.NoError(t, json.Indent(&text, out, "", " "))
		require.NoError(t, os.WriteFile("testdata/spans.expect.json", append(text.Bytes(), '\n'), 0o644))
		want = readTraces(t, "testdata/spans.expect.json")
	}
	for _, td := range got {
		require.NoError(t, ptracetest.CompareTraces(want, td))
	}
	require.NoError(t, c.stop(t, os.Interrupt))
}

// Telemetry that is none of ours comes out byte by byte as it went in.
func TestForeignSpansAreUntouched(t *testing.T) {
	c := startCollector(t)
	in := readTraces(t, "../../testdata/otlp/benign_rpc.json")
	before, err := ptraceotlp.NewExportRequestFromTraces(in).MarshalProto()
	require.NoError(t, err)
	c.export(t, in)
	after, err := ptraceotlp.NewExportRequestFromTraces(c.received(t, 1)[0]).MarshalProto()
	require.NoError(t, err)
	require.True(t, bytes.Equal(before, after))
}

// counterLine is a sample of harness_calls_total with its labels and value.
var counterLine = regexp.MustCompile(`(?m)^` + contract.Calls + `\{(.*)\} ([0-9.e+]+)`)

var labelPair = regexp.MustCompile(`(\w+)="([^"]*)"`)

// calls sums up the counter over the samples that have all of the labels; "" stands for an absent one.
func (c *collector) calls(t *testing.T, want map[string]string) int {
	t.Helper()
	sum := 0.0
	for _, m := range counterLine.FindAllStringSubmatch(get(t, "http://"+c.counters+"/metrics"), -1) {
		labels := map[string]string{}
		for _, p := range labelPair.FindAllStringSubmatch(m[1], -1) {
			labels[p[1]] = p[2]
		}
		match := true
		for name, value := range want {
			match = match && labels[name] == value
		}
		if !match {
			continue
		}
		value, err := strconv.ParseFloat(m[2], 64)
		require.NoError(t, err)
		sum += value
	}
	return int(sum)
}

// The whole sample fleet, sent twice: the counters are twice what its records are.
func TestCountersAreTrue(t *testing.T) {
	c := startCollector(t)
	files, err := filepath.Glob("../../testdata/fleet/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for range 2 {
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for line := range bytes.Lines(text) {
				c.post(t, pathOf(t, line), line)
			}
		}
	}
	text, err := os.ReadFile("testdata/counters.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		count, selector, found := strings.Cut(strings.TrimSpace(line), "\t")
		require.True(t, found, line)
		n, err := strconv.Atoi(count)
		require.NoError(t, err)
		want := map[string]string{}
		for _, p := range labelPair.FindAllStringSubmatch(selector, -1) {
			want[p[1]] = p[2]
		}
		require.NotEmpty(t, want, line)
		if !eventually(10*time.Second, func() bool { return c.calls(t, want) == 2*n }) {
			t.Errorf("%s: want %d, got %d", selector, 2*n, c.calls(t, want))
		}
	}
}

func eventually(limit time.Duration, ok func() bool) bool {
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if ok() {
			return true
		}
	}
	return ok()
}

func pathOf(t *testing.T, payload []byte) string {
	t.Helper()
	for prefix, path := range map[string]string{`{"resourceSpans"`: "/v1/traces", `{"resourceLogs"`: "/v1/logs", `{"resourceMetrics"`: "/v1/metrics"} {
		if bytes.HasPrefix(payload, []byte(prefix)) {
			return path
		}
	}
	require.FailNow(t, "unknown payload", "%.40s", payload)
	return ""
}

// The examples name the dimensions that the dashboards rely on.
func TestExamplesFollowTheContract(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.yaml")
	require.NoError(t, err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			var cfg struct {
				Connectors struct {
					SpanMetrics struct {
						Namespace  string              `yaml:"namespace"`
						Dimensions []map[string]string `yaml:"dimensions"`
					} `yaml:"span_metrics"`
					SignalToMetrics struct {
						Logs []struct {
							Name       string           `yaml:"name"`
							Attributes []map[string]any `yaml:"attributes"`
						} `yaml:"logs"`
					} `yaml:"signal_to_metrics"`
				} `yaml:"connectors"`
			}
			require.NoError(t, yaml.Unmarshal(text, &cfg))
			if len(cfg.Connectors.SpanMetrics.Dimensions) == 0 {
				return // an example that counts nothing
			}
			require.Equal(t, "harness", cfg.Connectors.SpanMetrics.Namespace)
			var spans, logs []string
			for _, d := range cfg.Connectors.SpanMetrics.Dimensions {
				spans = slices.AppendSeq(spans, maps.Values(d))
			}
			require.Equal(t, contract.Dimensions(), spans)
			require.Len(t, cfg.Connectors.SignalToMetrics.Logs, 1)
			for _, a := range cfg.Connectors.SignalToMetrics.Logs[0].Attributes {
				logs = append(logs, a["key"].(string))
			}
			require.Equal(t, contract.Dimensions(), logs)
		})
	}
}
