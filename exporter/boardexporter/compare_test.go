package boardexporter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"

	"github.com/harnesserr/harnesserr/dashboards"
)

// stockPrometheus names a prometheus binary of major version 3 in the environment. `make board-compare` builds one and
// runs the comparison.
const stockPrometheus = "BOARD_STOCK_PROMETHEUS"

const compareRules = `
groups:
  - name: g
    interval: 1s
    rules:
      - {record: one, expr: vector(1)}
      - {alert: Always, expr: one == 1, labels: {severity: info}, annotations: {summary: "it is {{ $value }}"}}
      - {alert: Never, expr: one > 1, for: 5m}
`

// TestAnswersLikeAStockPrometheus gives the same OTLP to both and compares what they answer.
func TestAnswersLikeAStockPrometheus(t *testing.T) {
	binary := os.Getenv(stockPrometheus)
	if binary == "" {
		t.Skip(stockPrometheus + " isn't set")
	}
	dir := t.TempDir()
	rules := filepath.Join(dir, "rules.yaml")
	require.NoError(t, os.WriteFile(rules, []byte(compareRules), 0o600))
	stock := startStock(t, binary, dir, rules)

	cfg := testConfig(filepath.Join(dir, "board"))
	cfg.SampleInterval = 0 // stock stores points as they come
	cfg.BuiltInRules = false
	cfg.RulesFiles = []string{rules}
	board := run(t, cfg)

	now := time.Now().Truncate(time.Second)
	for back := 10 * time.Minute; back >= 0; back -= 15 * time.Second {
		md := mixed(now.Add(-back), now.Add(-11*time.Minute), int(back/(15*time.Second)))
		sendOTLP(t, stock, md)
		require.NoError(t, board.push(t.Context(), md))
	}
	board.eventually(1, `ALERTS{alertstate="firing"}`)
	ask := func(base, path string) any {
		status, body := fetch(t, base+"/api/v1/"+path)
		return essence(t, status, body)
	}
	require.Eventually(t, func() bool {
		_, body := fetch(t, stock+"/api/v1/query?query="+url.QueryEscape(`ALERTS{alertstate="firing"}`))
		return strings.Contains(body, "Always")
	}, 20*time.Second, 100*time.Millisecond)

	for _, path := range requests(t, now) {
		t.Run(path, func(t *testing.T) {
			require.Equal(t, ask(stock, path), ask("http://"+board.address, path))
		})
	}
	board.stop()
}

// requests reads testdata/compare.txt and adds the expressions of the rules that are shipped.
func requests(t *testing.T, now time.Time) (out []string) {
	text, err := os.ReadFile("testdata/compare.txt")
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	for _, name := range []string{"recording.yaml", "alerts.yaml"} {
		data, err := dashboards.Rules().Open(name)
		require.NoError(t, err)
		yaml, err := io.ReadAll(data)
		require.NoError(t, err)
		for line := range strings.Lines(string(yaml)) {
			if _, expr, ok := strings.Cut(strings.TrimSpace(line), "expr: "); ok {
				lines = append(lines, "query?query="+strings.ReplaceAll(expr, "&", "")+"&time=$T")
			}
		}
	}
	for _, line := range lines {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		for _, back := range []int64{300, 3600, 600, 60} {
			line = strings.ReplaceAll(line, fmt.Sprintf("$T-%d", back), fmt.Sprint(now.Unix()-back))
		}
		endpoint, params, _ := strings.Cut(strings.ReplaceAll(line, "$T", fmt.Sprint(now.Unix())), "?")
		form := url.Values{}
		for pair := range strings.SplitSeq(params, "&") {
			if key, val, ok := strings.Cut(pair, "="); ok {
				form.Add(key, val)
			}
		}
		out = append(out, endpoint+"?"+form.Encode())
	}
	return out
}

// essence leaves out what may differ: the words of errors, the times of evaluations, and the order of series.
func essence(t *testing.T, status int, body string) any {
	var answer map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &answer), body)
	delete(answer, "error")
	delete(answer, "infos")
	return []any{status, normal(answer)}
}

func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range []string{"evaluationTime", "lastEvaluation", "activeAt"} {
			delete(v, k)
		}
		for k := range v {
			v[k] = normal(v[k])
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
		if len(v) > 0 {
			if _, ok := v[0].(map[string]any); ok {
				slices.SortFunc(v, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			}
		}
	}
	return v
}

func startStock(t *testing.T, binary, dir, rules string) string {
	config := filepath.Join(dir, "prometheus.yml")
	require.NoError(t, os.WriteFile(config, []byte(fmt.Sprintf(`
global: {evaluation_interval: 1s}
rule_files: [%s]
storage: {tsdb: {out_of_order_time_window: 30m}}
otlp: {promote_resource_attributes: [service.name], translation_strategy: UnderscoreEscapingWithSuffixes}
`, rules)), 0o600))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := l.Addr().String()
	require.NoError(t, l.Close())
	cmd := exec.CommandContext(t.Context(), binary, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "stock"),
		"--web.listen-address="+address, "--web.enable-otlp-receiver",
		"--enable-feature=exemplar-storage,created-timestamp-zero-ingestion")
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	require.Eventually(t, func() bool {
		resp, err := http.Get("http://" + address + "/-/ready")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	}, time.Minute, 100*time.Millisecond)
	return "http://" + address
}

func fetch(t *testing.T, address string) (int, string) {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(address)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(body)
}

func sendOTLP(t *testing.T, base string, md pmetric.Metrics) {
	body, err := pmetricotlp.NewExportRequestFromMetrics(md).MarshalProto()
	require.NoError(t, err)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post(base+"/api/v1/otlp/v1/metrics", "application/x-protobuf", bytes.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode, string(answer))
}

// mixed holds a metric of every kind; n is how many steps are still to come.
func mixed(at, start time.Time, n int) pmetric.Metrics {
	done := 50 - n
	ts, st := pcommon.NewTimestampFromTime(at), pcommon.NewTimestampFromTime(start)
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	for k, v := range map[string]string{
		"service.name": "svc", "service.namespace": "shop", "service.instance.id": "i-1", "host.name": "h",
	} {
		rm.Resource().Attributes().PutStr(k, v)
	}
	ms := rm.ScopeMetrics().AppendEmpty().Metrics()
	calls := sumOf(ms, "harness.calls", "")
	for i, peer := range []string{"a", "b", "c"} {
		dp := calls.AppendEmpty()
		dp.SetTimestamp(ts)
		dp.SetStartTimestamp(st)
		dp.SetIntValue(int64(done * (i + 1)))
		dp.Attributes().PutStr("harness.peer", peer)
		dp.Attributes().PutStr("harness.operation", "chat")
		if i == 0 {
			dp.Attributes().PutStr("harness.error.code", "upstream.rate_limited")
			dp.Attributes().PutStr("harness.error.class", "transport_failure")
			e := dp.Exemplars().AppendEmpty()
			e.SetTimestamp(ts)
			e.SetDoubleValue(0.5)
			e.SetTraceID(pcommon.TraceID{byte(n + 1)})
		}
	}
	histogramOf(ms, ts, st, done)
	exponentialOf(ms, ts, st, done)
	load := ms.AppendEmpty()
	load.SetName("harness.load")
	load.SetUnit("1")
	dp := load.SetEmptyGauge().DataPoints().AppendEmpty()
	dp.SetTimestamp(ts)
	dp.SetDoubleValue(float64(n) / 7)
	old := ms.AppendEmpty()
	old.SetName("harness.old")
	q := old.SetEmptySummary().DataPoints().AppendEmpty()
	q.SetTimestamp(ts)
	q.SetCount(uint64(done))
	q.SetSum(float64(done))
	v := q.QuantileValues().AppendEmpty()
	v.SetQuantile(0.5)
	v.SetValue(2)
	return md
}

func sumOf(ms pmetric.MetricSlice, name, unit string) pmetric.NumberDataPointSlice {
	m := ms.AppendEmpty()
	m.SetName(name)
	m.SetUnit(unit)
	s := m.SetEmptySum()
	s.SetIsMonotonic(true)
	s.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	return s.DataPoints()
}

func histogramOf(ms pmetric.MetricSlice, ts, st pcommon.Timestamp, done int) {
	m := ms.AppendEmpty()
	m.SetName("harness.duration")
	m.SetUnit("s")
	h := m.SetEmptyHistogram()
	h.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	dp := h.DataPoints().AppendEmpty()
	dp.SetTimestamp(ts)
	dp.SetStartTimestamp(st)
	dp.SetCount(uint64(3 * done))
	dp.SetSum(float64(done) * 1.5)
	dp.ExplicitBounds().FromRaw([]float64{0.1, 1, 10})
	dp.BucketCounts().FromRaw([]uint64{uint64(done), uint64(done), uint64(done), 0})
	dp.Attributes().PutStr("harness.peer", "a")
}

func exponentialOf(ms pmetric.MetricSlice, ts, st pcommon.Timestamp, done int) {
	m := ms.AppendEmpty()
	m.SetName("harness.size")
	m.SetUnit("By")
	h := m.SetEmptyExponentialHistogram()
	h.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	dp := h.DataPoints().AppendEmpty()
	dp.SetTimestamp(ts)
	dp.SetStartTimestamp(st)
	dp.SetScale(1)
	dp.SetCount(uint64(2 * done))
	dp.SetSum(float64(4 * done))
	dp.Positive().SetOffset(2)
	dp.Positive().BucketCounts().FromRaw([]uint64{uint64(done), uint64(done)})
}
