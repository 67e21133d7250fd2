package store

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metricstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func options(dir string) Options {
	return Options{
		Directory: dir, Retention: 1000 * time.Hour, OutOfOrderWindow: 30 * time.Minute, MaxExemplars: 100,
		QueryTimeout: time.Minute, QueryMaxSamples: 1_000_000, Logger: slog.New(slog.DiscardHandler),
	}
}

func open(t *testing.T, o Options) *Store {
	t.Helper()
	s, err := Open(o)
	require.NoError(t, err)
	return s
}

// push stores points as they come and returns what was refused.
func push(t *testing.T, s *Store, points ...metricstest.Point) *Refusals {
	t.Helper()
	r, err := s.NewWriter(nil).Write(t.Context(), s.DirectAppender(t.Context()), metricstest.Counter(points...))
	require.NoError(t, err)
	return r
}

func query(t *testing.T, s *Store, expr string, at time.Time) promql.Vector {
	t.Helper()
	v, err := s.Query(t.Context(), expr, at)
	require.NoError(t, err)
	return v
}

func TestReopenKeepsSamplesAndExemplars(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	s := open(t, options(dir))
	require.NoError(t, push(t, s, metricstest.Point{Peer: "a", Value: 7, At: now, Trace: 1}).Err())
	require.NoError(t, s.Close())

	s = open(t, options(dir))
	v := query(t, s, metricstest.Series, now)
	require.Len(t, v, 1)
	require.Equal(t, 7.0, v[0].F)
	require.Equal(t, `{__name__="harness_calls_total", harness_peer="a", job="shop/svc"}`, v[0].Metric.String())
	q, err := s.ExemplarQuerier(t.Context())
	require.NoError(t, err)
	got, err := q.Select(0, now.UnixMilli()+1, []*labels.Matcher{labels.MustNewMatcher(labels.MatchEqual, "harness_peer", "a")})
	require.NoError(t, err)
	require.Len(t, got, 1)
	require.Equal(t, 0.25, got[0].Exemplars[0].Value)
	require.NoError(t, s.Close())
}

func TestOneProcessAtATime(t *testing.T) {
	dir := t.TempDir()
	s := open(t, options(dir))
	_, err := Open(options(dir))
	require.ErrorContains(t, err, "is another process using it?")
	require.ErrorContains(t, err, dir)
	require.NoError(t, s.Close())
}

func TestADirectoryThatIsAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := Open(options(file))
	require.ErrorContains(t, err, file)
}

func TestPromotedResourceAttributes(t *testing.T) {
	s := open(t, options(t.TempDir()))
	now := time.Now()
	_, err := s.NewWriter([]string{"service.name"}).Write(t.Context(), s.AppenderV2(t.Context()),
		metricstest.Counter(metricstest.Point{Peer: "a", Value: 1, At: now}))
	require.NoError(t, err)
	require.Len(t, query(t, s, `harness_calls_total{service_name="svc"}`, now), 1)
	require.NoError(t, s.Close())
}

// fill stores a sample each 15 s of the last hours, and compacts as the store does by itself every minute.
func fill(t *testing.T, s *Store, back time.Duration, series int) {
	t.Helper()
	now := time.Now()
	names := make([]labels.Labels, series)
	for i := range names {
		names[i] = labels.FromStrings("__name__", "m", "i", time.Duration(i).String())
	}
	n := 0
	for at := now.Add(-back); at.Before(now); at = at.Add(15 * time.Second) {
		app := s.AppenderV2(t.Context())
		for i, ls := range names {
			_, err := app.Append(0, ls, 0, at.UnixMilli(), float64(n/(10+i)), nil, nil, storage.AOptions{})
			require.NoError(t, err)
		}
		require.NoError(t, app.Commit())
		if n++; n%40 == 0 {
			require.NoError(t, s.Compact(t.Context()))
		}
	}
	require.NoError(t, s.Compact(t.Context()))
}

func oldest(s *Store) time.Duration {
	first := s.Head().MinTime()
	for _, b := range s.Blocks() {
		first = min(first, b.MinTime())
	}
	return time.Since(time.UnixMilli(first))
}

func TestRetentionByTime(t *testing.T) {
	o := options(t.TempDir())
	o.BlockDuration = 10 * time.Minute
	o.Retention = time.Hour
	s := open(t, o)
	fill(t, s, 3*time.Hour, 3)
	require.Greater(t, oldest(s), o.Retention)
	require.Less(t, oldest(s), o.Retention+2*o.BlockDuration, "whole blocks go, the last one a block late")
	require.NoError(t, s.Close())
}

func TestRetentionBySize(t *testing.T) {
	o := options(t.TempDir())
	o.BlockDuration = 10 * time.Minute
	s := open(t, o)
	fill(t, s, 2*time.Hour, 1000)
	blocks, head := s.Size()
	span := oldest(s)
	require.NoError(t, s.Close())

	// The bound applies to what is there already.
	o.MaxBytes = head + blocks/2
	s = open(t, o)
	require.NoError(t, s.Compact(t.Context()))
	after, head := s.Size()
	require.LessOrEqual(t, after+head, o.MaxBytes)
	require.NotEmpty(t, s.Blocks())
	require.Less(t, oldest(s), span)
	require.NoError(t, s.Close())
}

// TestBytesPerSample keeps the promise of the README: a sample costs about a byte once its block is written.
func TestBytesPerSample(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a day of samples")
	}
	s := open(t, options(t.TempDir()))
	const series = 300
	fill(t, s, 24*time.Hour, series)
	var samples uint64
	for _, b := range s.Blocks() {
		samples += b.Meta().Stats.NumSamples
	}
	blocks, head := s.Size()
	inHead := uint64(24*time.Hour/(15*time.Second))*series - samples
	t.Logf("%d samples in blocks: %.2f bytes each; %d in the head and its log: %.1f bytes each",
		samples, float64(blocks)/float64(samples), inHead, float64(head)/float64(inHead))
	require.Less(t, float64(blocks)/float64(samples), 1.5)
	require.NoError(t, s.Close())
}
