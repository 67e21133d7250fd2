package main

import (
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"

	"github.com/harnesserr/harnesserr/dashboards/contract"
)

type panelBuilder = cog.Builder[dashboard.Panel]

// onePeer is everything about one remote agent, MCP server, tool or provider.
func onePeer() *dashboard.DashboardBuilder {
	s := fleet()
	s.peer, s.everyHop = eq(contract.LabelPeer, "$peer"), true
	b := onePeerVariables(page(uidPeer, "One peer",
		"One remote agent, MCP server, tool or model provider: its methods, reasons, task states, durations and last failures."))

	b = ratioNumbers(b.WithRow(row(1, "Now: $peer")), 10, s).
		WithPanel(number(13, "Calls",
			explain("Finished operations towards this peer in the time range.",
				"No calls at all: see whether its callers still run, or whether it was renamed.")).
			Span(4).
			WithTarget(now("A", orZero(counted(s.calls(), wRange)), "calls"))).
		WithPanel(number(14, "95 % are faster than",
			explain("95th percentile of the duration of all calls to this peer in the time range, from histogram buckets: an estimate between two bucket bounds.",
				"Compare with the time-outs of the callers. If it is close to one, time-outs are next.")).
			Span(4).Unit(unitSeconds).NoValue("no calls").
			WithTarget(now("A", quantile(0.95, s.durations(), wRange), "p95"))).
		WithPanel(number(15, "Saved by a retry",
			explain("Failed attempts towards this peer whose parent operation went well in the end. They are in no ratio.",
				"A rise here comes before a rise of failures.")).
			Span(4).
			WithTarget(now("A", orZero(counted(saved(s), wRange)), "attempts")))

	b = codeBars(b.WithRow(row(2, "By code")), 20, s)

	b = b.WithRow(row(3, "Methods, reasons and task states")).
		WithPanel(grid(30, "Methods",
			explain("MCP and A2A methods of this peer with calls and the three ratios in the time range.",
				"One bad method among good ones is a capability or a contract; all bad is the peer or the way to it."),
			ratioTargets(s.only(ne(contract.LabelMethod, "")), contract.LabelMethod), "Calls",
			append([]column{text(contract.LabelMethod, "Method")}, ratioColumns()...)...,
		).Span(10)).
		WithPanel(ranking(31, "Failures by reason",
			explain("The peer's own reason, as A2A's ErrorInfo gives it, of each failure in the time range. Several reasons share a code and even a status; the reason tells them apart.",
				"VERSION_NOT_SUPPORTED: a client population was left behind. TASK_NOT_FOUND: tasks are kept for a shorter time than clients expect. INVALID_AGENT_RESPONSE: the peer broke the contract.")).
			Height(9).Span(8).NoValue("No failure gave a reason").
			WithTarget(now("A", "sort_desc("+counted(s.failures().with(ne(contract.LabelReason, "")), wRange, contract.LabelReason)+" > 0)", "{{"+contract.LabelReason+"}}"))).
		WithPanel(ranking(32, "Task states that ended or hold up work",
			explain("A2A and MCP tasks of this peer by the state that made them a failure or an interruption: failed, rejected, canceled, input_required, auth_required. Tasks that completed are not shown.",
				"Rejected: the peer declines this work by design. Input or authentication required: somebody has to answer. Failed: open the code's runbook.")).
			Height(9).Span(6).NoValue("No task failed or waits").
			WithTarget(now("A", "sort_desc("+counted(s.calls().with(ne(contract.LabelTaskState, ""), ne(contract.LabelMirror, "true")), wRange, contract.LabelTaskState)+" > 0)", "{{"+contract.LabelTaskState+"}}")))

	b = b.WithRow(row(4, "Duration and last failures")).
		WithPanel(seconds(40, "Duration by outcome",
			explain("Median and 95th percentile of good calls, and the 95th percentile of failed ones by class, per interval. Points are exemplars and lead to a trace.",
				"Failures at a round number of seconds are time-outs; failures faster than good calls are refusals.")).
			Span(10).Height(9).
			WithTarget(over("A", quantile(0.5, s.durations(eq(contract.LabelClass, "")), wInterval), "ok, median")).
			WithTarget(over("B", quantile(0.95, s.durations(eq(contract.LabelClass, "")), wInterval), "ok, 95 %").Exemplar(true)).
			WithTarget(over("C", quantile(0.95, s.durations(s.class), wInterval, contract.LabelClass), "{{"+contract.LabelClass+"}}, 95 %").Exemplar(true))).
		WithPanel(lastFailures(41, s))

	return waiting(b.WithRow(row(5, "What is no failure")), 50, s)
}

func lastFailures(id uint32, s scope) panelBuilder {
	by := []string{contract.LabelService, contract.LabelOperation, contract.LabelMethod, contract.LabelClass, contract.LabelCode, contract.LabelReason}
	each := counted(s.failures(), wInterval, by...)
	// The time of each step that saw a failure, in milliseconds; the largest is the last. Steps stand on whole
	// intervals, so what happened since the last one is added.
	seen := "time() * 1000 * (" + each + " > bool 0)"
	last := "(max_over_time((" + seen + ")[" + wRange + ":" + wInterval + "]) > 0) or (" + seen + " > 0)"
	return grid(id, "Last failures",
		explain("When each kind of failure of this peer was last seen (to the interval), and how often in the time range. The newest first.",
			"The code leads to its runbook and to the traces of that service."),
		[]*prometheus.DataqueryBuilder{rows("A", last), rows("B", counted(s.failures(), wRange, by...)+" > 0")},
		"Last seen",
		text("Value #A", "Last seen", prop("unit", unitFromNow)),
		text(contract.LabelService, titleService), text(contract.LabelOperation, "Operation"), text(contract.LabelMethod, "Method"),
		text(contract.LabelClass, "Class"), codeColumn(true), text(contract.LabelReason, "Reason"), integer("Value #B", "Failures"),
	).Span(14)
}

// onePeerVariables are those of [withFleet] with exactly one peer.
func onePeerVariables(b *dashboard.DashboardBuilder) *dashboard.DashboardBuilder {
	from := sel(contract.Calls, ne(contract.LabelOperation, ""))
	peer := from.with(eq(contract.LabelPeer, "$peer"))
	return withTraces(b).
		WithVariable(choice("peer", "Peer", from.with(ne(contract.LabelPeer, "")), contract.LabelPeer)).
		WithVariable(many("service", "Service", peer, contract.LabelService)).
		WithVariable(many("operation", "Operation", peer, contract.LabelOperation).AllValue(".+")).
		WithVariable(many("code", "Code", peer.with(ne(contract.LabelCode, "")), contract.LabelCode)).
		WithVariable(classVariable())
}
