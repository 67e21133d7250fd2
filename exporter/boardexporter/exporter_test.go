package boardexporter

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/config/confighttp"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/config/configtls"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/exporter/exportertest"
	"go.opentelemetry.io/collector/extension"
	"go.opentelemetry.io/collector/extension/extensionauth"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metadata"
	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metricstest"
)

// testConfig serves at a free port and keeps its data in dir.
func testConfig(dir string) *Config {
	cfg := createDefaultConfig().(*Config)
	cfg.NetAddr.Endpoint = "127.0.0.1:0"
	cfg.Directory = dir
	cfg.SampleInterval = time.Second
	return cfg
}

// running is a started board with a client that keeps no connection.
type running struct {
	*board
	t      testing.TB
	client http.Client
	scheme string
}

func run(t testing.TB, cfg *Config) *running {
	t.Helper()
	return runWith(t, cfg, componenttest.NewNopTelemetrySettings(), componenttest.NewNopHost())
}

func runWith(t testing.TB, cfg *Config, set component.TelemetrySettings, host component.Host) *running {
	t.Helper()
	b, err := newBoard(cfg, set, builtIn())
	require.NoError(t, err)
	require.NoError(t, b.start(t.Context(), host))
	return &running{
		board: b, t: t, scheme: "http", client: http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	}
}

func (r *running) stop() {
	r.t.Helper()
	require.NoError(r.t, r.shutdown(context.Background()))
}

func (r *running) get(path string) (int, http.Header, string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, r.scheme+"://"+r.address+path, http.NoBody)
	require.NoError(r.t, err)
	resp, err := r.client.Do(req)
	require.NoError(r.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(r.t, err)
	return resp.StatusCode, resp.Header, string(body)
}

// value asks the API for a single number; ok is false when the answer is empty.
func (r *running) value(expr string) (v float64, ok bool) {
	r.t.Helper()
	status, _, body := r.get("/api/v1/query?query=" + url.QueryEscape(expr))
	require.Equal(r.t, http.StatusOK, status, body)
	var answer struct {
		Data struct {
			Result []struct{ Value [2]any }
		}
	}
	require.NoError(r.t, json.Unmarshal([]byte(body), &answer))
	if len(answer.Data.Result) == 0 {
		return 0, false
	}
	require.Len(r.t, answer.Data.Result, 1, body)
	v, err := strconv.ParseFloat(answer.Data.Result[0].Value[1].(string), 64)
	require.NoError(r.t, err)
	return v, true
}

func (r *running) eventually(want float64, expr string) {
	r.t.Helper()
	require.Eventually(r.t, func() bool {
		v, ok := r.value(expr)
		return ok && v == want
	}, 20*time.Second, 50*time.Millisecond, expr)
}

func TestFromAPointToTheAPI(t *testing.T) {
	r := run(t, testConfig(t.TempDir()))
	now := time.Now()
	require.NoError(t, r.push(t.Context(), metricstest.Counter(metricstest.Point{Peer: "a", Value: 1, At: now, Start: now, Trace: 9})))
	r.eventually(1, metricstest.Series)
	v, ok := r.value(`increase(harness_calls_total[5m])`)
	require.True(t, ok)
	require.Positive(t, v, "the first failure is seen")

	_, _, body := r.get("/api/v1/query_exemplars?query=harness_calls_total")
	require.Contains(t, body, `"trace_id":"09000000000000000000000000000000"`)
	r.stop()
}

func TestWhatTheServerServes(t *testing.T) {
	r := run(t, testConfig(t.TempDir()))
	for path, want := range map[string]string{
		"/":                            "<!doctype html>",
		"/-/healthy":                   "OK",
		"/-/ready":                     "OK",
		"/dashboards/index.json":       `"uid":`,
		"/runbooks/README.md":          "# Runbooks",
		"/api/v1/rules":                `"file":"builtin:alerts.yaml"`,
		"/api/v1/status/buildinfo":     `"version":"3.12.0"`,
		"/api/v1/label/harness/values": `"data":[]`,
	} {
		status, _, body := r.get(path)
		require.Equal(t, http.StatusOK, status, path)
		require.Contains(t, body, want, path)
	}
	_, header, body := r.get("/dashboards/index.json")
	require.Equal(t, "1s", header.Get("Board-Sample-Interval"))
	require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'")
	var list []struct{ Name, UID string }
	require.NoError(t, json.Unmarshal([]byte(body), &list))
	for _, d := range list {
		status, _, body := r.get("/dashboards/" + d.Name + ".json")
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, body, d.UID)
	}
	r.stop()
}

func TestRestartKeepsData(t *testing.T) {
	dir := t.TempDir()
	cfg := testConfig(dir)
	cfg.SampleInterval = 2 * time.Minute // no tick comes by itself
	r := run(t, cfg)
	now := time.Now()
	require.NoError(t, r.push(t.Context(), metricstest.Counter(metricstest.Point{Peer: "a", Value: 3, At: now, Start: now, Trace: 9})))
	_, ok := r.value(metricstest.Series)
	require.False(t, ok)
	r.stop() // writes what came since the last tick

	r = run(t, cfg)
	v, _ := r.value(metricstest.Series)
	require.Equal(t, 3.0, v)
	_, _, body := r.get("/api/v1/query_exemplars?query=harness_calls_total")
	require.Contains(t, body, "trace_id")
	r.stop()
}

func TestPermanentErrors(t *testing.T) {
	r := run(t, testConfig(t.TempDir()))
	md := metricstest.Counter(metricstest.Point{Peer: "a", Value: 1, At: time.Now()})
	md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().At(0).Sum().
		SetAggregationTemporality(pmetric.AggregationTemporalityDelta)
	err := r.push(t.Context(), md)
	require.True(t, consumererror.IsPermanent(err))
	require.ErrorContains(t, err, "deltatocumulative")
	r.stop()
}

func TestPointsAsTheyComeKeepTheirTimes(t *testing.T) {
	cfg := testConfig(t.TempDir())
	cfg.SampleInterval = 0
	r := run(t, cfg)
	now := time.Now()
	require.NoError(t, r.push(t.Context(), metricstest.Counter(metricstest.Point{Peer: "a", Value: 1, At: now.Add(-time.Minute)})))
	v, ok := r.value(`timestamp(harness_calls_total)`)
	require.True(t, ok)
	require.InDelta(t, float64(now.Add(-time.Minute).UnixMilli())/1000, v, 0.01)
	err := r.push(t.Context(), metricstest.Counter(
		metricstest.Point{Peer: "a", Value: 1, At: now.Add(-time.Hour)}, metricstest.Point{Peer: "b", Value: 2, At: now}))
	require.True(t, consumererror.IsPermanent(err))
	require.ErrorContains(t, err, "too old sample")
	v, _ = r.value(`harness_calls_total{harness_peer="b"}`)
	require.Equal(t, 2.0, v, "the rest of the batch is kept")
	r.stop()
}

func TestFailedStarts(t *testing.T) {
	taken := run(t, testConfig(t.TempDir()))
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	require.NoError(t, os.WriteFile(bad, []byte("groups: [{name: g, rules: [{record: x, expr: 'sum('}]}]"), 0o600))
	for name, c := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"store in use":  {func(c *Config) { c.Directory = taken.cfg.Directory }, "directory: open the store in"},
		"port in use":   {func(c *Config) { c.NetAddr.Endpoint = taken.address }, "endpoint: "},
		"no rule files": {func(c *Config) { c.RulesFiles = []string{"nowhere/*.yaml"} }, "rules_files: no file matches"},
		"bad rules":     {func(c *Config) { c.RulesFiles = []string{bad} }, bad},
		"no such extension": {func(c *Config) {
			auth := confighttp.AuthConfig{}
			auth.AuthenticatorID = component.MustNewID("nobody")
			c.Auth = configoptional.Some(auth)
		}, "nobody"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := testConfig(t.TempDir())
			c.change(cfg)
			e, err := NewFactory().CreateMetrics(t.Context(), exportertest.NewNopSettings(metadata.Type), cfg)
			require.NoError(t, err)
			require.ErrorContains(t, e.Start(t.Context(), componenttest.NewNopHost()), c.want)
			require.NoError(t, e.Shutdown(t.Context()))
		})
	}
	taken.stop()
}

// password is an authentication extension that knows one user.
type password struct {
	component.StartFunc
	component.ShutdownFunc
	extensionauth.ServerAuthenticateFunc
}

var _ extension.Extension = password{}

type host struct {
	component.Host
	extensions map[component.ID]component.Component
}

func (h host) GetExtensions() map[component.ID]component.Component { return h.extensions }

func TestTLSAndAuthentication(t *testing.T) {
	// The certificate of net/http/httptest is good for 127.0.0.1.
	ts := httptest.NewTLSServer(http.NotFoundHandler())
	defer ts.Close()
	cert, key := pemOf(t, ts.TLS.Certificates[0])

	cfg := testConfig(t.TempDir())
	tls := configtls.NewDefaultServerConfig()
	tls.CertFile, tls.KeyFile = cert, key
	cfg.TLS = configoptional.Some(tls)
	auth := confighttp.AuthConfig{}
	auth.AuthenticatorID = component.MustNewID("password")
	cfg.Auth = configoptional.Some(auth)
	r := runWith(t, cfg, componenttest.NewNopTelemetrySettings(), host{
		componenttest.NewNopHost(),
		map[component.ID]component.Component{auth.AuthenticatorID: password{
			ServerAuthenticateFunc: func(ctx context.Context, h map[string][]string) (context.Context, error) {
				if http.Header(h).Get("Authorization") != "let me in" {
					return ctx, errors.New("who are you?")
				}
				return ctx, nil
			},
		}},
	})
	r.scheme, r.client = "https", *ts.Client()
	r.client.Transport.(*http.Transport).DisableKeepAlives = true

	status, _, body := r.get("/api/v1/query?query=1")
	require.Equal(t, http.StatusUnauthorized, status)
	require.JSONEq(t, `{"status":"error","errorType":"unauthorized","error":"who are you?"}`, body)
	status, header, _ := r.get("/")
	require.Equal(t, http.StatusUnauthorized, status)
	require.Equal(t, `Basic realm="board"`, header.Get("WWW-Authenticate"))

	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+r.address+"/api/v1/query?query=1", http.NoBody)
	require.NoError(t, err)
	req.Header.Set("Authorization", "let me in")
	resp, err := r.client.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
	r.stop()
}

// What is scraped goes the way of what is pushed: sampled, with a 0 in front.
func TestScrapedPagesAreSampled(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "# TYPE otelcol_processor_harnesserr_records_seen_total counter\n"+
			"otelcol_processor_harnesserr_records_seen_total{signal=\"traces\"} 3\n")
	}))
	defer page.Close()
	cfg := testConfig(t.TempDir())
	cfg.Scrape = []string{page.URL}
	r := run(t, cfg)
	defer r.stop()
	require.Eventually(t, func() bool {
		v, err := r.store.Query(t.Context(), `increase(otelcol_processor_harnesserr_records_seen_total{job="scrape", signal="traces"}[1m]) > 2`, time.Now())
		return err == nil && len(v) == 1
	}, 20*time.Second, 50*time.Millisecond)
}
