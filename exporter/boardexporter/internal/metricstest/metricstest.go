// Package metricstest makes the metrics that the tests of the board push.
package metricstest

import (
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Name of the counter; in the store it is [Series].
const (
	Name   = "harness.calls"
	Series = "harness_calls_total"
)

// Point of the counter of one peer.
type Point struct {
	Peer  string
	Value int64
	At    time.Time
	Start time.Time // zero: not told
	Trace byte      // first byte of an exemplar's trace id; 0: no exemplar
	Stale bool      // "no recorded value"
}

// Counter returns a cumulative counter of the service "svc".
func Counter(points ...Point) pmetric.Metrics {
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	rm.Resource().Attributes().PutStr("service.name", "svc")
	rm.Resource().Attributes().PutStr("service.namespace", "shop")
	m := rm.ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName(Name)
	m.SetDescription("Calls of the harness.")
	sum := m.SetEmptySum()
	sum.SetIsMonotonic(true)
	sum.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	for _, p := range points {
		add(sum.DataPoints().AppendEmpty(), p)
	}
	return md
}

func add(dp pmetric.NumberDataPoint, p Point) {
	dp.Attributes().PutStr("harness.peer", p.Peer)
	dp.SetTimestamp(pcommon.NewTimestampFromTime(p.At))
	if !p.Start.IsZero() {
		dp.SetStartTimestamp(pcommon.NewTimestampFromTime(p.Start))
	}
	dp.SetIntValue(p.Value)
	dp.SetFlags(dp.Flags().WithNoRecordedValue(p.Stale))
	if p.Trace != 0 {
		e := dp.Exemplars().AppendEmpty()
		e.SetTimestamp(pcommon.NewTimestampFromTime(p.At))
		e.SetDoubleValue(0.25)
		e.SetTraceID(pcommon.TraceID{p.Trace})
		e.SetSpanID(pcommon.SpanID{p.Trace})
	}
}
