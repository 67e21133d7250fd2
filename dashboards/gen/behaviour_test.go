package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/dashboards/contract"
	"github.com/harnesserr/harnesserr/registry"
)

type matcher = *labels.Matcher

// matches reports whether a series with label=value can be selected by v.
func matches(v *parser.VectorSelector, label, value string) bool {
	for _, m := range v.LabelMatchers {
		if m.Name == label && !m.Matches(value) {
			return false
		}
	}
	return true
}

func selects(v *parser.VectorSelector, series map[string]string) bool {
	for _, m := range v.LabelMatchers {
		if m.Name != labels.MetricName && !m.Matches(series[m.Name]) {
			return false
		}
	}
	return true
}

func (s *localStore) ask(t testing.TB, d shipped, tg shippedTarget, peer string) []sample {
	t.Helper()
	return s.instant(t, d.interpolate(tg.Expr, duration(testRange), duration(testInterval), peer))
}

const healthy = `load 15s
  harness_calls_total{service_name="planner", harness_operation="chat", harness_peer="openai", gen_ai_request_model="gpt-5.4"} 0+20x480
  harness_calls_total{service_name="planner", harness_operation="execute_tool", harness_peer="search"} 0+5x480
  harness_calls_total{service_name="planner", harness_operation="mcp", harness_peer="fs", harness_method="tools/call"} 0+5x480
  harness_calls_total{service_name="planner", harness_operation="a2a", harness_peer="translator", harness_method="SendMessage"} 0+5x480
  harness_calls_total{service_name="planner", harness_operation="invoke_agent"} 0+2x480
`

// newborn is the series of a code's first failure, in the place where it belongs.
func newborn(code string) map[string]string {
	s := map[string]string{
		contract.LabelService: "planner", contract.LabelOperation: "a2a", contract.LabelPeer: "translator", contract.LabelMethod: "SendMessage",
		contract.LabelCode: code, contract.LabelAction: "repair", contract.LabelReason: "SOMETHING", contract.LabelTaskState: "failed",
		contract.LabelClass: contract.ClassTaskFailure,
	}
	switch registry.Category(code) {
	case registry.CategoryUpstream:
		s[contract.LabelClass] = contract.ClassTransportFailure
	case registry.CategoryTool:
		s[contract.LabelOperation] = "mcp"
	case registry.CategoryOutput, registry.CategoryPolicy, registry.CategoryContext:
		s[contract.LabelModel] = "gpt-5.4"
	}
	return s
}

func seriesText(s map[string]string) string {
	var l []string
	for _, k := range sortedKeys(s) {
		l = append(l, fmt.Sprintf("%s=%q", k, s[k]))
	}
	return contract.Calls + "{" + strings.Join(l, ", ") + "}"
}

// TestTheFirstFailureIsVisible gives each registry code its first failure ever, in
// the newest sample of a store that writes no zero before it: every panel that
// counts the series changes, and those by code show it as one.
func TestTheFirstFailureIsVisible(t *testing.T) {
	before := newLocalStore(t, healthy, sampleEnd)
	dashboards := shippedDashboards(t)
	calm := map[string][]sample{}
	for _, d := range dashboards {
		for _, p := range d.Panels {
			for _, tg := range p.Targets {
				calm[d.name(p)+tg.RefID] = before.ask(t, d, tg, "translator")
			}
		}
	}
	for _, e := range registry.All() {
		t.Run(e.Code, func(t *testing.T) {
			series := newborn(e.Code)
			s := newLocalStore(t, healthy+"  "+seriesText(series)+" _x480 1\n", sampleEnd)
			byCode := 0
			for _, d := range dashboards {
				for _, p := range d.Panels {
					for _, tg := range p.Targets {
						if !counts(t, d, tg, series) {
							continue
						}
						got := s.ask(t, d, tg, "translator")
						assert.NotEqual(t, calm[d.name(p)+tg.RefID], got, "%s %s does not show it", d.name(p), tg.RefID)
						for _, g := range got {
							if g.labels[contract.LabelCode] == e.Code && !strings.Contains(tg.Expr, "time()") {
								byCode++
								assert.InDelta(t, 1, g.value, 0, d.name(p))
							}
						}
					}
				}
			}
			assert.GreaterOrEqual(t, byCode, 5, "panels that show the code as one failure")
		})
	}
}

// counts reports whether the target counts the series as a failure. A ratio that
// only divides by it does not.
func counts(t testing.TB, d shipped, tg shippedTarget, series map[string]string) bool {
	t.Helper()
	for _, v := range selectors(t, d.interpolate(tg.Expr, "1h", "1m", "translator")) {
		if v.Name == contract.Calls && selects(v, series) && !matches(v, contract.LabelClass, "") {
			return true
		}
	}
	return false
}

// TestAPeerWithoutFailuresShowsZero looks at the peer "calm" and at a model with
// no failure in the sample series.
func TestAPeerWithoutFailuresShowsZero(t *testing.T) {
	s := sampleStore(t)
	shown := 0
	for _, d := range shippedDashboards(t) {
		for _, p := range d.Panels {
			for _, tg := range p.Targets {
				if !strings.Contains(tg.Expr, " by ("+contract.LabelPeer+")") || !strings.Contains(tg.Expr, " * 0) / ") {
					continue
				}
				for _, g := range s.ask(t, d, tg, "calm") {
					if g.labels[contract.LabelPeer] == "calm" {
						shown++
						assert.Zero(t, g.value, d.name(p))
					}
				}
			}
		}
	}
	assert.GreaterOrEqual(t, shown, 9, "ratio by peer, three classes, on several panels")
	for _, g := range s.instant(t, sel(contract.RecBurn+"1h", eq(contract.LabelPeer, "calm")).String()) {
		assert.Zero(t, g.value)
		shown++
	}
}

// TestOnlyExpectedIsNowhereRed has healthy calls, and expected and interrupted
// ones with codes and reasons that would be failures in another class.
func TestOnlyExpectedIsNowhereRed(t *testing.T) {
	series := healthy
	for _, class := range []string{contract.ClassExpected, contract.ClassInterrupted} {
		for _, e := range registry.All() {
			n := newborn(e.Code)
			n[contract.LabelClass] = class
			series += "  " + seriesText(n) + " 0+3x480\n"
		}
	}
	s := newLocalStore(t, series, sampleEnd)
	s.record(t)
	calm := 0
	for _, d := range shippedDashboards(t) {
		for _, p := range d.Panels {
			for _, tg := range p.Targets {
				got := s.ask(t, d, tg, "translator")
				if th := p.FieldConfig.Defaults.Thresholds; th != nil && coloured(p) && len(th.Steps) > 1 {
					for _, g := range got {
						assert.Less(t, g.value, *th.Steps[1].Value, "%s is coloured", d.name(p))
						calm++
					}
				}
				if countsFailures(t, d, tg) {
					for _, g := range got {
						assert.Zero(t, g.value, "%s counts it: %v", d.name(p), g.labels)
					}
					calm++
				}
			}
		}
	}
	assert.Greater(t, calm, 60, "targets looked at")
	for _, a := range alerts() {
		assert.Empty(t, s.instant(t, a.expr), a.title())
	}
}

// coloured reports whether a panel's thresholds colour anything.
func coloured(p shippedPanel) bool {
	return p.FieldConfig.Defaults.Color.Mode == "thresholds" || p.FieldConfig.Defaults.Custom.ThresholdsStyle.Mode == "line"
}

// countsFailures reports whether a target selects failure classes and is no
// denominator.
func countsFailures(t testing.TB, d shipped, tg shippedTarget) bool {
	t.Helper()
	for _, v := range selectors(t, d.interpolate(tg.Expr, "1h", "1m", "translator")) {
		if v.Name == contract.Calls && matches(v, contract.LabelClass, contract.ClassTaskFailure) && !matches(v, contract.LabelClass, "") {
			return !strings.Contains(tg.Expr, "histogram_quantile")
		}
	}
	return false
}

// TestAQuietAlertPanelSaysSo is the case that the sample series do not have.
func TestAQuietAlertPanelSaysSo(t *testing.T) {
	s := newLocalStore(t, healthy, sampleEnd)
	for _, d := range shippedDashboards(t) {
		for _, p := range d.Panels {
			if p.Title != "Firing alerts" && p.Title != "Exporter queues" {
				continue
			}
			got := s.ask(t, d, p.Targets[0], "")
			require.Len(t, got, 1, p.Title)
			require.Zero(t, got[0].value)
		}
	}
}

var macro = regexp.MustCompile(`\$\{[^}]*\}`)

// validExplore fills in the variables of a link and reads it as Grafana does.
func validExplore(address string) error {
	u, err := url.Parse(macro.ReplaceAllString(address, "x"))
	if err != nil {
		return err
	}
	var panes map[string]struct {
		Datasource string
		Queries    []map[string]any
	}
	if err := json.Unmarshal([]byte(u.Query().Get("panes")), &panes); err != nil {
		return err
	}
	if len(panes) != 1 || len(panes["a"].Queries) != 1 {
		return fmt.Errorf("no query in %s", address)
	}
	return nil
}
