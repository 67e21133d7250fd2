package main

import (
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"

	"github.com/harnesserr/harnesserr/dashboards/contract"
)

// agentErrors is the overview: what fails, where, and what would help.
func agentErrors() *dashboard.DashboardBuilder {
	s := fleet()
	b := withFleet(page(uidErrors, "Agent errors",
		"What fails in agents, tools and models, by registry code and by peer. Task failures, protocol errors and transport failures are three numbers."))

	b = ratioNumbers(b.WithRow(row(1, "Now")), 10, s).
		WithPanel(number(13, "Calls",
			explain("Finished operations of agents, models and tools in the time range: what the ratios divide by.",
				"A sudden drop is as telling as an error: see \"no data from a known peer\" under Error budget.")).
			Span(4).
			WithTarget(now("A", orZero(counted(s.calls(), wRange)), "calls"))).
		WithPanel(number(14, "Saved by a retry",
			explain("Failed attempts whose parent operation went well in the end. They are in no ratio.",
				"Many of them cost money and time before they become failures: look at rate limits and time-outs of the peer.")).
			Span(4).
			WithTarget(now("A", orZero(counted(saved(s), wRange)), "attempts"))).
		WithPanel(number(15, "Not failures",
			explain("Interrupted work (waits for a person, input or credentials) and expected outcomes (lost races, requested cancellations, probes), apart from every failure.",
				"Nothing, as a rule; the last row has the details.")).
			Span(4).ColorScheme(fixed(calmBlue)).
			WithTarget(now("A", orZero(counted(s.notFailures().with(eq(contract.LabelClass, contract.ClassInterrupted)), wRange)), contract.ClassInterrupted)).
			WithTarget(now("B", orZero(counted(s.notFailures().with(eq(contract.LabelClass, contract.ClassExpected)), wRange)), contract.ClassExpected)))

	b = codeBars(b.WithRow(row(2, "By code")), 20, s)

	b = b.WithRow(row(3, "By peer"))
	b = ratioLines(b, 30, s, contract.LabelPeer, "peer").
		WithPanel(peerTable(33, s)).
		WithPanel(codeTable(34, s))

	b = b.WithRow(row(4, "What would help")).
		WithPanel(ranking(40, "Failures by recommended action",
			explain("Each failure of the chosen classes once, under what would help: retry later, repair (tell the model), adjust a limit, fix the request, authenticate again, reconcile state, degrade, escalate to people.",
				"Start with the longest bar: it is one kind of work that removes most failures.")).
			WithTarget(now("A", "sort_desc("+counted(s.failures().with(ne(contract.LabelAction, "")), wRange, contract.LabelAction)+" > 0)", "{{"+contract.LabelAction+"}}"))).
		WithPanel(grid(41, "Where which action helps",
			explain("Failures of the chosen classes by recommended action, code, reason and service, the most frequent first.",
				"Take the first line to the service's owner; the code leads to its runbook and traces."),
			[]*prometheus.DataqueryBuilder{rows("A", counted(s.failures(), wRange, contract.LabelAction, contract.LabelCode, contract.LabelReason, contract.LabelService)+" > 0")},
			"Failures",
			text(contract.LabelAction, "Action"), codeColumn(true), text(contract.LabelReason, "Reason"),
			text(contract.LabelService, titleService), integer("Value", "Failures"),
		).Height(8).Span(16))

	return waiting(b.WithRow(row(5, "What is no failure")), 50, s)
}

// saved selects failed attempts under an operation that went well.
func saved(s scope) selector {
	return s.calls().with(s.code, s.class, eq(contract.LabelHandled, "true"), ne(contract.LabelPropagated, "true"), ne(contract.LabelMirror, "true"))
}

func peerTable(id uint32, s scope) panelBuilder {
	s = s.only(ne(contract.LabelPeer, ""))
	return grid(id, "Peers",
		explain("Remote agents, MCP servers, tools and model providers with their calls and the three ratios in the time range. A peer without failures shows 0 %.",
			"Follow a peer's name to its own page. Sort by a ratio to find the worst, by calls to find the most important."),
		ratioTargets(s, contract.LabelPeer), "Calls",
		append([]column{peerColumn("service")}, ratioColumns()...)...,
	)
}

func codeTable(id uint32, s scope) panelBuilder {
	return grid(id, "Failures by peer, class and code",
		explain("Each failure of the chosen classes once, where it began. An empty peer is the harness itself: loops, limits, approvals, context.",
			"The code leads to its runbook and to traces, the peer to its own page."),
		[]*prometheus.DataqueryBuilder{rows("A", counted(s.failures(), wRange, contract.LabelPeer, contract.LabelClass, contract.LabelCode)+" > 0")},
		"Failures",
		peerColumn("service"), text(contract.LabelClass, "Class"), codeColumn(false), integer("Value", "Failures"),
	)
}
