package kafka

import (
	"net"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kfake"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/harnesserr/harnesserr/internal/e2e/otelcol"
	"github.com/harnesserr/harnesserr/internal/e2e/promserver"
)

// Two gateways share the traces: each is handled by one of them, its spans arrive once, and the counters of the two together are
// the truth: one failure is one failure though its trace came in two messages.
func TestTwoGateways(t *testing.T) {
	kafka, prometheus := broker(t), promserver.Start(t)
	g0 := newGateway(t, "gateway-0", kafka, prometheus, patient)
	g1 := newGateway(t, "gateway-1", kafka, prometheus, patient)
	balanced(t, g0, g1)

	f := newTraffic(t, agent(t, kafka).OTLP)
	for range 10 {
		f.send(t, 40, time.Second)
	}
	require.Zero(t, requireRecords(t, f, g0, g1), "spans that came twice")
	_, t0 := g0.spans()
	_, t1 := g1.spans()
	for id := range t0 {
		require.False(t, t1[id], "a trace at both gateways")
	}
	require.Equal(t, f.traces, len(t0)+len(t1))
	require.NotEmpty(t, t0)
	require.NotEmpty(t, t1)

	require.Eventually(t, func() bool { return total(counts(t, prometheus)) >= total(f.counts()) }, time.Minute, 500*time.Millisecond,
		"counters")
	require.Equal(t, f.counts(), counts(t, prometheus))
	time.Sleep(2 * flush)
	require.Equal(t, f.counts(), counts(t, prometheus), "nothing is counted later on")
	t.Logf("%d traces, %d at one gateway, %d at the other", f.traces, len(t0), len(t1))
}

// One of two gateways ends while telemetry comes in. Every span and every document arrives, some twice; how far the counters are
// off is bounded.
func TestGatewayEnds(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		back   bool
		set    []string
	}{
		{name: "killed, queue on disk, back later", signal: syscall.SIGKILL, back: true},
		{name: "killed, no queue, never back", signal: syscall.SIGKILL, set: []string{
			"exporters::otlp_http::sending_queue::enabled: false", "exporters::problem::sending_queue::enabled: false",
		}},
		{name: "stopped in order, back later", signal: syscall.SIGTERM, back: true},
	} {
		t.Run(c.name, func(t *testing.T) { testGatewayEnds(t, c.signal, c.back, c.set...) })
	}
}

func testGatewayEnds(t *testing.T, signal syscall.Signal, back bool, set ...string) {
	kafka, prometheus := broker(t), promserver.Start(t)
	g0 := newGateway(t, "gateway-0", kafka, prometheus, 6*time.Second, set...)
	g1 := newGateway(t, "gateway-1", kafka, prometheus, 6*time.Second, set...)
	balanced(t, g0, g1)
	f := newTraffic(t, agent(t, kafka).OTLP)
	const rounds, last, perRound = 60, 45, 20
	began := time.Now()
	for round := range rounds {
		if round == last {
			g0.Stop(t, signal)
		}
		f.send(t, perRound, 400*time.Millisecond)
	}
	spansPerSecond := float64(len(f.spans)) / time.Since(began).Seconds()
	if back {
		g0.Restart(t)
	}
	duplicates := requireRecords(t, f, g0, g1)

	time.Sleep(wait + 3*flush + 10*time.Second) // until the counters have settled
	counted := prometheus.Counted(t, "harness_calls_total")
	off := counted - total(f.counts())
	t.Logf("%d spans at %.0f a second: none lost, %d came twice; counters off by %+.0f", len(f.spans), spansPerSecond, duplicates, off)
	// Of the half that it had: too few, what waited for the rest of its trace and for the next flush; too many, what was not yet
	// committed. A busy machine adds some seconds.
	share := spansPerSecond / 2
	require.LessOrEqual(t, -off, share*(wait+flush+3*time.Second).Seconds())
	require.LessOrEqual(t, off, share*4)
}

// The backend and Prometheus are away. The counters go on as if nothing were, every record arrives later.
func TestBackendsAway(t *testing.T) {
	kafka, prometheus := broker(t), promserver.Start(t)
	g := newGateway(t, "gateway-0", kafka, prometheus, patient)
	var away atomic.Bool
	g.sink.Answer = func(map[string][]string) (int64, string, error) {
		if away.Load() {
			return 0, "", status.Error(codes.Unavailable, "away")
		}
		return 0, "", nil
	}
	f := newTraffic(t, agent(t, kafka).OTLP)
	f.send(t, 40, 0)
	away.Store(true)
	prometheus.Stop(t)
	for range 5 {
		f.send(t, 40, time.Second)
	}
	prometheus.Restart(t)
	require.Eventually(t, func() bool { return total(counts(t, prometheus)) >= total(f.counts()) }, time.Minute, 500*time.Millisecond,
		"counters while the backend is away")
	require.Equal(t, f.counts(), counts(t, prometheus))
	require.Less(t, len(arrived(g)), len(f.spans))
	away.Store(false)
	requireRecords(t, f, g)
	require.Equal(t, f.counts(), counts(t, prometheus), "records that are sent again are not counted again")
}

// The agents' collector is killed while Kafka is away: what it accepted is on its disk.
func TestAgentKilled(t *testing.T) {
	address := otelcol.FreeAddress(t)
	a := agent(t, address)
	f := newTraffic(t, a.OTLP)
	for range 5 {
		f.send(t, 40, 0)
		a.Stop(t, syscall.SIGKILL)
		a.Restart(t)
	}
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	number, err := strconv.Atoi(port)
	require.NoError(t, err)
	kafka := broker(t, kfake.Ports(number))
	g := newGateway(t, "gateway-0", kafka, promserver.Start(t), patient)
	t.Logf("%d spans, %d came twice", len(f.spans), requireRecords(t, f, g))
}
