package sampling

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/prometheus/storage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metricstest"
)

func TestRunTicksAtMultiplesOfTheInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := New(nil, Options{Interval: interval})
		began := time.Now() // midnight in 2000
		var at []time.Duration
		go s.Run(ctx, func(t time.Time) {
			at = append(at, t.Sub(began))
			if len(at) == 2 {
				time.Sleep(40 * time.Second) // a slow disk: two ticks are missed
			}
		})
		time.Sleep(2*time.Minute - time.Millisecond)
		cancel()
		synctest.Wait()
		require.Equal(t, []time.Duration{
			15 * time.Second, 30 * time.Second, 75 * time.Second, 90 * time.Second, 105 * time.Second,
		}, at)
	})
}

func TestTickOfThePastDoesNothing(t *testing.T) {
	s := New(openStore(t, t.TempDir()), Options{Interval: interval, Expiration: time.Hour, MaxSeries: 10})
	tick, err := s.Tick(t.Context(), time.Now().Add(-time.Minute))
	require.NoError(t, err)
	require.Zero(t, tick)
}

// fullDisk fails to commit as long as it is full.
type fullDisk struct {
	storage.AppendableV2
	full bool
}

type fullAppender struct {
	storage.AppenderV2
	disk *fullDisk
}

var errFull = errors.New("no space left on device")

func (d *fullDisk) AppenderV2(ctx context.Context) storage.AppenderV2 {
	return fullAppender{d.AppendableV2.AppenderV2(ctx), d}
}

func (a fullAppender) Commit() error {
	if a.disk.full {
		return errors.Join(errFull, a.Rollback())
	}
	return a.AppenderV2.Commit()
}

func TestAFailedCommitIsMadeGood(t *testing.T) {
	db := openStore(t, t.TempDir())
	disk := &fullDisk{AppendableV2: db, full: true}
	clock := time.Now().Truncate(time.Minute)
	s := New(disk, Options{Interval: interval, Expiration: time.Hour, MaxSeries: 10, Now: func() time.Time { return clock }})
	_, err := db.NewWriter(nil).Write(t.Context(), s.Appender(), metricstest.Counter(
		metricstest.Point{Peer: "a", Value: 3, At: clock, Start: clock, Trace: 1}))
	require.NoError(t, err)

	_, err = s.Tick(t.Context(), clock.Add(interval))
	require.ErrorIs(t, err, errFull)
	disk.full = false
	clock = clock.Add(2 * interval)
	tick, err := s.Tick(t.Context(), clock)
	require.NoError(t, err)
	require.Equal(t, 1, tick.Samples)

	v, err := db.Query(t.Context(), `increase(harness_calls_total[5m])`, clock)
	require.NoError(t, err)
	require.Len(t, v, 1)
	require.InDelta(t, 3, v[0].F, 0.01, "the 0 was not lost")
}

func TestPushesAndTicksTogether(t *testing.T) {
	db := openStore(t, t.TempDir())
	s := New(db, Options{Interval: time.Millisecond, Expiration: time.Hour, MaxSeries: 1000})
	w := db.NewWriter(nil)
	began := time.Now()
	var wg sync.WaitGroup
	for p := range 4 {
		wg.Go(func() {
			for i := range 50 {
				refusals, err := w.Write(t.Context(), s.Appender(), metricstest.Counter(
					metricstest.Point{Peer: string(rune('a' + p)), Value: int64(i), At: time.Now(), Start: began}))
				assert.NoError(t, err)
				assert.NoError(t, refusals.Err())
			}
		})
	}
	wg.Go(func() {
		for range 50 {
			_, err := s.Tick(t.Context(), time.Now())
			assert.NoError(t, err)
			s.Live()
			_, err = db.Query(t.Context(), `sum(rate(harness_calls_total[1m]))`, time.Now())
			assert.NoError(t, err)
		}
	})
	wg.Wait()
	require.Equal(t, 4, s.Live())
}

// BenchmarkTick is what one sample of each of 2000 series costs.
func BenchmarkTick(b *testing.B) {
	db := openStore(b, b.TempDir())
	clock := time.Now()
	s := New(db, Options{Interval: interval, Expiration: 1 << 60, MaxSeries: 10_000, Now: func() time.Time { return clock }})
	var points []metricstest.Point
	for i := range 2000 {
		points = append(points, metricstest.Point{Peer: "peer-" + time.Duration(i).String(), Value: int64(i), At: clock, Start: clock})
	}
	_, err := db.NewWriter(nil).Write(b.Context(), s.Appender(), metricstest.Counter(points...))
	require.NoError(b, err)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		clock = clock.Add(interval)
		tick, err := s.Tick(b.Context(), clock)
		if err != nil {
			b.Fatal(err)
		}
		n += tick.Samples
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/sample")
}
