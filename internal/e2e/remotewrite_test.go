package e2e

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"gopkg.in/yaml.v3"

	"github.com/harnesserr/harnesserr/internal/e2e/otelcol"
	"github.com/harnesserr/harnesserr/internal/e2e/promserver"
)

// The gateway makes the same counters as the quick start, cumulative ones.
func TestGatewayCountsLikeTheQuickStart(t *testing.T) {
	connectors := func(file, temporality string) map[string]map[string]any {
		text, err := os.ReadFile(otelcol.Root("examples", file))
		require.NoError(t, err)
		var config struct {
			Connectors map[string]map[string]any
		}
		require.NoError(t, yaml.Unmarshal(text, &config))
		require.Equal(t, "AGGREGATION_TEMPORALITY_"+temporality, config.Connectors["span_metrics"]["aggregation_temporality"])
		delete(config.Connectors["span_metrics"], "aggregation_temporality")
		return config.Connectors
	}
	require.Equal(t, connectors("quickstart.yaml", "DELTA"), connectors("gateway.yaml", "CUMULATIVE"))
}

// SDK metrics through the agents' collector: two spellings of one failure arrive at Prometheus as one series under the registry's
// code with the sum of both, though the SDK sends deltas and Prometheus was away for a while. Kafka is not there at all.
func TestRemoteWriteOfSDKMetrics(t *testing.T) {
	prometheus := promserver.Start(t)
	c := otelcol.Start(t, otelcol.Options{Config: "agent.yaml", Env: map[string]string{
		"KAFKA_BROKERS": "[" + otelcol.FreeAddress(t) + "]", "REMOTE_WRITE_ENDPOINT": prometheus.RemoteWrite(),
	}})
	conn, err := grpc.NewClient(c.OTLP, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	client := pmetricotlp.NewGRPCClient(conn)

	start := time.Now()
	for i := range 6 {
		if i == 3 {
			prometheus.Stop(t)
		}
		_, err := client.Export(t.Context(), pmetricotlp.NewExportRequestFromMetrics(sdkDurations(start.Add(time.Duration(i)*time.Second))))
		require.NoError(t, err)
		time.Sleep(time.Second)
	}
	prometheus.Restart(t)

	want := map[string]float64{"": 12, "upstream.rate_limited": 18}
	require.Eventually(t, func() bool {
		got := prometheus.Values(t, "gen_ai_client_operation_duration_seconds_count", "error_type")
		return len(got) == len(want) && got[""] == want[""] && got["upstream.rate_limited"] == want["upstream.rate_limited"]
	}, time.Minute, 200*time.Millisecond, "%v", prometheus.Values(t, "gen_ai_client_operation_duration_seconds_count", "error_type"))
}

// sdkDurations is what an SDK exports for one second: two calls that went well and three that did not.
func sdkDurations(start time.Time) pmetric.Metrics {
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	rm.Resource().Attributes().PutStr("service.name", "planner")
	m := rm.ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName("gen_ai.client.operation.duration")
	m.SetUnit("s")
	m.SetEmptyHistogram().SetAggregationTemporality(pmetric.AggregationTemporalityDelta)
	for kind, calls := range map[string]uint64{"": 2, "RateLimitError": 1, "429": 2} {
		p := m.Histogram().DataPoints().AppendEmpty()
		p.SetStartTimestamp(pcommon.NewTimestampFromTime(start))
		p.SetTimestamp(pcommon.NewTimestampFromTime(start.Add(time.Second)))
		p.Attributes().PutStr("gen_ai.operation.name", "chat")
		p.Attributes().PutStr("gen_ai.provider.name", "openai")
		if kind != "" {
			p.Attributes().PutStr("error.type", kind)
		}
		p.ExplicitBounds().FromRaw([]float64{1, 10})
		p.BucketCounts().FromRaw([]uint64{0, calls, 0})
		p.SetCount(calls)
		p.SetSum(float64(calls) * 2)
	}
	return md
}
