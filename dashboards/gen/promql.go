package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/harnesserr/harnesserr/dashboards/contract"
)

// lookback is how far before a window a counter's base is looked for: more than
// max_stale (1h) of the delta_to_cumulative processor, so that a counter that
// comes back is never mistaken for a new one.
const lookback = 65 * time.Minute

// Windows that Grafana (and the board's page) replace. Counting panels tile the
// time axis with $__interval, so every event stands in exactly one point.
const (
	wRange    = "$__range"
	wInterval = "$__interval"
)

// selector is a metric with its matchers.
type selector struct {
	metric   string
	matchers []string
}

func sel(metric string, matchers ...string) selector {
	return selector{metric, matchers}
}

// with returns s with more matchers; s is unchanged.
func (s selector) with(matchers ...string) selector {
	return selector{s.metric, append(append([]string{}, s.matchers...), matchers...)}
}

func (s selector) String() string {
	if len(s.matchers) == 0 {
		return s.metric
	}
	return s.metric + "{" + strings.Join(s.matchers, ", ") + "}"
}

func eq(label, value string) string          { return fmt.Sprintf("%s=%q", label, value) }
func ne(label, value string) string          { return fmt.Sprintf("%s!=%q", label, value) }
func match(label, value string) string       { return fmt.Sprintf("%s=~%q", label, value) }
func oneOf(label string, v ...string) string { return match(label, strings.Join(v, "|")) }

// count is the number of events that counter s saw in the window: exact for
// whole numbers, also for the first event ever (a counter born at 1, of which
// increase() sees nothing), and 0 for a counter that stands still. Its three
// branches: a reset inside the window (PromQL's own handling), a base before the
// window (a difference, not extrapolated), no base or a reset in between (the
// last value is the count).
func count(s selector, window string) string {
	return countAt(s, window, window)
}

// countAgo is count for the window that ended ago before now. Both are fixed
// durations, since PromQL has no sum of durations.
func countAgo(s selector, window, ago time.Duration) string {
	w := duration(window)
	c := countAt(s, w, duration(window+ago))
	// Selectors of the window itself move by ago; the base's offset has it already.
	return strings.ReplaceAll(c, s.String()+"["+w+"]", s.String()+"["+w+"] offset "+duration(ago))
}

func countAt(s selector, window, base string) string {
	r := fmt.Sprintf("%s[%s]", s, window)
	return fmt.Sprintf("((increase(%[1]s) and resets(%[1]s) > 0) or (last_over_time(%[1]s) - last_over_time(%[2]s[%[3]s] offset %[4]s)) >= 0 or last_over_time(%[1]s))",
		r, s, duration(lookback), base)
}

// sumBy adds expr up over all labels but by.
func sumBy(expr string, by ...string) string {
	if len(by) == 0 {
		return "sum(" + expr + ")"
	}
	return fmt.Sprintf("sum by (%s) (%s)", strings.Join(by, ", "), expr)
}

// counted is the sum of count by labels.
func counted(s selector, window string, by ...string) string {
	return sumBy(count(s, window), by...)
}

// orZero makes a single number 0 where nothing was ever counted.
func orZero(expr string) string { return expr + " or vector(0)" }

// ratio is the share of total that is in part. A group with calls and no failure
// gives 0, one without calls gives nothing.
func ratio(part, total selector, window string, by ...string) string {
	all := counted(total, window, by...)
	return fmt.Sprintf("(%s or %s * 0) / (%s > 0)", counted(part, window, by...), all, all)
}

// quantile is the q-quantile of the durations of s in the window, by labels.
func quantile(q float64, s selector, window string, by ...string) string {
	return fmt.Sprintf("histogram_quantile(%g, %s)", q, counted(s, window, append([]string{"le"}, by...)...))
}

// duration writes d the way PromQL and Grafana read it, in the largest unit that
// is exact.
func duration(d time.Duration) string {
	for _, u := range []struct {
		d time.Duration
		s string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}} {
		if d >= u.d && d%u.d == 0 {
			return fmt.Sprintf("%d%s", d/u.d, u.s)
		}
	}
	return fmt.Sprintf("%ds", d/time.Second)
}

// scope says which calls a dashboard looks at. Every part is a variable of the
// dashboard or a fixed matcher.
type scope struct {
	service, operation, peer, code, class string
	extra                                 []string

	// everyHop also counts calls that failed for something behind them. It is for
	// pages about one peer: there the question is which calls to it failed, not
	// where it began.
	everyHop bool
}

// fleet is the scope of dashboards on which each variable may hold many values.
func fleet() scope {
	return scope{
		service:   match(contract.LabelService, "$service"),
		operation: match(contract.LabelOperation, "$operation"),
		peer:      match(contract.LabelPeer, "$peer"),
		code:      match(contract.LabelCode, "$code"),
		class:     match(contract.LabelClass, "$class"),
	}
}

// only narrows the scope by fixed matchers.
func (c scope) only(matchers ...string) scope {
	c.extra = append(append([]string{}, c.extra...), matchers...)
	return c
}

// calls selects every operation of the scope: the denominator. The operation
// matcher also keeps out spans that are not agent telemetry and the overflow
// series, which have none.
func (c scope) calls() selector {
	return sel(contract.Calls, c.service, c.operation, c.peer).with(c.extra...)
}

// failed selects the operations that failed with one class. Failed attempts that
// a retry saved are left out.
func (c scope) failed(class string) selector {
	return c.calls().with(c.code, eq(contract.LabelClass, class), ne(contract.LabelHandled, "true"))
}

// failures selects each failure once: where it began, seen from the caller; with
// everyHop each failed call. The classes are those chosen in the dashboard.
func (c scope) failures() selector {
	s := c.calls().with(c.code, c.class)
	if c.everyHop {
		return s.with(atCaller()...)
	}
	return s.with(once()...)
}

// failuresOf is failures with one class.
func (c scope) failuresOf(class string) selector {
	c.class = eq(contract.LabelClass, class)
	return c.failures()
}

// once keeps of each failure the record that owns it.
func once() []string { return append(atCaller(), ne(contract.LabelPropagated, "true")) }

// atCaller keeps of each failed call the caller's record, saved attempts left out.
func atCaller() []string {
	return []string{ne(contract.LabelHandled, "true"), ne(contract.LabelMirror, "true")}
}

// notFailures selects what was interrupted or expected.
func (c scope) notFailures() selector {
	return c.calls().with(oneOf(contract.LabelClass, contract.ClassInterrupted, contract.ClassExpected),
		ne(contract.LabelPropagated, "true"), ne(contract.LabelMirror, "true"))
}

// durations selects the buckets of the calls of the scope.
func (c scope) durations(matchers ...string) selector {
	s := c.calls().with(matchers...)
	s.metric = contract.DurationBucket
	return s
}
