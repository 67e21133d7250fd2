package main

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/dashboards/contract"
)

// The time range and interval of the queries. Queries over time take every tenth
// interval: enough to see whether there is data, at a tenth of the cost.
const (
	testRange    = 30 * time.Minute
	testInterval = time.Minute
	testStep     = 10 * time.Minute
)

// rare are metrics that exist only after something unusual has happened; a sound
// collector need not have them. The sample series have all of them.
var rare = []string{
	contract.PeersFolded, contract.PointsUnmerged, contract.RecordErrors,
	contract.QueueSize, contract.QueueCapacity,
	contract.SendFailedSpans, contract.SendFailedLogs, contract.SendFailedMetrics,
	contract.Alerts,
}

var legendLabel = regexp.MustCompile(`\{\{\s*(\w+)\s*\}\}`)

// problems says what is wrong with a target on a store: no data, an empty label
// in its legend, a selector that matches nothing though the rest hides it.
func (d shipped) problems(t testing.TB, s store, tg shippedTarget, peers []string, mayMiss []string) []string {
	t.Helper()
	if !d.onePeerOnly() {
		peers = []string{""}
	}
	var first []string
	for i, peer := range peers {
		p := targetProblems(t, s, tg, d.interpolate(tg.Expr, duration(testRange), duration(testInterval), peer), mayMiss)
		if len(p) == 0 {
			return nil
		}
		if i == 0 {
			first = p
		}
	}
	return first
}

func targetProblems(t testing.TB, s store, tg shippedTarget, expr string, mayMiss []string) []string {
	t.Helper()
	var out []string
	for _, v := range selectors(t, expr) {
		if !s.has(t, v) && !slices.Contains(mayMiss, v.Name) {
			out = append(out, "nothing matches "+v.String())
		}
	}
	var got []sample
	if tg.Instant {
		got = s.instant(t, expr)
	} else {
		got = s.over(t, expr, testRange, testStep)
	}
	if len(got) == 0 {
		out = append(out, "no data: "+expr)
	}
	for _, m := range legendLabel.FindAllStringSubmatch(tg.LegendFormat, -1) {
		for _, g := range got {
			if g.labels[m[1]] == "" {
				out = append(out, fmt.Sprintf("label %s of the legend is empty in %v", m[1], g.labels))
			}
		}
	}
	return out
}

// asked is the store that the tests of data ask: the sample series, or the API
// under DASH_PROM_URL if it is set; with the metrics that it may lack.
func asked(t testing.TB) (s store, mayMiss []string) {
	t.Helper()
	if base := os.Getenv("DASH_PROM_URL"); base != "" {
		return apiStore{base}, rare
	}
	return sampleStore(t), nil
}

// TestEveryTargetHasData asks every panel. One peer is tried with each peer until
// one has data, since few peers have methods, reasons and task states.
func TestEveryTargetHasData(t *testing.T) {
	s, mayMiss := asked(t)
	var peers []string
	for _, p := range s.instant(t, "count by ("+contract.LabelPeer+") ("+sel(contract.Calls, ne(contract.LabelPeer, "")).String()+")") {
		peers = append(peers, p.labels[contract.LabelPeer])
	}
	slices.Sort(peers)
	require.NotEmpty(t, peers, "no peer in %s", contract.Calls)
	for _, d := range shippedDashboards(t) {
		for _, p := range d.Panels {
			for _, tg := range p.Targets {
				t.Run(d.name(p)+" "+tg.RefID, func(t *testing.T) {
					for _, problem := range d.problems(t, s, tg, peers, mayMiss) {
						t.Error(problem)
					}
				})
			}
		}
	}
}

// TestEveryRuleHasData asks the recording rules, which always have data, and looks
// for the metrics of the alerts, which have data only when they fire.
func TestEveryRuleHasData(t *testing.T) {
	s, mayMiss := asked(t)
	for _, g := range recordings() {
		for _, r := range g.rules {
			require.NotEmpty(t, s.instant(t, r.expr), r.record)
			require.NotEmpty(t, s.instant(t, r.record), "%s is not evaluated", r.record)
		}
	}
	for _, a := range alerts() {
		for _, v := range selectors(t, a.expr) {
			name := &parser.VectorSelector{Name: v.Name, LabelMatchers: []matcher{labels.MustNewMatcher(labels.MatchEqual, labels.MetricName, v.Name)}}
			require.True(t, s.has(t, name) || slices.Contains(mayMiss, v.Name), "%s: %s", a.title(), v.Name)
		}
	}
}

// TestTablesShowEveryLabel makes sure that a table has a column for each label of
// its rows: rows are merged on all of them, the name of the series included.
func TestTablesShowEveryLabel(t *testing.T) {
	s := sampleStore(t)
	for _, d := range shippedDashboards(t) {
		for _, p := range d.Panels {
			if p.Type != "table" {
				continue
			}
			columns := map[string]bool{}
			for _, tr := range p.Transformations {
				for field := range tr.Options.RenameByName {
					columns[field] = true
				}
			}
			for _, tg := range p.Targets {
				for _, g := range s.instant(t, d.interpolate(tg.Expr, duration(testRange), duration(testInterval), "translator")) {
					for label := range g.labels {
						require.True(t, columns[label], "%s %s: no column for %s", d.name(p), tg.RefID, label)
					}
				}
				value := "Value"
				if len(p.Targets) > 1 {
					value += " #" + tg.RefID
				}
				require.True(t, columns[value], "%s: no column for %s", d.name(p), value)
			}
		}
	}
}

// broken are the panels with a problem on the store, at most limit of them.
func broken(t testing.TB, s store, limit int) []string {
	t.Helper()
	var out []string
	for _, d := range shippedDashboards(t) {
		for _, p := range d.Panels {
			for _, tg := range p.Targets {
				if len(d.problems(t, s, tg, []string{"translator"}, nil)) > 0 {
					if out = append(out, d.name(p)); len(out) == limit {
						return out
					}
					break
				}
			}
		}
	}
	return out
}

// TestARenamedMetricBreaksItsPanels renames each metric in the store: the panels
// that use it fail, directly or through a recording rule, and no others.
func TestARenamedMetricBreaksItsPanels(t *testing.T) {
	users := map[string][]string{}
	for _, d := range shippedDashboards(t) {
		for _, p := range d.Panels {
			seen := map[string]bool{}
			for _, tg := range p.Targets {
				for _, v := range selectors(t, d.interpolate(tg.Expr, "1h", "1m", "x")) {
					for _, m := range sources(t, v.Name) {
						seen[m] = true
					}
				}
			}
			for m := range seen {
				users[m] = append(users[m], d.name(p))
			}
		}
	}
	require.Len(t, users, 15, "metrics that panels use")
	for metric, panels := range users {
		t.Run(metric, func(t *testing.T) {
			require.ElementsMatch(t, panels, broken(t, sampleStore(t, metric, "renamed_"+metric), math.MaxInt))
		})
	}
}

// sources are the metrics that a series is made of: itself, or those of the
// recording rules behind it.
func sources(t testing.TB, metric string) []string {
	t.Helper()
	var out []string
	recorded := false
	for _, g := range recordings() {
		for _, r := range g.rules {
			if r.record != metric {
				continue
			}
			recorded = true
			for _, v := range selectors(t, r.expr) {
				out = append(out, sources(t, v.Name)...)
			}
		}
	}
	if !recorded {
		return []string{metric}
	}
	return out
}

// TestARenamedLabelBreaksPanels makes sure that every label of the contract that
// is shown or matched is noticed when it goes.
func TestARenamedLabelBreaksPanels(t *testing.T) {
	for _, label := range []string{
		contract.LabelOperation, contract.LabelPeer, contract.LabelMethod, contract.LabelCode, contract.LabelClass,
		contract.LabelAction, contract.LabelReason, contract.LabelTaskState, contract.LabelHandled, contract.LabelModel,
		contract.LabelSignal, contract.LabelEvidence, contract.LabelOriginalType, contract.LabelRule, contract.LabelPlace,
		contract.LabelExporter,
	} {
		t.Run(label, func(t *testing.T) {
			s := sampleStore(t, "{"+label+"=", "{renamed_"+label+"=", " "+label+"=", " renamed_"+label+"=")
			require.NotEmpty(t, broken(t, s, 1))
		})
	}
}
