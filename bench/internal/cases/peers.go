package cases

import (
	"fmt"

	"github.com/open-telemetry/opentelemetry-collector-contrib/connector/signaltometricsconnector"
	"github.com/open-telemetry/opentelemetry-collector-contrib/connector/spanmetricsconnector"
	"github.com/open-telemetry/opentelemetry-collector-contrib/processor/attributesprocessor"
	"github.com/open-telemetry/opentelemetry-collector-contrib/processor/redactionprocessor"
	"github.com/open-telemetry/opentelemetry-collector-contrib/processor/transformprocessor"

	"github.com/harnesserr/harnesserr/internal/samplebatch"
)

// peers are the stock components that would stand in the place of harnesserr, or beside it.
func peers() []Case {
	td := samplebatch.Default.Traces()
	spans := td.SpanCount()
	run := func(steps ...step) func() (*Instance, error) {
		return func() (*Instance, error) { return pipeline(td, steps...) }
	}
	redact := step{redactionprocessor.NewFactory(), redaction()}
	return []Case{
		{"peer/attributes", spans, run(step{attributesprocessor.NewFactory(), attributes()})},
		{"peer/transform30", spans, run(transform(30, false))},
		{"peer/transform200", spans, run(transform(200, false))},
		{"peer/transform30_status_error", spans, run(transform(30, true))},
		{"peer/transform200_status_error", spans, run(transform(200, true))},
		{"peer/redaction10", spans, run(redact)},
		{Stock, spans, run(transform(200, false), redact)},
		{"peer/span_metrics", spans, func() (*Instance, error) {
			return tracesToMetrics(td, spanmetricsconnector.NewFactory(), spanMetrics())
		}},
		{"peer/signal_to_metrics", spans, func() (*Instance, error) {
			return tracesToMetrics(td, signaltometricsconnector.NewFactory(), signalToMetrics())
		}},
	}
}

// Stock is what does nearest to the same with stock components: 200 statements, then 10 patterns.
const Stock = "peer/transform200+redaction10"

func attributes() raw {
	return raw{"actions": []any{
		raw{"key": "deployment.environment.name", "value": "prod", "action": "upsert"},
		raw{"key": "openai.request.service_tier", "action": "delete"},
		raw{"key": "harness.peer", "from_attribute": "server.address", "action": "insert"},
	}}
}

// transform writes error.type by n statements, half of them for finish reasons, half for exception types. With guard
// they run on spans with status ERROR only, which is cheap and misses every failure whose span is not marked.
//
// There are two groups because one flat list would run in the context of span events as a whole, and skip every span
// without events.
func transform(n int, guard bool) step {
	var spans, events []any
	for i := range n / 2 {
		spans = append(spans, fmt.Sprintf(`set(span.attributes["error.type"], "finish.%d") where `+
			`span.attributes["gen_ai.response.finish_reasons"] != nil and span.attributes["gen_ai.response.finish_reasons"][0] == %q`,
			i, finishReason(i)))
		events = append(events, fmt.Sprintf(`set(span.attributes["error.type"], "exception.%d") where spanevent.attributes["exception.type"] == %q`,
			i, exceptionType(i)))
	}
	groups := []any{raw{"statements": spans}, raw{"statements": events}}
	if guard {
		for _, g := range groups {
			g.(raw)["conditions"] = []any{`span.status.code == 2`}
		}
	}
	return step{transformprocessor.NewFactory(), raw{"error_mode": "ignore", "trace_statements": groups}}
}

func redaction() raw {
	return raw{"allow_all_keys": true, "summary": "silent", "blocked_values": []any{
		`4[0-9]{12}(?:[0-9]{3})?`, `(5[1-5][0-9]{14})`, `3[47][0-9]{13}`, `\b\d{3}-\d{2}-\d{4}\b`,
		`[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}`, `AKIA[0-9A-Z]{16}`, `sk-[A-Za-z0-9_-]{20,}`,
		`gh[pousr]_[A-Za-z0-9]{36}`, `eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+`, `(?i)bearer\s+[a-z0-9._-]+`,
	}}
}

func spanMetrics() raw {
	return raw{
		"dimensions":                      []any{raw{"name": "gen_ai.operation.name"}, raw{"name": "gen_ai.request.model"}, raw{"name": "error.type"}},
		"exclude_dimensions":              []any{"span.name", "span.kind", "collector.instance.id"},
		"metrics_flush_interval":          "1h",
		"histogram":                       raw{"unit": "s"},
		"exemplars":                       raw{"enabled": true},
		"resource_metrics_key_attributes": []any{"service.name"}, "aggregation_cardinality_limit": 1000,
	}
}

func signalToMetrics() raw {
	attrs := []any{
		raw{"key": "gen_ai.operation.name", "optional": true}, raw{"key": "gen_ai.request.model", "optional": true},
		raw{"key": "error.type", "optional": true},
	}
	service := []any{raw{"key": "service.name"}}
	return raw{"spans": []any{
		raw{"name": "calls", "include_resource_attributes": service, "attributes": attrs, "sum": raw{"value": "1", "monotonic": true}},
		raw{"name": "duration", "unit": "s", "include_resource_attributes": service, "attributes": attrs,
			"histogram": raw{"value": "Seconds(span.end_time - span.start_time)"}},
	}}
}
