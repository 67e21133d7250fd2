package boardexporter

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metricstest"
)

func TestQueriesWhileAppending(t *testing.T) {
	r := run(t, testConfig(t.TempDir()))
	began := time.Now()
	end := began.Add(3 * time.Second)
	var wg sync.WaitGroup
	for p := range 3 {
		wg.Go(func() {
			for n := int64(1); time.Now().Before(end); n++ {
				err := r.push(t.Context(), metricstest.Counter(metricstest.Point{
					Peer: fmt.Sprint("peer-", p), Value: n, At: time.Now(), Start: began, Trace: byte(p + 1),
				}))
				if !assert.NoError(t, err) {
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	for _, path := range []string{
		"query?query=" + url.QueryEscape(`sum by (harness_peer) (rate(harness_calls_total[1m]))`),
		"query_range?step=1&start=" + fmt.Sprint(began.Add(-time.Minute).Unix()) + "&end=" + fmt.Sprint(end.Unix()) + "&query=harness_calls_total",
		"query_exemplars?query=harness_calls_total", "series?match[]=harness_calls_total", "labels", "rules", "alerts", "metadata",
	} {
		wg.Go(func() {
			for time.Now().Before(end) {
				status, _, body := r.get("/api/v1/" + path)
				if !assert.Equal(t, http.StatusOK, status, body) {
					return
				}
			}
		})
	}
	wg.Wait()
	r.stop()
}

// memoryChild asks TestMemoryChild for a number of samples.
const memoryChild = "BOARD_TEST_MEMORY_SAMPLES"

// TestMemoryChild is no test: it is the process whose memory TestMemory measures. 2000 series of a believable shape are
// sampled until an hour of them is in the head, with queries in between.
func TestMemoryChild(t *testing.T) {
	samples, err := strconv.Atoi(os.Getenv(memoryChild))
	if err != nil {
		t.Skip("runs in the process that TestMemory starts")
	}
	const series = 2000
	cfg := testConfig(t.TempDir())
	cfg.SampleInterval = 2 * time.Minute // ticks are made by hand
	b, err := newBoard(cfg, componenttest.NewNopTelemetrySettings(), builtIn())
	require.NoError(t, err)
	require.NoError(t, b.start(t.Context(), componenttest.NewNopHost()))
	ticks := samples / series
	began := time.Now()
	var appending time.Duration
	for n := range ticks {
		points := make([]metricstest.Point, 0, series)
		for i := range series {
			points = append(points, metricstest.Point{
				Peer: fmt.Sprintf("mcp:server-%04d.example.internal", i), Value: int64(n * (i % 7)), At: time.Now(), Start: began, Trace: byte(i%5 + 1),
			})
		}
		at := time.Now()
		require.NoError(t, b.push(t.Context(), metricstest.Counter(points...)))
		require.NoError(t, b.tick(t.Context(), began.Add(time.Duration(n+1)*time.Hour/time.Duration(ticks))))
		appending += time.Since(at)
		if n%50 == 0 {
			_, err := b.store.Query(t.Context(), `sum by (job) (increase(harness_calls_total[30m]))`, began.Add(time.Hour))
			require.NoError(t, err)
		}
	}
	blocks, head := b.store.Size()
	fmt.Printf("memory %d ns/point %d disk %d\n", peakMemory(t), appending.Nanoseconds()/int64(ticks*series), blocks+head)
	require.NoError(t, b.shutdown(t.Context()))
}

// peakMemory is the largest resident size of this process so far, in MiB.
func peakMemory(t *testing.T) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("needs /proc")
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(t, err)
	return kib >> 10
}

// TestMemory keeps the promise of the README: an hour with a million samples of 2000 series stays under 200 MB. Set
// BOARD_TEST_MILLION=1 for the whole of it; without, a tenth is tried.
func TestMemory(t *testing.T) {
	samples := 100_000
	if os.Getenv("BOARD_TEST_MILLION") != "" {
		samples = 1_000_000
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestMemoryChild$")
	child.Env = append(os.Environ(), memoryChild+"="+strconv.Itoa(samples))
	out, err := child.CombinedOutput()
	require.NoError(t, err, string(out))
	_, rest, ok := strings.Cut(string(out), "memory ")
	if !ok {
		t.Skipf("not measured: %s", out)
	}
	t.Logf("%d samples: peak MiB %s", samples, strings.SplitN(rest, "\n", 2)[0])
	mib, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(t, err)
	require.Less(t, mib, 200)
}

// BenchmarkPush is what a point costs on its way to the sampler: 2000 series in a batch.
func BenchmarkPush(b *testing.B) {
	cfg := testConfig(b.TempDir())
	cfg.SampleInterval = 2 * time.Minute
	r := run(b, cfg)
	began := time.Now()
	points := make([]metricstest.Point, 2000)
	for i := range points {
		points[i] = metricstest.Point{Peer: fmt.Sprint("peer-", i), Value: int64(i), At: began, Start: began}
	}
	md := metricstest.Counter(points...)
	b.ReportAllocs()
	for b.Loop() {
		if err := r.push(b.Context(), md); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(points)), "ns/point")
	r.stop()
}
