package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/harnesserr/harnesserr/dashboards/contract"
	"github.com/harnesserr/harnesserr/registry"
)

// alertPrefix begins every alert's name; dashboards find the alerts by it.
const alertPrefix = "Harness"

const (
	critical = "critical" // someone is woken up
	warning  = "warning"  // someone looks at it in working hours
)

// recording is a recording rule.
type recording struct {
	record, expr string
	labels       map[string]string
}

// recordingGroup is evaluated in order, so that a rule may use those before it.
type recordingGroup struct {
	name     string
	interval time.Duration
	rules    []recording
}

// alert is an alerting rule. Its expression has samples exactly where the alert
// holds.
type alert struct {
	name     string
	variant  string // tells alerts of one name apart
	expr     string
	hold     time.Duration
	severity string
	when     string // for the index of the runbooks
	summary  string // a template over $labels and $value
	details  string
	uid      string // dashboard and panel that show the same
	panel    int
}

// recordWindow is what the base series count; evaluated once a minute they
// overlap, so that a missed evaluation loses nothing but weight.
const recordWindow = 5 * time.Minute

// objectives are the shares of calls that should not fail with a class.
// An objective under 0.93 can never burn 14.4 times too fast.
func objectives() map[string]float64 {
	return map[string]float64{
		contract.ClassTaskFailure:      0.95,
		contract.ClassProtocolError:    0.99,
		contract.ClassTransportFailure: 0.99,
	}
}

// burnWindows are the windows of the burn rates that dashboards and alerts show.
func burnWindows() []time.Duration {
	return []time.Duration{5 * time.Minute, 30 * time.Minute, time.Hour, 6 * time.Hour, 72 * time.Hour}
}

// burnAlert fires when both windows burn factor times too fast: the long one
// says that it matters, the short one that it is not over.
type burnAlert struct {
	factor      float64
	long, short time.Duration
	hold        time.Duration
	severity    string
}

// burnAlerts use up 2 %, 5 % and 10 % of a budget of 30 days before they fire
// (Google SRE workbook, chapter 5).
func burnAlerts() [3]burnAlert {
	return [3]burnAlert{
		{14.4, time.Hour, 5 * time.Minute, 2 * time.Minute, critical},
		{6, 6 * time.Hour, 30 * time.Minute, 15 * time.Minute, critical},
		{1, 72 * time.Hour, 6 * time.Hour, time.Hour, warning},
	}
}

// minFailures keeps a peer with three calls a day from waking anyone.
const minFailures = 5

func everyCall() selector { return sel(contract.Calls, ne(contract.LabelOperation, "")) }

// failedCall selects what a ratio counts as failed. Expected and interrupted calls
// are in no alert: no selector of an alert reaches their classes.
func failedCall() selector {
	return everyCall().with(oneOf(contract.LabelClass, contract.FailureClasses()...), ne(contract.LabelHandled, "true"))
}

// everyFailure selects failed calls as their callers saw them, also those that
// failed for something behind the peer.
func everyFailure(m ...string) selector {
	return failedCall().with(ne(contract.LabelMirror, "true")).with(m...)
}

func recordings() []recordingGroup {
	objective := recordingGroup{name: "harnesserr-objectives", interval: time.Minute}
	for _, c := range contract.FailureClasses() {
		objective.rules = append(objective.rules, recording{
			contract.RecObjective, fmt.Sprintf("vector(%g)", objectives()[c]), map[string]string{contract.LabelClass: c},
		})
	}
	failures := counted(failedCall(), duration(recordWindow), contract.LabelPeer, contract.LabelClass)
	for _, c := range contract.FailureClasses() {
		failures += fmt.Sprintf(` or label_replace(%s * 0, "%s", "%s", "", "")`, contract.RecCalls, contract.LabelClass, c)
	}
	fast := recordingGroup{name: "harnesserr-fast", interval: time.Minute, rules: []recording{
		{contract.RecCalls, counted(everyCall(), duration(recordWindow), contract.LabelPeer), nil},
		{contract.RecFailures, failures, nil},
	}}
	slow := recordingGroup{name: "harnesserr-slow", interval: 5 * time.Minute}
	for _, w := range burnWindows() {
		r := recording{contract.RecBurn + duration(w), burn(duration(w), w > 6*time.Hour), nil}
		if w > 6*time.Hour {
			slow.rules = append(slow.rules, r)
		} else {
			fast.rules = append(fast.rules, r)
		}
	}
	slow.rules = append(slow.rules, recording{contract.RecBurn + contract.BudgetPeriod, burn(contract.BudgetPeriod, true), nil})
	return []recordingGroup{objective, fast, slow}
}

// burn is the failure ratio of a window over the budget. Long windows take every
// fifth of the overlapping counts: the same events, a fifth of the samples. A peer
// that is newer than the first of those steps is judged by its newest count.
func burn(window string, sparse bool) string {
	over := func(metric string) string {
		if sparse {
			return "(sum_over_time(" + metric + "[" + window + ":" + duration(recordWindow) + "]) or " + metric + ")"
		}
		return "sum_over_time(" + metric + "[" + window + "])"
	}
	return over(contract.RecFailures) +
		" / ignoring (" + contract.LabelClass + ") group_left () (" + over(contract.RecCalls) + " > 0)" +
		" / on (" + contract.LabelClass + ") group_left () (1 - " + contract.RecObjective + ")"
}

func alerts() []alert {
	peer := `{{ or $labels.` + contract.LabelPeer + ` "the harness itself" }}`
	service := `{{ $labels.` + contract.LabelService + ` }}`
	count := `{{ printf "%.0f" $value }}`
	share := `{{ printf "%.1f" $value }} times`
	percentage := `{{ humanizePercentage $value }}`

	var out []alert
	for i, k := range kinds() {
		for _, p := range burnAlerts() {
			out = append(out, alert{
				name: alertPrefix + camel(k.class) + "BudgetBurn", variant: duration(p.long),
				expr: burnExpr(k.class, p), hold: p.hold, severity: p.severity,
				when:    strings.ToLower(k.plural) + " of a peer use up the error budget too fast",
				summary: k.plural + " of " + peer + " use up the error budget " + share + " too fast",
				details: fmt.Sprintf("Over %s and still over the last %s. %s", duration(p.long), duration(p.short), k.meaning),
				uid:     uidBudget, panel: 20 + i,
			})
		}
	}
	out = append(out,
		alert{
			name: alertPrefix + "InvalidAgentResponse",
			expr: counted(everyFailure(eq(contract.LabelCode, registry.UpstreamInvalidResponse), oneOf(contract.LabelOperation, "a2a", "invoke_agent")),
				"15m", contract.LabelPeer) + " > 0",
			severity: warning,
			when:     "an agent answered against the protocol, even once",
			summary:  peer + " answered against the protocol " + count + " times in 15 minutes",
			details:  "An agent's response broke the contract. It usually follows an upgrade of the peer.",
			uid:      uidPeer, panel: 31,
		},
		surge("VersionNotSupportedSurge", "VERSION_NOT_SUPPORTED",
			"Callers of "+peer+" speak a version it does not support: "+count+" times in 15 minutes",
			"Usual after a deploy: a population of clients was left behind."),
		surge("TaskNotFoundSurge", "TASK_NOT_FOUND",
			"Callers of "+peer+" ask for tasks it does not know: "+count+" times in 15 minutes",
			"Often the peer keeps tasks for a shorter time than clients expect."),
		alert{
			name: alertPrefix + "AuthenticationFailures",
			expr: counted(everyFailure(eq(contract.LabelCode, registry.UpstreamAuthenticationFailed), ne(contract.LabelPropagated, "true")), "15m", contract.LabelService, contract.LabelPeer) + " >= 3",
			hold: 5 * time.Minute, severity: critical,
			when:    "a peer rejected a service's credentials three times in 15 minutes",
			summary: peer + " rejects the credentials of " + service + ": " + count + " times in 15 minutes",
			details: "An expired, revoked or wrong key or token, or missing rights. Retrying does not help.",
			uid:     uidErrors, panel: 22,
		},
		rateLimited(peer, percentage),
		refusalJump(peer, service, percentage),
		alert{
			name: alertPrefix + "FallbackShare",
			expr: "(" + counted(sel(contract.Classified, eq(contract.LabelEvidence, contract.EvidenceFallback)), "30m") + " / " + counted(sel(contract.Classified), "30m") + " > 0.2)" +
				" and on () (" + counted(sel(contract.Classified), "30m") + " >= 20)",
			hold: 15 * time.Minute, severity: warning,
			when:    "more than a fifth of the failures got only the catch-all code",
			summary: percentage + " of the failures are explained by no table",
			details: "Their code is only the catch-all of the operation. A new framework, or a new version of one, is likely.",
			uid:     uidHealth, panel: 22,
		},
		peerSilent(peer),
		alert{
			name: alertPrefix + "MetricOverflow",
			expr: counted(sel(contract.Calls, eq(contract.LabelOverflow, "true")), "15m") + " > 0",
			hold: 15 * time.Minute, severity: warning,
			when:    "calls are counted without labels, past the cardinality limit of span_metrics",
			summary: count + " calls in 15 minutes are counted without labels",
			details: "The cardinality limit of span_metrics is reached: these calls are in no ratio and no panel.",
			uid:     uidHealth, panel: 14,
		},
	)
	return out
}

func burnExpr(class string, p burnAlert) string {
	m := eq(contract.LabelClass, class)
	above := func(window time.Duration) string {
		return fmt.Sprintf("%s > %g", sel(contract.RecBurn+duration(window), m), p.factor)
	}
	return fmt.Sprintf("%s and %s and sum_over_time(%s[%s:%s]) >= %d",
		above(p.long), above(p.short), sel(contract.RecFailures, m), duration(p.long), duration(recordWindow), minFailures)
}

// surge fires when the peer gave the reason at least five times in 15 minutes and
// three times as often as in the hour before.
func surge(name, reason, summary, details string) alert {
	const window, before = 15 * time.Minute, time.Hour
	s := everyFailure(eq(contract.LabelReason, reason))
	recent := counted(s, duration(window), contract.LabelPeer)
	usual := sumBy(countAgo(s, before, window), contract.LabelPeer)
	return alert{
		name:     alertPrefix + name,
		expr:     fmt.Sprintf("(%s >= 5) unless (%s <= %g * %s)", recent, recent, 3*window.Hours()/before.Hours(), usual),
		severity: warning, when: "the reason " + reason + " is three times as frequent as in the hour before",
		summary: summary, details: details, uid: uidPeer, panel: 31,
	}
}

// rateLimited counts attempts that a retry saved too: they show the pressure
// before anything fails.
func rateLimited(peer, percentage string) alert {
	part := everyCall().with(eq(contract.LabelCode, registry.UpstreamRateLimited), oneOf(contract.LabelClass, contract.FailureClasses()...),
		ne(contract.LabelPropagated, "true"), ne(contract.LabelMirror, "true"))
	n, all := counted(part, "15m", contract.LabelPeer), counted(everyCall(), "15m", contract.LabelPeer)
	return alert{
		name: alertPrefix + "RateLimited",
		expr: fmt.Sprintf("%s / %s > 0.1 and %s >= 10", n, all, n),
		hold: 10 * time.Minute, severity: warning,
		when:    "more than a tenth of the calls to a peer are rate limited, retried ones included",
		summary: percentage + " of the calls to " + peer + " are rate limited",
		details: "Attempts that a retry saved are included.",
		uid:     uidModel, panel: 24,
	}
}

// refusalJump compares the last hour with the six before, where there were calls
// enough to compare with.
func refusalJump(peer, service, percentage string) alert {
	by := []string{contract.LabelService, contract.LabelPeer}
	part := everyFailure(oneOf(contract.LabelCode, registry.PolicyModelRefusal, registry.PolicyContentFiltered), ne(contract.LabelPropagated, "true"))
	n := counted(part, "1h", by...)
	recent := n + " / " + counted(everyCall(), "1h", by...)
	base := sumBy(countAgo(everyCall(), 6*time.Hour, time.Hour), by...)
	usual := sumBy(countAgo(part, 6*time.Hour, time.Hour), by...) + " / " + base
	return alert{
		name: alertPrefix + "RefusalJump",
		expr: fmt.Sprintf("(%s > 0.02 and %s >= 5 and %s >= 50) unless (%s <= 3 * (%s))", recent, n, base, recent, usual),
		hold: 5 * time.Minute, severity: warning,
		when:    "refusals and filtered answers are three times as frequent as in the six hours before",
		summary: percentage + " of the calls of " + service + " to " + peer + " are refused or filtered",
		details: "At least three times the share of the six hours before. Usual after a change of model, prompt or filter.",
		uid:     uidModel, panel: 21,
	}
}

// peerSilent fires for a peer that was called in at least half of the 5-minute
// steps of six hours and not at all in the last 30 minutes.
func peerSilent(peer string) alert {
	s := sel(contract.RecCalls, ne(contract.LabelPeer, ""), ne(contract.LabelPeer, contract.PeerOther))
	return alert{
		name: alertPrefix + "PeerSilent",
		expr: fmt.Sprintf("sum_over_time((%s > bool 0)[6h:5m] offset 30m) >= 36 unless sum_over_time(%s[30m]) > 0", s, s),
		hold: 5 * time.Minute, severity: warning,
		when:    "a peer that was called regularly has not been for 30 minutes",
		summary: "No call to " + peer + " for 30 minutes",
		details: "It was called regularly before. Either its callers stopped, it was renamed, or their telemetry no longer arrives.",
		uid:     uidPeer, panel: 13,
	}
}

// camel turns task_failure into TaskFailure.
func camel(s string) string {
	var b strings.Builder
	for _, w := range strings.Split(s, "_") {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}
