package main

import (
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"github.com/harnesserr/harnesserr/dashboards/contract"
)

// telemetryHealth shows whether the other dashboards can be trusted.
func telemetryHealth() *dashboard.DashboardBuilder {
	total := func(metric string, m ...string) string { return orZero(counted(sel(metric, m...), wRange)) }
	perLabel := func(metric, label string) string { return counted(sel(metric), wInterval, label) }
	fallback := sel(contract.Classified, eq(contract.LabelEvidence, contract.EvidenceFallback))
	b := page(uidHealth, "Telemetry health",
		"What the processor saw, how sure it was, what it removed, and what got lost on the way: whether the other dashboards can be trusted.")

	b = b.WithRow(row(1, "Now")).
		WithPanel(number(10, "Records seen",
			explain("Spans, log records and metric points the processor looked at in the time range.",
				"Zero: nothing arrives, or the processor is not in the pipeline.")).
			Span(4).WithTarget(now("A", total(contract.RecordsSeen), "records"))).
		WithPanel(number(11, "Classified",
			explain("Records that got a code in the time range, expected and interrupted ones included.",
				"Compare with the failures you know of; too few means that a framework's telemetry is not recognised.")).
			Span(4).WithTarget(now("A", total(contract.Classified), "records"))).
		WithPanel(number(12, "Fallback share",
			explain("Share of classified records that no table explains: they got the catch-all code of their operation. \"no failures\" means there was nothing to classify.",
				"Above 5 %: run harnesserr explain --gaps on a sample and add rules for the first lines of the list below.")).
			Span(4).Unit(unitRatio).Decimals(1).NoValue("no failures").
			Thresholds(steps(base("green"), step(0.05, "orange"), step(0.2, "red"))).ColorScheme(colour(dashboard.FieldColorModeIdThresholds)).
			WithTarget(now("A", ratio(fallback, sel(contract.Classified), wRange), "fallback"))).
		WithPanel(lossNumber(13, "Peers folded into \"other\"",
			"Spans in the time range whose peer became \"other\", because the bound on peers was reached.",
			"Raise peers.max, or use peers.allow and peers.rename to keep names few.",
			total(contract.PeersFolded), "spans")).
		WithPanel(lossNumber(14, "Calls without labels",
			"Calls in the series of span_metrics past its cardinality limit. They are in no ratio and in no panel.",
			"Raise aggregation_cardinality_limit, or find the label with too many values.",
			total(contract.Calls, eq(contract.LabelOverflow, "true")), "calls")).
		WithPanel(lossNumber(15, "Points not merged",
			"Metric points that became equal when error.type was rewritten and could not be merged, since their start times differ.",
			"Harmless in small numbers; many of them mean that producers restart all the time.",
			total(contract.PointsUnmerged), "points"))

	b = b.WithRow(row(2, "What is seen and how sure the codes are")).
		WithPanel(bars(20, "Records seen by signal",
			explain("Spans (traces), log records (logs) and metric points (metrics) per interval.",
				"A signal that stops is a pipeline or an exporter that stopped.")).
			NoValue("The processor's own metrics do not reach this store").
			WithTarget(over("A", perLabel(contract.RecordsSeen, contract.LabelSignal), "{{"+contract.LabelSignal+"}}"))).
		WithPanel(bars(21, "Classified by evidence",
			explain("What decided the code, per interval, from a harness error object (surest) to the bare span status and the fallback (least sure).",
				"Much \"status\" and \"fallback\": improve the instrumentation or write rules. Much \"message\": the text may change with the next version of the library.")).
			WithTarget(over("A", perLabel(contract.Classified, contract.LabelEvidence), "{{"+contract.LabelEvidence+"}}"))).
		WithPanel(ranking(22, "Original types without a rule",
			explain("What stood in error.type of the failures that only the fallback caught, the most frequent first.",
				"One rule for the first line removes most of the gap: harnesserr explain --gaps prints a stub for it.")).
			NoValue("Every failure was explained").
			WithTarget(now("A", "topk(15, "+counted(sel(contract.Fallbacks), wRange, contract.LabelOriginalType)+" > 0)", "{{"+contract.LabelOriginalType+"}}")))

	b = b.WithRow(row(3, "Redaction")).
		WithPanel(bars(30, "Redactions by rule",
			explain("Replacements per interval by the rule that made them. Neither the text nor its length is kept anywhere.",
				"A new credential rule that fires means that a secret was in error text at its source: rotate it and fix the source.")).
			NoValue("Nothing was redacted in this time range").Span(12).
			WithTarget(over("A", perLabel(contract.Redactions, contract.LabelRule), "{{"+contract.LabelRule+"}}"))).
		WithPanel(ranking(31, "Redactions by place",
			explain("Where the replaced text stood: status message, exception, body, payload attribute and so on.",
				"Text that is redacted again and again in one place comes from one line of code: find it.")).
			NoValue("Nothing was redacted in this time range").Span(12).
			WithTarget(now("A", "sort_desc("+counted(sel(contract.Redactions), wRange, contract.LabelPlace)+" > 0)", "{{"+contract.LabelPlace+"}}")))

	folded := sel(contract.Calls, eq(contract.LabelPeer, contract.PeerOther), ne(contract.LabelOperation, ""))
	b = b.WithRow(row(4, "On the way out")).
		WithPanel(ratios(40, "Calls of the peer \"other\"",
			explain("Share of calls whose peer was folded into \"other\", per interval.",
				"Above a few per cent the pages by peer hide the new peers: raise the bound or narrow the names.")).
			Span(6).
			WithTarget(over("A", ratio(folded, sel(contract.Calls, ne(contract.LabelOperation, "")), wInterval), "other"))).
		WithPanel(ratios(41, "Exporter queues",
			explain("How full the sending queue of each exporter is. 100 % means that the next batch is refused.",
				"Filling slowly: the backend is slow. Full: it is down; with a persistent queue nothing is lost until the disk is full.")).
			Span(6).Max(1).Thresholds(steps(base("green"), step(0.5, "orange"), step(0.8, "red"))).
			WithTarget(over("A", queueFill(), "{{"+contract.LabelExporter+"}}"))).
		WithPanel(bars(42, "Records the exporters gave up",
			explain("Spans, log records and metric points that an exporter failed to send and will not try again, per interval.",
				"See the collector's log for the reason; permanent errors are mostly limits or credentials of the backend.")).
			Span(6).NoValue("The collector's own metrics do not reach this store").
			WithTarget(over("A", orZero(counted(sel(contract.SendFailedSpans), wInterval)), "spans")).
			WithTarget(over("B", orZero(counted(sel(contract.SendFailedLogs), wInterval)), "log records")).
			WithTarget(over("C", orZero(counted(sel(contract.SendFailedMetrics), wInterval)), "metric points"))).
		WithPanel(bars(43, "Records passed on untouched",
			explain("Records the processor could not handle and passed on as they came, per interval. They are counted as healthy.",
				"There should be none: see the collector's log, and report it with the record if you can.")).
			Span(6).
			WithTarget(over("A", orZero(counted(sel(contract.RecordErrors), wInterval)), "records")))
	return b
}

// lossNumber is grey at zero and orange above.
func lossNumber(id uint32, title, read, do, expr, legend string) panelBuilder {
	return number(id, title, explain(read, do)).Span(4).
		Thresholds(steps(base(calmGrey), step(1, "orange"))).
		ColorScheme(colour(dashboard.FieldColorModeIdThresholds)).
		WithTarget(now("A", expr, legend))
}

// queueFill names the case that no exporter has a queue, which is sound, rather
// than to show an empty panel.
func queueFill() string {
	by := "max by (" + contract.LabelExporter + ") "
	fill := by + "(" + contract.QueueSize + ") / " + by + "(" + contract.QueueCapacity + ")"
	return fill + ` or (label_replace(vector(0), "` + contract.LabelExporter + `", "no exporter has a queue", "", "") unless on () ` + contract.QueueSize + ")"
}
