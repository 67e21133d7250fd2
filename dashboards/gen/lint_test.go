package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/dashboards/contract"
)

// What the board's page can draw. A shipped file that needs more fails here
// before it fails there.
var (
	panelTypes      = []string{"row", "stat", "timeseries", "bargauge", "table", "state-timeline"}
	units           = []string{unitShort, unitNone, unitRatio, unitSeconds, unitFromNow}
	transformations = []string{"merge", "organize", "sortBy"}
	overrideIDs     = []string{"unit", "decimals", "color", "thresholds", "links", "custom.cellOptions"}
)

// TestLint holds the rules of grafana/dashboard-linter that fit data from OTLP
// (there is no job or instance to ask for), and one for each trap of the SDK.
func TestLint(t *testing.T) {
	uids := map[string]bool{}
	for _, d := range shippedDashboards(t) {
		t.Run(d.Title, func(t *testing.T) {
			assert.Regexp(t, `^[a-zA-Z0-9_-]{1,40}$`, d.UID)
			assert.False(t, uids[d.UID], "uid twice")
			uids[d.UID] = true
			assert.NotEmpty(t, d.Description)
			assert.False(t, d.Editable)
			lintVariables(t, d)
			ids, titles, cells := map[int]bool{}, map[string]bool{}, map[[2]int]string{}
			for _, p := range d.Panels {
				assert.Empty(t, p.Panels, "collapsed rows lose positions")
				assert.True(t, p.ID > 0 && !ids[p.ID], "%s: id missing or twice", p.Title)
				assert.True(t, p.Title != "" && !titles[p.Title], "%s: title missing or twice", p.Title)
				ids[p.ID], titles[p.Title] = true, true
				lintPosition(t, p, cells)
				if p.Type != "row" {
					t.Run(p.Title, func(t *testing.T) { lintPanel(t, d, p) })
				}
			}
			require.Len(t, d.Annotations.List, 1)
			require.Len(t, selectors(t, d.Annotations.List[0].Expr), 1)
		})
	}
}

func lintVariables(t *testing.T, d shipped) {
	t.Helper()
	raw, err := json.Marshal(d.Panels)
	require.NoError(t, err)
	for _, v := range d.Templating.List {
		assert.Contains(t, []string{"datasource", "query", "custom"}, v.Type, v.Name)
		if v.Name != "datasource" {
			assert.Regexp(t, `\$(\{)?`+v.Name+`\b`, string(raw), "variable that nothing uses")
		}
		if v.Type != "query" {
			continue
		}
		require.NotNil(t, v.Datasource, v.Name)
		assert.Equal(t, "${datasource}", v.Datasource.UID)
		m := regexp.MustCompile(`^label_values\((.+), (\w+)\)$`).FindStringSubmatch(v.Query.(string))
		require.NotNil(t, m, "%s: %v", v.Name, v.Query)
		require.Len(t, selectors(t, d.interpolate(m[1], "1h", "1m", "x")), 1)
	}
}

func lintPosition(t *testing.T, p shippedPanel, cells map[[2]int]string) {
	t.Helper()
	g := p.GridPos
	assert.True(t, g.W > 0 && g.H > 0 && g.X+g.W <= 24, "%s: outside the grid: %+v", p.Title, g)
	for x := g.X; x < g.X+g.W; x++ {
		for y := g.Y; y < g.Y+g.H; y++ {
			assert.Empty(t, cells[[2]int{x, y}], "%s overlaps", p.Title)
			cells[[2]int{x, y}] = p.Title
		}
	}
}

func lintPanel(t *testing.T, d shipped, p shippedPanel) {
	assert.Contains(t, panelTypes, p.Type)
	read, do, ok := strings.Cut(p.Description, "\n\n**What to do:** ")
	assert.True(t, ok && len(read) > 40 && len(do) > 20, "a description says how to read the panel and what to do")
	require.NotNil(t, p.Datasource)
	assert.Equal(t, "${datasource}", p.Datasource.UID)
	require.NotNil(t, p.FieldConfig.Defaults.Color, "colour mode")
	if p.Type != "table" && p.Type != "state-timeline" {
		assert.Contains(t, units, p.FieldConfig.Defaults.Unit)
	}
	options := string(p.Options)
	assert.NotContains(t, options, `"showLegend":false`)
	assert.NotContains(t, strings.ReplaceAll(options, " ", ""), `"mode":""`)
	for _, tr := range p.Transformations {
		assert.Contains(t, transformations, tr.ID)
	}
	for _, o := range p.FieldConfig.Overrides {
		assert.Equal(t, "byName", o.Matcher.ID)
		for _, pr := range o.Properties {
			assert.Contains(t, overrideIDs, pr.ID)
		}
	}
	lintLinks(t, d, p)
	require.NotEmpty(t, p.Targets)
	for _, tg := range p.Targets {
		lintTarget(t, d, p, tg)
	}
}

// lintLinks checks that links lead to a dashboard, a runbook or Explore, and that
// an Explore link is valid once its variables are filled in.
func lintLinks(t *testing.T, d shipped, p shippedPanel) {
	t.Helper()
	var addresses []string
	for _, l := range p.FieldConfig.Defaults.Links {
		addresses = append(addresses, l.URL)
	}
	for _, o := range p.FieldConfig.Overrides {
		for _, pr := range o.Properties {
			if pr.ID != "links" {
				continue
			}
			var cell []cellLink
			require.NoError(t, json.Unmarshal(pr.Value, &cell))
			for _, l := range cell {
				addresses = append(addresses, l.URL)
			}
		}
	}
	for _, a := range addresses {
		for _, m := range linkVariable.FindAllStringSubmatch(a, -1) {
			assert.True(t, strings.HasPrefix(m[1], "__") || d.hasVariable(m[1]), "%s is no variable of the dashboard", m[0])
		}
		switch {
		case strings.HasPrefix(a, "/explore?"):
			require.NoError(t, validExplore(a), a)
		case strings.HasPrefix(a, "/d/"):
			assert.Contains(t, a, "/d/"+uidPeer+"?")
		default:
			assert.True(t, strings.HasPrefix(a, contract.RunbookBase+"codes/"), a)
		}
	}
}

var linkVariable = regexp.MustCompile(`\$\{(\w+)[^}]*\}`)

func (d shipped) hasVariable(name string) bool {
	return slices.ContainsFunc(d.Templating.List, func(v shippedVariable) bool { return v.Name == name })
}

func lintTarget(t *testing.T, d shipped, p shippedPanel, tg shippedTarget) {
	t.Helper()
	require.NotNil(t, tg.Datasource)
	assert.Equal(t, "prometheus", tg.Datasource.Type, "without it the target is of no known kind")
	assert.Equal(t, "${datasource}", tg.Datasource.UID)
	assert.Equal(t, p.Type == "table", tg.Format == "table", "tables ask for rows")
	assert.Equal(t, p.Type == "timeseries" || p.Type == "state-timeline", !tg.Instant)
	if strings.Contains(tg.Expr, wInterval) {
		assert.Equal(t, minStep, p.Interval, "without a smallest interval a window may hold no sample")
	}
	expr := d.interpolate(tg.Expr, "1h", "1m", "x")
	assert.NotContains(t, expr, "$", "unknown variable")
	e, err := parseExpr(expr)
	require.NoError(t, err, expr)
	parser.Inspect(e, func(n parser.Node, path []parser.Node) error {
		v, ok := n.(*parser.VectorSelector)
		if !ok || !counterName(v.Name) {
			return nil
		}
		inWindow := slices.ContainsFunc(path, func(a parser.Node) bool { _, ok := a.(*parser.MatrixSelector); return ok })
		assert.True(t, inWindow, "counter without a window: %s", v)
		inSum := slices.ContainsFunc(path, func(a parser.Node) bool { _, ok := a.(*parser.AggregateExpr); return ok })
		assert.True(t, inSum, "counter not added up: %s", v)
		return nil
	})
}

func counterName(name string) bool {
	return strings.HasSuffix(name, "_total") || strings.HasSuffix(name, "_bucket")
}

// TestClassesAreNeverAdded makes sure that a ratio and a stacked chart of failures
// are of one class each.
func TestClassesAreNeverAdded(t *testing.T) {
	for _, d := range shippedDashboards(t) {
		for _, p := range d.Panels {
			for _, tg := range p.Targets {
				for _, v := range selectors(t, d.interpolate(tg.Expr, "1h", "1m", "x")) {
					failing := 0
					for _, c := range contract.FailureClasses() {
						if matches(v, contract.LabelClass, c) {
							failing++
						}
					}
					picksClass := slices.ContainsFunc(v.LabelMatchers, func(m matcher) bool { return m.Name == contract.LabelClass })
					if picksClass && failing > 1 && p.FieldConfig.Defaults.Unit == unitRatio {
						// Ratios over classes are allowed for a code that has one class only.
						assert.True(t, slices.ContainsFunc(v.LabelMatchers, func(m matcher) bool {
							return m.Name == contract.LabelCode && m.Value != ".*"
						}), "%s adds up classes: %s", d.name(p), v)
					}
				}
			}
		}
	}
}

// TestSchema reads the files with the SDK's types and writes them again: a field
// that the schema does not know would be lost.
func TestSchema(t *testing.T) {
	plugins.RegisterDefaultPlugins()
	for _, d := range shippedDashboards(t) {
		raw, err := os.ReadFile("../generated/" + d.UID + ".json")
		require.NoError(t, err)
		var typed dashboard.Dashboard
		require.NoError(t, json.Unmarshal(raw, &typed), d.Title)
		again, err := jsonFile(typed)
		require.NoError(t, err)
		require.JSONEq(t, string(raw), string(again), d.Title)
	}
}
