package main

import (
	"strings"

	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"

	"github.com/harnesserr/harnesserr/dashboards/contract"
	"github.com/harnesserr/harnesserr/registry"
)

// outcome is a way in which a model's answer is not what was asked for.
type outcome struct {
	title   string
	codes   []string
	meaning string
	do      string
}

func outcomes() []outcome {
	return []outcome{
		{"Truncated", []string{registry.OutputTruncated},
			"The answer ended at the output token limit.",
			"Raise the limit or ask for less; the same request again is cut at the same place."},
		{"Refused", []string{registry.PolicyModelRefusal},
			"The model declined.",
			"A jump after a model or prompt change is a regression: compare with the version before."},
		{"Filtered", []string{registry.PolicyContentFiltered},
			"The provider's content filter blocked input or output.",
			"See which feature sends the text; a jump without a change on your side is the provider's filter."},
		{"Context overflow", []string{registry.ContextWindowExceeded},
			"The input did not fit into the context window.",
			"Compact earlier, drop tool results, or use a model with a larger window."},
		{"Rate limited", []string{registry.UpstreamRateLimited},
			"The provider rejected the call for its rate or quota. Attempts that a retry saved are counted too, for they show the pressure first.",
			"Honour Retry-After, spread the load, ask for quota."},
	}
}

// ofModel selects the calls that ended so. Handled attempts count for rate limits
// only.
func (o outcome) ofModel(s scope) selector {
	m := []string{oneOf(contract.LabelCode, o.codes...), s.class}
	if o.codes[0] != registry.UpstreamRateLimited {
		m = append(m, ne(contract.LabelHandled, "true"))
	}
	return s.calls().with(m...)
}

// modelProvider is about the answers of models and the health of who serves them.
func modelProvider() *dashboard.DashboardBuilder {
	model := ne(contract.LabelModel, "")
	s := fleet().only(model)
	b := withFleet(page(uidModel, "Model and provider",
		"Truncation, refusals, filters, context overflow and rate limits by model, and the health of each provider."), model)

	targets := []*prometheus.DataqueryBuilder{rows("A", counted(s.calls(), wRange, contract.LabelModel, contract.LabelPeer)+" > 0")}
	cols := []column{text(contract.LabelModel, "Model"), peerColumn("service"), integer("Value #A", "Calls")}
	for i, o := range outcomes() {
		ref := string(rune('B' + i))
		targets = append(targets, rows(ref, ratio(o.ofModel(s), s.calls(), wRange, contract.LabelModel, contract.LabelPeer)))
		cols = append(cols, percent("Value #"+ref, o.title))
	}
	b = b.WithRow(row(1, "Models")).
		WithPanel(grid(10, "How answers end, by model",
			explain("Share of each model's calls in the time range that were truncated, refused, filtered, too long or rate limited. 0 % means that it never happened.",
				"Compare models on one line each: the cheapest model is dear if a tenth of its answers is cut."),
			targets, "Calls", cols...).Span(24).Height(7))

	b = b.WithRow(row(2, "How answers end"))
	for i, o := range outcomes() {
		b = b.WithPanel(ratios(20+uint32(i), o.title,
			explain(o.meaning+" Share of each model's calls per interval; the lines across are 1 % and 5 %.", o.do)).
			WithTarget(over("A", ratio(o.ofModel(s), s.calls(), wInterval, contract.LabelModel), "{{"+contract.LabelModel+"}}")))
	}
	b = b.WithPanel(bars(25, "Unusable output by code",
		explain("Answers the harness could not use: malformed, against the schema, empty, unknown tool, wrong tool arguments, retries used up.",
			"One model only: its prompt or output mode. All models: the schema or tool list changed.")).
		DataLinks(linkList(codeLinks()...)).
		WithTarget(over("A", counted(fleet().failures().with(match(contract.LabelCode, "output\\..*")), wInterval, contract.LabelCode), "{{"+contract.LabelCode+"}}")))

	provider := fleet().only(oneOf(contract.LabelOperation, "chat", "text_completion", "embeddings"), ne(contract.LabelPeer, ""))
	health := strings.Join([]string{registry.UpstreamRateLimited, registry.UpstreamOverloaded, registry.UpstreamUnavailable, registry.UpstreamAuthenticationFailed}, "|")
	b = b.WithRow(row(3, "Providers")).
		WithPanel(bars(30, "Provider trouble",
			explain("Rate limits, overload, outages and rejected credentials of model providers, per interval; attempts that a retry saved are counted too.",
				"One provider: fail over. All at once: look at your own network and keys.")).
			DataLinks(linkList(codeLinks()...)).
			WithTarget(over("A", counted(provider.calls().with(match(contract.LabelCode, health), provider.class, ne(contract.LabelPropagated, "true")), wInterval, contract.LabelPeer, contract.LabelCode),
				"{{"+contract.LabelPeer+"}}: {{"+contract.LabelCode+"}}")))
	k := kinds()[2]
	return b.
		WithPanel(ratios(31, k.ratio+" by provider",
			explain(k.meaning+" Share of all model calls to the provider per interval.", k.firstStep)).
			WithTarget(over("A", ratio(provider.failed(k.class), provider.calls(), wInterval, contract.LabelPeer), "{{"+contract.LabelPeer+"}}"))).
		WithPanel(seconds(32, "Duration by model, 95th percentile",
			explain("95 % of a model's calls are faster than this, per interval, good and failed ones together; an estimate between bucket bounds.",
				"A rise with overload beside it is the provider; a rise alone is longer prompts or answers.")).
			WithTarget(over("A", quantile(0.95, s.durations(), wInterval, contract.LabelModel), "{{"+contract.LabelModel+"}}").Exemplar(true)))
}
