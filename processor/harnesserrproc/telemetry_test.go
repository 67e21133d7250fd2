package harnesserrproc

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/metadatatest"
)

func TestOwnMetrics(t *testing.T) {
	tel := componenttest.NewTelemetry()
	t.Cleanup(func() { require.NoError(t, tel.Shutdown(context.Background())) })
	f := NewFactory()
	cfg := createDefaultConfig().(*Config)
	cfg.Peers.Max = 1
	p, err := f.CreateTraces(t.Context(), metadatatest.NewSettings(tel), cfg, consumertest.NewNop())
	require.NoError(t, err)
	td := parseSpans(t, `
1 "chat m" gen_ai.operation.name=chat gen_ai.provider.name=openai status=ERROR:"" exception=openai.RateLimitError:"Error code: 429"
2 "chat m" gen_ai.operation.name=chat gen_ai.provider.name=anthropic gen_ai.response.finish_reasons=[refusal]
3 "chat m" gen_ai.operation.name=chat gen_ai.provider.name=openai error.type=Zorp status=ERROR:""
4 POST CLIENT http.request.method=POST error.type=500 status=ERROR:""
`)
	require.NoError(t, p.ConsumeTraces(t.Context(), td))
	same := metricdatatest.IgnoreTimestamp()
	metadatatest.AssertEqualProcessorHarnesserrRecordsSeen(t, tel, []metricdata.DataPoint[int64]{
		{Value: 3, Attributes: attribute.NewSet(attribute.String("signal", "traces"))}}, same)
	metadatatest.AssertEqualProcessorHarnesserrClassified(t, tel, []metricdata.DataPoint[int64]{
		{Value: 1, Attributes: attribute.NewSet(attribute.String("code", "upstream.rate_limited"), attribute.String("evidence", "exception"))},
		{Value: 1, Attributes: attribute.NewSet(attribute.String("code", "policy.model_refusal"), attribute.String("evidence", "stop_reason"))},
		{Value: 1, Attributes: attribute.NewSet(attribute.String("code", "harness.internal_error"), attribute.String("evidence", "fallback"))}}, same)
	metadatatest.AssertEqualProcessorHarnesserrFallbacks(t, tel, []metricdata.DataPoint[int64]{
		{Value: 1, Attributes: attribute.NewSet(attribute.String("signal", "traces"), attribute.String("original_type", "Zorp"))}}, same)
	metadatatest.AssertEqualProcessorHarnesserrPeersFolded(t, tel, []metricdata.DataPoint[int64]{{Value: 1}}, same)
}
