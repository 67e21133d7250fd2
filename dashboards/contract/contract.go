// Package contract names the metrics, labels and label values that collector
// configurations, rules and dashboards have to agree on. A test of the generator
// shows that renaming one here breaks exactly the panels that use it.
package contract

// Series made by one span_metrics connector (namespace "harness", histogram in
// seconds) from spans that passed the harnesserr processor, and by
// signal_to_metrics from log records that no span stands for. The names are
// those of a Prometheus store; in OTLP they are harness.calls and
// harness.duration.
const (
	// Calls counts finished operations: healthy, failed, expected and
	// interrupted ones. Failures and their denominator are this one family.
	Calls = "harness_calls_total"
	// DurationBucket holds the durations of the same operations in seconds. It
	// serves quantiles only: on some ways into a store its first value is not
	// preceded by a zero.
	DurationBucket = "harness_duration_seconds_bucket"
)

// Labels of [Calls] and [DurationBucket]. An attribute the span lacks is an
// absent label, which PromQL treats as the empty string.
const (
	LabelService  = "service_name"
	LabelOverflow = "otel_metric_overflow" // "true" on the one series past the connector's cardinality limit

	LabelOperation  = "harness_operation" // set on every recognised span: the denominator
	LabelPeer       = "harness_peer"
	LabelMethod     = "harness_method"
	LabelCode       = "harness_error_code"
	LabelClass      = "harness_error_class"
	LabelOrigin     = "harness_error_origin"
	LabelAction     = "harness_error_action"
	LabelReason     = "harness_error_upstream_reason"
	LabelTaskState  = "harness_error_upstream_task_state"
	LabelPropagated = "harness_error_propagated"
	LabelHandled    = "harness_error_handled"
	LabelMirror     = "harness_error_mirror"
	LabelModel      = "gen_ai_request_model"
)

// Dimensions are the span attributes that the span_metrics connector has to turn
// into labels, in the order of its configuration. service.name is a dimension
// of the connector's own.
func Dimensions() []string {
	return []string{
		"harness.operation",
		"harness.peer",
		"harness.method",
		"harness.error.code",
		"harness.error.class",
		"harness.error.origin",
		"harness.error.action",
		"harness.error.upstream.reason",
		"harness.error.upstream.task_state",
		"harness.error.propagated",
		"harness.error.handled",
		"harness.error.mirror",
		"gen_ai.request.model",
	}
}

// Values of [LabelClass]. The first three are failures; the last two are not and
// never raise an alert.
const (
	ClassTaskFailure      = "task_failure"
	ClassProtocolError    = "protocol_error"
	ClassTransportFailure = "transport_failure"
	ClassInterrupted      = "interrupted"
	ClassExpected         = "expected"
)

// FailureClasses are the classes that count as failures, in the order every
// dashboard shows them.
func FailureClasses() []string {
	return []string{ClassTaskFailure, ClassProtocolError, ClassTransportFailure}
}

// PeerOther is the value of [LabelPeer] once the processor's bound on peers is
// reached.
const PeerOther = "other"

// The processor's own metrics. All are counters. The names are those of a
// Prometheus store that keeps the type suffix: the collector's own Prometheus
// reader needs without_type_suffix: false, the OTLP way adds it by itself.
const (
	// RecordsSeen counts the spans, log records and metric points looked at, by
	// [LabelSignal].
	RecordsSeen = "otelcol_processor_harnesserr_records_seen_total"
	// Classified counts the records that got a code, by [LabelSelfCode] and
	// [LabelEvidence].
	Classified = "otelcol_processor_harnesserr_classified_total"
	// Fallbacks counts the failures no table explains, by [LabelOriginalType]: what
	// stood in error.type, redacted, a bounded number of values, then "other".
	Fallbacks = "otelcol_processor_harnesserr_fallbacks_total"
	// RecordErrors counts the records that could not be processed and were passed on
	// untouched, by [LabelSignal].
	RecordErrors = "otelcol_processor_harnesserr_record_errors_total"
	// Redactions counts replacements, by [LabelRule] and [LabelPlace].
	Redactions = "otelcol_processor_harnesserr_redactions_total"
	// PeersFolded counts the spans whose peer became "other".
	PeersFolded = "otelcol_processor_harnesserr_peers_folded_total"
	// PointsUnmerged counts the metric points that became equal to another one
	// and could not be merged with it.
	PointsUnmerged = "otelcol_processor_harnesserr_points_unmerged_total"
)

// Labels of the processor's own metrics.
const (
	LabelSignal       = "signal" // traces, logs, metrics
	LabelSelfCode     = "code"
	LabelEvidence     = "evidence"
	LabelOriginalType = "original_type"
	LabelRule         = "rule"
	LabelPlace        = "place"
)

// EvidenceFallback is the value of [LabelEvidence] when only the catch-all code
// of the operation fitted.
const EvidenceFallback = "fallback"

// Metrics of the collector's own that Telemetry health reads.
const (
	QueueSize     = "otelcol_exporter_queue_size"
	QueueCapacity = "otelcol_exporter_queue_capacity"
	LabelExporter = "exporter"

	SendFailedSpans   = "otelcol_exporter_send_failed_spans_total"
	SendFailedLogs    = "otelcol_exporter_send_failed_log_records_total"
	SendFailedMetrics = "otelcol_exporter_send_failed_metric_points_total"
)

// Alerts is the series every Prometheus rule engine writes for pending and
// firing alerts.
const (
	Alerts          = "ALERTS"
	LabelAlertName  = "alertname"
	LabelAlertState = "alertstate"
)

// Series made by the recording rules of rules/recording.yaml.
const (
	// RecCalls is the number of calls in the last 5 minutes, by peer.
	RecCalls = "peer:harness_calls:count5m"
	// RecFailures is the number of failed operations in the last 5 minutes, by
	// peer and class. It is 0, not absent, for a class a peer has no failure of.
	RecFailures = "peer_class:harness_failures:count5m"
	// RecObjective is the share of calls that should not fail with the class:
	// the place where an organisation sets its own objectives.
	RecObjective = "class:harness_objective:ratio"
	// RecBurn, with a window appended (5m, 30m, 1h, 6h, 3d, 30d), is the failure
	// ratio of the window divided by the budget 1 - objective. 1 uses the budget
	// up exactly at the end of [BudgetPeriod].
	RecBurn = "peer_class:harness_burn:rate"
)

// BudgetPeriod is the time over which the error budget is reckoned.
const BudgetPeriod = "30d"

// RunbookBase is the address under which dashboards and alerts link to the
// runbooks: RunbookBase + "codes/output.truncated.md".
const RunbookBase = "https://github.com/harnesserr/harnesserr/blob/main/dashboards/runbooks/"
