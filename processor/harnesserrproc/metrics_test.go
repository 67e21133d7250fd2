package harnesserrproc

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/processor/processortest"
)

// TestPoints: error.type is rewritten on points of agent metrics, equal points become one, other metrics stay.
func TestPoints(t *testing.T) {
	md := pmetric.NewMetrics()
	metrics := md.ResourceMetrics().AppendEmpty().ScopeMetrics().AppendEmpty().Metrics()
	add := func(name string, types ...string) pmetric.NumberDataPointSlice {
		m := metrics.AppendEmpty()
		m.SetName(name)
		m.SetEmptySum().SetAggregationTemporality(pmetric.AggregationTemporalityDelta)
		for _, typ := range types {
			p := m.Sum().DataPoints().AppendEmpty()
			p.SetIntValue(1)
			p.Attributes().PutStr("gen_ai.operation.name", "chat")
			if typ != "" {
				p.Attributes().PutStr("error.type", typ)
			}
		}
		return m.Sum().DataPoints()
	}
	agent := add("gen_ai.client.operation.count", "openai.RateLimitError", "429", "", "overloaded_error")
	foreign := add("http.client.request.count", "429", "500")
	f := NewFactory()
	run := func(change func(*Config)) {
		cfg := createDefaultConfig().(*Config)
		change(cfg)
		p, err := f.CreateMetrics(t.Context(), processortest.NewNopSettings(f.Type()), cfg, consumertest.NewNop())
		require.NoError(t, err)
		require.NoError(t, p.ConsumeMetrics(t.Context(), md))
	}
	run(func(c *Config) { c.Metrics = metricsOff })
	require.Equal(t, 4, agent.Len())
	run(func(*Config) {})
	require.Equal(t, 3, agent.Len())
	require.Equal(t, "upstream.rate_limited", get(agent.At(0).Attributes(), attrErrorType))
	require.Equal(t, int64(2), agent.At(0).IntValue())
	require.Empty(t, get(agent.At(1).Attributes(), attrErrorType))
	require.Equal(t, "upstream.overloaded", get(agent.At(2).Attributes(), attrErrorType))
	require.Equal(t, "500", get(foreign.At(1).Attributes(), attrErrorType))
}
