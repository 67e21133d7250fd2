package promapi

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metricstest"
	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/ruling"
	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var newYear = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

const testRules = `
groups:
  - name: harness
    interval: 50ms
    rules:
      - {record: one, expr: vector(1)}
      - {alert: Always, expr: one == 1, labels: {severity: info}, annotations: {summary: "it is {{ $value }}"}}
`

// outcomes counts what the API says of its requests.
type outcomes struct {
	mu sync.Mutex
	n  map[string]int
}

func (o *outcomes) observe(_ context.Context, outcome string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n[outcome]++
}

// open returns the API over a real store and real rules.
func open(t testing.TB) (*API, *outcomes) {
	log := slog.New(slog.DiscardHandler)
	s, err := store.Open(store.Options{
		Directory: t.TempDir(), Retention: 100 * 365 * 24 * time.Hour, OutOfOrderWindow: 365 * 24 * time.Hour, MaxExemplars: 100,
		QueryTimeout: time.Minute, QueryMaxSamples: 10_000, Logger: log,
	})
	require.NoError(t, err)
	s.DisableCompactions() // the rules write at the present, the requests are about the past
	w := s.NewWriter(nil)
	for i := range 10 {
		points := []metricstest.Point{{Peer: "a", Value: int64(i + 1), At: newYear.Add(time.Duration(i-9) * 15 * time.Second)}}
		if i == 9 {
			points = append(points, metricstest.Point{Peer: "b", Value: 5, At: newYear, Trace: 7})
		}
		refusals, err := w.Write(t.Context(), s.AppenderV2(t.Context()), metricstest.Counter(points...))
		require.NoError(t, err)
		require.NoError(t, refusals.Err())
	}
	l := ruling.Loader{BuiltIn: fstest.MapFS{"rules.yaml": {Data: []byte(testRules)}}}
	ctx, cancel := context.WithCancel(context.Background())
	rules, err := ruling.Start(ctx, s, l, []string{ruling.BuiltIn + "rules.yaml"}, time.Minute, log)
	require.NoError(t, err)
	t.Cleanup(func() {
		cancel()
		rules.Stop()
		require.NoError(t, s.Close())
	})
	require.Eventually(t, func() bool {
		v, err := s.Query(t.Context(), `ALERTS{alertstate="firing"}`, time.Now())
		return err == nil && len(v) == 1
	}, 20*time.Second, 10*time.Millisecond)
	o := &outcomes{n: map[string]int{}}
	a := New(s, rules, Options{MaxConcurrency: 2, Observe: o.observe})
	a.now = func() time.Time { return newYear }
	return a, o
}

func ask(ctx context.Context, h http.Handler, method, endpoint string, form url.Values) *httptest.ResponseRecorder {
	var r *http.Request
	if method == http.MethodPost {
		r = httptest.NewRequestWithContext(ctx, method, Prefix+endpoint, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	} else {
		r = httptest.NewRequestWithContext(ctx, method, Prefix+endpoint+"?"+form.Encode(), http.NoBody)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// form reads a=b&c=d without escapes: the values hold PromQL.
func form(text string) url.Values {
	v := url.Values{}
	for pair := range strings.SplitSeq(text, "&") {
		if key, val, ok := strings.Cut(pair, "="); ok {
			v.Add(key, val)
		}
	}
	return v
}

func TestRequests(t *testing.T) {
	a, _ := open(t)
	h := a.Handler()
	file, err := os.Open("testdata/requests.tsv")
	require.NoError(t, err)
	defer file.Close()
	readOnly := map[string]bool{"rules": true, "alerts": true, "metadata": true, "status/buildinfo": true}
	for n, lines := 1, bufio.NewScanner(file); lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		col := strings.Split(lines.Text(), "\t")
		require.Len(t, col, 4, "line %d", n)
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if method == http.MethodPost && (readOnly[col[0]] || strings.HasPrefix(col[0], "label/")) {
				continue
			}
			t.Run(fmt.Sprintf("%d %s %s", n, method, col[0]), func(t *testing.T) {
				w := ask(t.Context(), h, method, col[0], form(col[1]))
				require.Equal(t, col[2], fmt.Sprint(w.Code), w.Body)
				require.Equal(t, "application/json", w.Header().Get("Content-Type"))
				var want, got any
				require.NoError(t, json.Unmarshal([]byte(col[3]), &want), col[3])
				require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got), w.Body)
				requireContains(t, want, got, "$")
			})
		}
	}
}

// requireContains compares JSON: objects may hold more than wanted.
func requireContains(t *testing.T, want, got any, path string) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		require.Truef(t, ok, "%s: not an object: %v", path, got)
		if len(want) == 0 && !strings.HasSuffix(path, "]") {
			require.Empty(t, g, path)
		}
		for k, v := range want {
			require.Contains(t, g, k, path)
			requireContains(t, v, g[k], path+"."+k)
		}
	case []any:
		g, ok := got.([]any)
		require.Truef(t, ok, "%s: not a list: %v", path, got)
		require.Lenf(t, g, len(want), "%s: %v", path, got)
		for i := range want {
			requireContains(t, want[i], g[i], fmt.Sprintf("%s[%d]", path, i))
		}
	default:
		require.Equal(t, want, got, path)
	}
}

func TestMethods(t *testing.T) {
	a, _ := open(t)
	h := a.Handler()
	for endpoint, allowed := range map[string]string{"query": "GET, HEAD, POST", "rules": "GET, HEAD"} {
		w := ask(t.Context(), h, http.MethodDelete, endpoint, nil)
		require.Equal(t, http.StatusMethodNotAllowed, w.Code)
		require.Equal(t, allowed, w.Header().Get("Allow"))
		require.Contains(t, w.Body.String(), `"status":"error"`)
	}
	require.Equal(t, http.StatusMethodNotAllowed, ask(t.Context(), h, http.MethodPost, "rules", nil).Code)
}

func TestBadForm(t *testing.T) {
	a, _ := open(t)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, Prefix+"query?query=%zz", http.NoBody)
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, r)
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Contains(t, w.Body.String(), `"errorType":"bad_data"`)
}

func TestTooManySamples(t *testing.T) {
	a, o := open(t)
	w := ask(t.Context(), a.Handler(), http.MethodGet, "query_range",
		form("query=vector(1)&start=0&end=10999&step=1"))
	require.Equal(t, http.StatusUnprocessableEntity, w.Code)
	require.Contains(t, w.Body.String(), `"errorType":"execution"`)
	require.Equal(t, 1, o.n["execution"])
}

func TestAQueryWaitsForItsTurn(t *testing.T) {
	a, o := open(t)
	a.slots <- struct{}{}
	a.slots <- struct{}{}
	w := ask(t.Context(), a.Handler(), http.MethodGet, "query", form("query=1&timeout=50ms"))
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Contains(t, w.Body.String(), "waiting for other queries")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w = ask(ctx, a.Handler(), http.MethodGet, "query", form("query=1"))
	require.Equal(t, 499, w.Code)
	<-a.slots
	w = ask(t.Context(), a.Handler(), http.MethodGet, "query", form("query=1"))
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, map[string]int{"timeout": 1, "canceled": 1, "success": 1}, o.n)
	require.Len(t, a.slots, 1)
}

func TestAClientThatIsGone(t *testing.T) {
	a, _ := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := ask(ctx, a.Handler(), http.MethodGet, "query", form("query=sum(harness_calls_total)"))
	require.Equal(t, 499, w.Code)
	require.Contains(t, w.Body.String(), `"errorType":"canceled"`)
}

func TestFail(t *testing.T) {
	for status, want := range map[int]string{401: "unauthorized", 400: "bad_data", 413: "bad_data", 500: "internal"} {
		w := httptest.NewRecorder()
		Fail(w, "no", status)
		require.Equal(t, status, w.Code)
		require.JSONEq(t, fmt.Sprintf(`{"status":"error","errorType":%q,"error":"no"}`, want), w.Body.String())
	}
}

func TestRelease(t *testing.T) {
	for module, want := range map[string]string{
		"v0.312.0": "3.12.0", "v0.305.1": "3.5.1", "v0.300.0": "3.0.0", "v0.55.0": assumedVersion, "(devel)": assumedVersion,
	} {
		require.Equal(t, want, release(module), module)
	}
}
