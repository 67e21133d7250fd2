package boardexporter

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metadatatest"
	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metricstest"
)

func TestOwnMetrics(t *testing.T) {
	tel := componenttest.NewTelemetry()
	cfg := testConfig(t.TempDir())
	cfg.SampleInterval = 2 * time.Minute // ticks are made by hand
	cfg.MaxSeries = 2
	r := runWith(t, cfg, tel.NewTelemetrySettings(), componenttest.NewNopHost())

	now := time.Now()
	require.NoError(t, r.push(t.Context(), metricstest.Counter(
		metricstest.Point{Peer: "a", Value: 2, At: now, Start: now.Add(-time.Second)},
		metricstest.Point{Peer: "a", Value: 1, At: now.Add(-time.Millisecond), Start: now.Add(-time.Second)},
		metricstest.Point{Peer: "b", Value: 1, At: now, Start: now})))
	require.Error(t, r.push(t.Context(), metricstest.Counter(metricstest.Point{Peer: "c", Value: 1, At: now})))
	require.NoError(t, r.tick(t.Context(), now.Add(time.Second)))
	r.get("/api/v1/query?query=1")
	r.get("/api/v1/query?query=")
	r.get("/api/v1/nothing")

	loose := metricdatatest.IgnoreTimestamp()
	noExemplars := metricdatatest.IgnoreExemplars()
	metadatatest.AssertEqualExporterBoardSamples(t, tel, []metricdata.DataPoint[int64]{{Value: 2}}, loose, noExemplars)
	metadatatest.AssertEqualExporterBoardSeries(t, tel, []metricdata.DataPoint[int64]{{Value: 2}}, loose, noExemplars)
	metadatatest.AssertEqualExporterBoardFailingRules(t, tel, []metricdata.DataPoint[int64]{{Value: 0}}, loose, noExemplars)
	metadatatest.AssertEqualExporterBoardRefused(t, tel, []metricdata.DataPoint[int64]{
		point("reason", "late", 1), point("reason", "series_limit", 1),
	}, loose, noExemplars)
	metadatatest.AssertEqualExporterBoardRequests(t, tel, []metricdata.DataPoint[int64]{
		point("outcome", "success", 1), point("outcome", "bad_data", 1), point("outcome", "not_found", 1),
	}, loose, noExemplars)
	metadatatest.AssertEqualExporterBoardSamplingDuration(t, tel, []metricdata.HistogramDataPoint[float64]{{}},
		loose, noExemplars, metricdatatest.IgnoreValue())
	metadatatest.AssertEqualExporterBoardStoreSize(t, tel, []metricdata.DataPoint[int64]{
		point("part", "blocks", 0), point("part", "head", 0),
	}, loose, noExemplars, metricdatatest.IgnoreValue())
	r.stop()
	require.NoError(t, tel.Shutdown(t.Context()))
}

func point(key, val string, n int64) metricdata.DataPoint[int64] {
	return metricdata.DataPoint[int64]{Attributes: attribute.NewSet(attribute.String(key, val)), Value: n}
}
