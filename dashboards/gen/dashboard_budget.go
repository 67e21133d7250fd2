package main

import (
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"

	"github.com/harnesserr/harnesserr/dashboards/contract"
)

// errorBudget reads the recording rules: it needs a store that evaluates them.
func errorBudget() *dashboard.DashboardBuilder {
	peer, class := match(contract.LabelPeer, "$peer"), match(contract.LabelClass, "$class")
	burn := func(window string) string {
		// Added up so that the name of the series goes: rows of a table are merged on all their labels.
		return sumBy(sel(contract.RecBurn+window, peer, class).String(), contract.LabelPeer, contract.LabelClass)
	}
	from := sel(contract.RecCalls)
	b := page(uidBudget, "Error budget",
		"How fast each peer uses up what the objective allows, by class, and what is left of it.").
		WithVariable(many("peer", "Peer", from, contract.LabelPeer)).
		WithVariable(classVariable())

	targets := []*prometheus.DataqueryBuilder{rows("A", "1 - "+burn(contract.BudgetPeriod))}
	cols := []column{peerColumn(), text(contract.LabelClass, "Class"), budgetColumn("Value #A", "Budget left")}
	for i, w := range burnWindows() {
		ref := string(rune('B' + i))
		targets = append(targets, rows(ref, burn(duration(w))))
		cols = append(cols, burnColumn("Value #"+ref, "Burn "+duration(w)))
	}
	b = b.WithRow(row(1, "Budget")).
		WithPanel(grid(10, "Budget left and burn rates",
			explain("For each peer and class: the share of the "+contract.BudgetPeriod+" budget that is left (or of as much of that time as the store holds), and how many times too fast it was used over windows of 5 minutes to 3 days. 1 uses up the budget exactly; an empty peer is the harness itself. An empty table means that the store does not evaluate the recording rules.",
				"A high short window and a low long one is a burst that may be over; high on all of them is an incident. Objectives are set in rules/recording.yaml, "+contract.RecObjective+"."),
			targets, "Burn 1h", cols...).Span(24))

	b = b.WithRow(row(2, "Burn rate over one hour"))
	for i, k := range kinds() {
		b = b.WithPanel(timeline(20+uint32(i), k.plural+": burn rate",
			explain(k.meaning+" Failure ratio of the hour divided by the budget, one line a peer. The lines across are where the alerts for a slow, a fast and a very fast burn begin (each needs its short window too).",
				"Above 1 for days: fix the most frequent code. Above the top line: act now, the budget of the month is gone in two days.")).
			NoValue("No call recorded yet: does the store evaluate the recording rules?").
			LineWidth(2).Thresholds(burnSteps()).
			ThresholdsStyle(common.NewGraphThresholdsStyleConfigBuilder().Mode(common.GraphThresholdsStyleModeLine)).
			WithTarget(over("A", sel(contract.RecBurn+"1h", peer, ne(contract.LabelPeer, ""), eq(contract.LabelClass, k.class)).String(), "{{"+contract.LabelPeer+"}}")))
	}

	firing := sel(contract.Alerts, eq(contract.LabelAlertState, "firing"), match(contract.LabelAlertName, alertPrefix+".*"))
	none := `(label_replace(vector(0), "` + contract.LabelAlertName + `", "no alert", "", "") unless on () ` + firing.String() + ")"
	return b.WithRow(row(3, "Alerts")).
		WithPanel(states(30, "Firing alerts",
			explain("When each alert fired. One line an alert, all peers together.",
				"Open the alert's runbook: its name is in the index under Runbooks at the top."),
			map[string]dashboard.ValueMappingResult{
				"0": {Text: ptr("quiet"), Color: ptr("green"), Index: ptr[int32](0)},
				"1": {Text: ptr("firing"), Color: ptr("red"), Index: ptr[int32](1)},
			}).
			WithTarget(over("A", "max by ("+contract.LabelAlertName+") ("+firing.String()+") or "+none, "{{"+contract.LabelAlertName+"}}")))
}

func burnSteps() *dashboard.ThresholdsConfigBuilder {
	p := burnAlerts()
	return steps(base("green"), step(p[2].factor, "yellow"), step(p[1].factor, "orange"), step(p[0].factor, "red"))
}

func burnColumn(field, title string) column {
	return thresholdColumn(field, title, burnSteps(), prop("unit", unitShort), prop("decimals", 2))
}

func budgetColumn(field, title string) column {
	return thresholdColumn(field, title, steps(base("red"), step(0, "orange"), step(0.25, "green")), prop("unit", unitRatio), prop("decimals", 1))
}
