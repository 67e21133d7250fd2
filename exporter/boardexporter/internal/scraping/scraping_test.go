package scraping

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newest keeps the newest value of each series.
type newest struct {
	mu     sync.Mutex
	values map[string]float64
}

func (n *newest) AppenderV2(context.Context) storage.AppenderV2 { return n }
func (*newest) Commit() error                                   { return nil }
func (*newest) Rollback() error                                 { return nil }

func (n *newest) Append(_ storage.SeriesRef, ls labels.Labels, _, _ int64, v float64,
	_ *histogram.Histogram, _ *histogram.FloatHistogram, _ storage.AOptions,
) (storage.SeriesRef, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.values[ls.String()] = v
	return 0, nil
}

func (n *newest) value(series string) (float64, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	v, ok := n.values[series]
	return v, ok
}

func TestPagesAreRead(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		fmt.Fprintf(w, "# TYPE seen_total counter\nseen_total{path=%q,part=%q} 7\n", r.URL.Path, "part "+r.FormValue("part"))
	}))
	defer page.Close()
	host := strings.TrimPrefix(page.URL, "http://")
	n := &newest{values: map[string]float64{}}
	s, err := Start([]string{page.URL + "/metrics", page.URL + "/other?part=a"}, time.Second, n, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	for _, series := range []string{
		`{__name__="seen_total", instance="` + host + `", job="scrape", part="part ", path="/metrics"}`,
		`{__name__="seen_total", instance="` + host + `", job="scrape", part="part a", path="/other"}`,
	} {
		require.Eventually(t, func() bool { v, ok := n.value(series); return ok && v == 7 }, 10*time.Second, 10*time.Millisecond, series)
	}
	s.Stop()
}

// What isn't there now may be there later: the collector shows its own metrics before or after the board starts.
func TestAPageThatIsDown(t *testing.T) {
	n := &newest{values: map[string]float64{}}
	s, err := Start([]string{"http://127.0.0.1:1/metrics"}, time.Second, n, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		v, ok := n.value(`{__name__="up", instance="127.0.0.1:1", job="scrape"}`)
		return ok && v == 0
	}, 10*time.Second, 10*time.Millisecond)
	s.Stop()
}

func TestWrongURLs(t *testing.T) {
	for _, text := range []string{"", "127.0.0.1:8888", "/metrics", "ftp://127.0.0.1/metrics", "http://", "http://[::1"} {
		_, err := Start([]string{text}, time.Second, &newest{}, slog.New(slog.DiscardHandler))
		require.ErrorContains(t, err, fmt.Sprintf("got %q", text))
	}
}
