package main

import (
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"

	"github.com/harnesserr/harnesserr/dashboards/contract"
)

// kind is a failure class in words. The three are shown side by side and never
// added up: a broken agent must not hide behind a healthy protocol.
type kind struct {
	class              string
	ratio, plural      string // "Task failure ratio", "Task failures"
	meaning, firstStep string
}

func kinds() [3]kind {
	return [3]kind{
		{
			contract.ClassTaskFailure, "Task failure ratio", "Task failures",
			"The call was served, the work ended badly: agent, tool, model output, policy or limit.",
			"Look for the code that grew, open its runbook, and ask what changed in prompts, tools or limits. Sending the same message again makes a second task, it does not repair the first.",
		},
		{
			contract.ClassProtocolError, "Protocol error ratio", "Protocol errors",
			"The peer understood that a request came, and would not or could not serve it, or one of the two broke the contract.",
			"Compare versions, capabilities and request shapes of the two sides; a rise after a deploy means one population was left behind.",
		},
		{
			contract.ClassTransportFailure, "Transport failure ratio", "Transport failures",
			"Nothing was served: network, TLS, time-out, rate or capacity limit, or rejected credentials.",
			"See whether one peer or all are hit, check the peer's status page, quotas and credentials; back off rather than retry in a tight loop.",
		},
	}
}

// ratioNumbers are the three ratios over the whole time range.
func ratioNumbers(b *dashboard.DashboardBuilder, id uint32, s scope) *dashboard.DashboardBuilder {
	for i, k := range kinds() {
		b = b.WithPanel(share(id+uint32(i), k.ratio,
			explain(k.meaning+" Failed operations as a share of all calls in the time range; failed attempts that a retry saved are left out. 0 % means calls and no failure, \"no calls\" means neither.", k.firstStep)).
			Span(4).
			WithTarget(now("A", ratio(s.failed(k.class), s.calls(), wRange), k.plural)))
	}
	return b
}

// codeBars are the failures by code over time, one panel a class.
func codeBars(b *dashboard.DashboardBuilder, id uint32, s scope) *dashboard.DashboardBuilder {
	once := "a failure stands in one bar only, where it began"
	if s.everyHop {
		once = "every failed call counts, also where the cause lies behind the peer"
	}
	for i, k := range kinds() {
		b = b.WithPanel(bars(id+uint32(i), k.plural+" by code",
			explain(k.meaning+" Each bar is one interval, each colour a code; "+once+". The first of a code ever is shown like any other. Points are exemplars: each leads to a trace, its height is the duration of that call in seconds.", k.firstStep)).
			DataLinks(linkList(codeLinks()...)).
			WithTarget(over("A", counted(s.failuresOf(k.class), wInterval, contract.LabelCode), "{{"+contract.LabelCode+"}}").Exemplar(true)))
	}
	return b
}

// ratioLines are the three ratios over time, by a label.
func ratioLines(b *dashboard.DashboardBuilder, id uint32, s scope, by, what string) *dashboard.DashboardBuilder {
	s = s.only(ne(by, ""))
	for i, k := range kinds() {
		b = b.WithPanel(ratios(id+uint32(i), k.ratio+" by "+what,
			explain(k.meaning+" One line a "+what+"; the lines across are 1 % and 5 %. A "+what+" with calls and no failure stays at 0 %, a gap means no calls.", k.firstStep)).
			WithTarget(over("A", ratio(s.failed(k.class), s.calls(), wInterval, by), "{{"+by+"}}")))
	}
	return b
}

// ratioTargets are the queries of a table row: calls (A) and the three ratios (B,
// C, D) over the time range.
func ratioTargets(s scope, by ...string) []*prometheus.DataqueryBuilder {
	out := []*prometheus.DataqueryBuilder{rows("A", counted(s.calls(), wRange, by...)+" > 0")}
	for i, k := range kinds() {
		out = append(out, rows(string(rune('B'+i)), ratio(s.failed(k.class), s.calls(), wRange, by...)))
	}
	return out
}

func ratioColumns() []column {
	cols := []column{integer("Value #A", "Calls")}
	for i, k := range kinds() {
		cols = append(cols, percent("Value #"+string(rune('B'+i)), k.ratio))
	}
	return cols
}

// waiting are the panels of what is no failure: waiting for someone, or expected.
func waiting(b *dashboard.DashboardBuilder, id uint32, s scope) *dashboard.DashboardBuilder {
	c := contract.LabelClass
	calm := func(name, c string) (string, []dashboard.DynamicConfigValue) {
		return name, []dashboard.DynamicConfigValue{prop("color", map[string]any{"mode": "fixed", "fixedColor": c})}
	}
	series := bars(id, "Interrupted and expected",
		explain("What looks like a failure and is none. Interrupted work waits for a person, input or credentials; expected are lost cancel races, requested cancellations and negotiation probes. Neither is part of any ratio or alert.",
			"Nothing, as a rule. A growing pile of interrupted work means that nobody answers: see who owns the approvals.")).
		NoValue("Nothing was interrupted in this time range").
		WithTarget(over("A", counted(s.notFailures(), wInterval, c), "{{"+c+"}}"))
	series = series.OverrideByName(calm(contract.ClassInterrupted, calmBlue)).OverrideByName(calm(contract.ClassExpected, calmGrey))
	return b.WithPanel(series.Span(12)).
		WithPanel(grid(id+1, "What was interrupted or expected",
			explain("The same by operation, peer and reason over the time range.",
				"Read it when a number on the left is unlike other days; a new reason may deserve a rule of your own."),
			[]*prometheus.DataqueryBuilder{rows("A", counted(s.notFailures(), wRange, c, contract.LabelOperation, contract.LabelPeer, contract.LabelReason)+" > 0")},
			"Count",
			text(c, "Class"), text(contract.LabelOperation, "Operation"), text(contract.LabelPeer, "Peer"), text(contract.LabelReason, "Reason"), integer("Value", "Count"),
		).Height(8).NoValue("Nothing was interrupted in this time range"))
}
