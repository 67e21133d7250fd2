package kafka

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kfake"
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/harnesserr/harnesserr/internal/e2e/otelcol"
	"github.com/harnesserr/harnesserr/internal/e2e/otlpsink"
	"github.com/harnesserr/harnesserr/internal/e2e/promserver"
)

const partitions = 8

// The examples wait longer, which only makes tests slow.
const (
	wait  = 6 * time.Second
	flush = 2 * time.Second
)

// A gateway that is alive keeps its partitions, however busy the machine: a partition that moves would divide a trace.
const patient = 30 * time.Second

// broker starts Kafka and returns its address.
func broker(t *testing.T, opts ...kfake.Opt) string {
	t.Helper()
	cluster, err := kfake.NewCluster(append([]kfake.Opt{
		kfake.NumBrokers(1), kfake.SeedTopics(partitions, "otlp_spans", "otlp_logs"), kfake.GroupMinSessionTimeout(time.Second),
	}, opts...)...)
	require.NoError(t, err)
	t.Cleanup(cluster.Close)
	return cluster.ListenAddrs()[0]
}

func agent(t *testing.T, broker string) *otelcol.Collector {
	t.Helper()
	return otelcol.Start(t, otelcol.Options{Config: "agent.yaml", Env: map[string]string{"KAFKA_BROKERS": "[" + broker + "]"}})
}

// gateway is a collector with backends of its own for records, and the common Prometheus for counters.
type gateway struct {
	*otelcol.Collector
	sink     *otlpsink.Sink
	problems *problems
}

func newGateway(t *testing.T, name, broker string, prometheus *promserver.Server, sessionTimeout time.Duration, set ...string) *gateway {
	t.Helper()
	g := &gateway{sink: otlpsink.Start(t), problems: newProblems(t)}
	g.Collector = otelcol.Start(t, otelcol.Options{
		Config: "gateway.yaml",
		Env: map[string]string{
			"GATEWAY": name, "KAFKA_BROKERS": "[" + broker + "]", "REMOTE_WRITE_ENDPOINT": prometheus.RemoteWrite(),
			"OTLP_ENDPOINT": g.sink.HTTP, "PROBLEM_ENDPOINT": g.problems.url,
		},
		Set: append([]string{
			fmt.Sprintf("processors::groupbytrace::wait_duration: %s", wait),
			fmt.Sprintf("connectors::span_metrics::metrics_flush_interval: %s", flush),
			fmt.Sprintf("receivers::kafka/records::session_timeout: %s", sessionTimeout),
			fmt.Sprintf("receivers::kafka/counts::session_timeout: %s", sessionTimeout),
		}, set...),
	})
	return g
}

// balanced waits until every gateway has the same share of the partitions of both groups and topics: before that, a trace may
// move from one to another.
func balanced(t *testing.T, gateways ...*gateway) {
	t.Helper()
	share := float64(2 * 2 * partitions / len(gateways))
	require.Eventually(t, func() bool {
		for _, g := range gateways {
			if g.Metric(t, "otelcol_kafka_receiver_partition_start_total")-g.Metric(t, "otelcol_kafka_receiver_partition_close_total") != share {
				return false
			}
		}
		return true
	}, time.Minute, 200*time.Millisecond, "the gateways don't share the partitions")
}

// spans returns how often each span arrived at the gateway's backend, and the traces it is of.
func (g *gateway) spans() (spans map[pcommon.SpanID]int, traces map[pcommon.TraceID]bool) {
	spans, traces = map[pcommon.SpanID]int{}, map[pcommon.TraceID]bool{}
	for _, td := range g.sink.Traces() {
		for _, rs := range td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				for _, s := range ss.Spans().All() {
					spans[s.SpanID()]++
					traces[s.TraceID()] = true
				}
			}
		}
	}
	return spans, traces
}

// arrived returns how often each span arrived anywhere.
func arrived(gateways ...*gateway) map[pcommon.SpanID]int {
	all := map[pcommon.SpanID]int{}
	for _, g := range gateways {
		spans, _ := g.spans()
		for id, n := range spans {
			all[id] += n
		}
	}
	return all
}

// requireRecords waits until every span and a document of every failure arrived, and returns how many spans came again.
func requireRecords(t *testing.T, f *traffic, gateways ...*gateway) (duplicates int) {
	t.Helper()
	require.Eventually(t, func() bool { return len(arrived(gateways...)) >= len(f.spans) }, 2*time.Minute, 200*time.Millisecond, "spans")
	missing := func() (n int) {
		for id := range f.failures {
			found := false
			for _, g := range gateways {
				found = found || g.problems.has(id)
			}
			if !found {
				n++
			}
		}
		return n
	}
	require.Eventually(t, func() bool { return missing() == 0 }, time.Minute, 200*time.Millisecond, "documents")
	for id, n := range arrived(gateways...) {
		require.True(t, f.spans[id], "a span that nobody sent")
		duplicates += n - 1
	}
	return duplicates
}

// problems is a receiver of problem documents.
type problems struct {
	url  string
	mu   sync.Mutex
	seen map[string]bool // span id
}

func newProblems(t *testing.T) *problems {
	p := &problems{seen: map[string]bool{}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

func (p *problems) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var document struct {
		SpanID string `json:"span_id"`
	}
	if json.NewDecoder(req.Body).Decode(&document) != nil || document.SpanID == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[document.SpanID] = true
}

func (p *problems) has(id pcommon.SpanID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen[id.String()]
}

// counts returns the calls that Prometheus knows, all gateways together, as traffic.counts has them.
func counts(t *testing.T, prometheus *promserver.Server) map[string]float64 {
	t.Helper()
	got := map[string]float64{}
	for _, s := range prometheus.Query(t, "harness_calls_total") {
		got[key(s.Labels)] += s.Value
	}
	return got
}

func total(counts map[string]float64) (sum float64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}
