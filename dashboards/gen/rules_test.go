package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/harnesserr/harnesserr/dashboards/contract"
	"github.com/harnesserr/harnesserr/registry"
)

// TestGeneratedFilesAreCurrent is `go run . -check`.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	changed, err := run("..", true)
	require.NoError(t, err)
	require.Empty(t, changed, "run `go run .` in dashboards/gen and commit the result")
}

// TestGenerateTwice writes into an empty place, and again: the second run finds
// nothing to do, a file that nothing makes any more goes.
func TestGenerateTwice(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(root, "runbooks"), os.DirFS("../runbooks")))
	changed, err := run(root, false)
	require.NoError(t, err)
	require.Len(t, changed, 11, "all but the runbooks")
	old := filepath.Join(root, "generated", "old.json")
	require.NoError(t, os.WriteFile(old, nil, 0o600))
	changed, err = run(root, true)
	require.NoError(t, err)
	require.Equal(t, []string{"generated/old.json (no longer generated)"}, changed)
	require.FileExists(t, old, "-check writes nothing")
	_, err = run(root, false)
	require.NoError(t, err)
	require.NoFileExists(t, old)
	changed, err = run(root, true)
	require.NoError(t, err)
	require.Empty(t, changed)
}

// TestAlertsReachNoExpectedClass reads the expressions: whatever looks at a code,
// a reason or a class cannot select expected or interrupted calls.
func TestAlertsReachNoExpectedClass(t *testing.T) {
	var all []string
	for _, a := range alerts() {
		all = append(all, a.expr)
	}
	for _, g := range recordings() {
		for _, r := range g.rules {
			all = append(all, r.expr)
		}
	}
	for _, expr := range all {
		for _, v := range selectors(t, expr) {
			picks := slices.ContainsFunc(v.LabelMatchers, func(m matcher) bool {
				return strings.HasPrefix(m.Name, "harness_error_")
			})
			if !picks {
				continue // a denominator
			}
			for _, c := range []string{contract.ClassExpected, contract.ClassInterrupted, ""} {
				assert.False(t, matches(v, contract.LabelClass, c), "%s can select class %q", v, c)
			}
		}
	}
}

func TestAlertsAreComplete(t *testing.T) {
	titles := map[string]bool{}
	panels := map[string][]int{}
	for _, d := range shippedDashboards(t) {
		for _, p := range d.Panels {
			panels[d.UID] = append(panels[d.UID], p.ID)
		}
	}
	tested := promtoolTests(t)
	for _, a := range alerts() {
		t.Run(a.title(), func(t *testing.T) {
			assert.True(t, strings.HasPrefix(a.name, alertPrefix))
			assert.False(t, titles[a.title()], "title twice")
			titles[a.title()] = true
			assert.Contains(t, []string{critical, warning}, a.severity)
			assert.NotEmpty(t, a.when)
			assert.NotEmpty(t, a.summary)
			assert.NotEmpty(t, a.details)
			assert.Contains(t, panels[a.uid], a.panel, "the panel that shows the same")
			assert.True(t, tested[a.title()], "no promtool test lets it fire")
			book, err := os.ReadFile("../runbooks/alerts/" + a.name + ".md")
			require.NoError(t, err)
			sections(t, string(book), "# "+a.name, "## What it means", "## Look first", "## What to do", "## When silence is right")
		})
	}
	books, err := filepath.Glob("../runbooks/alerts/*.md")
	require.NoError(t, err)
	assert.Len(t, books, len(alertNames()), "a runbook of an alert that is no more")
}

// promtoolTests are the titles of the alerts that some test expects to fire.
func promtoolTests(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("testdata/rules/*.test.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	out := map[string]bool{}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		require.NoError(t, err)
		var f struct {
			Tests []struct {
				AlertRuleTest []struct {
					Alertname string
					ExpAlerts []struct {
						ExpLabels map[string]string `yaml:"exp_labels"`
					} `yaml:"exp_alerts"`
				} `yaml:"alert_rule_test"`
			}
		}
		require.NoError(t, yaml.Unmarshal(raw, &f), name)
		for _, c := range f.Tests {
			for _, a := range c.AlertRuleTest {
				for _, e := range a.ExpAlerts {
					out[alert{name: a.Alertname, variant: e.ExpLabels["window"]}.title()] = true
				}
			}
		}
	}
	return out
}

// TestPromtool runs promtool over the rules and their tests. The binary is taken
// from PROMTOOL or PATH; without one the test is skipped, unless PROMTOOL is set.
func TestPromtool(t *testing.T) {
	bin := os.Getenv("PROMTOOL")
	if bin == "" {
		var err error
		if bin, err = exec.LookPath("promtool"); err != nil {
			t.Skip("no promtool: set PROMTOOL or put it on PATH")
		}
	}
	rules, err := filepath.Glob("../generated/rules/*.yaml")
	require.NoError(t, err)
	tests, err := filepath.Glob("testdata/rules/*.test.yaml")
	require.NoError(t, err)
	for _, args := range [][]string{
		append([]string{"check", "rules"}, rules...),
		append([]string{"test", "rules"}, tests...),
	} {
		out, err := exec.CommandContext(t.Context(), bin, args...).CombinedOutput()
		require.NoError(t, err, "%v\n%s", args, out)
	}
}

func TestCodesHaveRunbooks(t *testing.T) {
	for _, e := range registry.All() {
		t.Run(e.Code, func(t *testing.T) {
			raw, err := os.ReadFile("../runbooks/codes/" + e.Code + ".md")
			require.NoError(t, err)
			sections(t, string(raw), "# "+e.Code, factsBegin, facts(e), factsEnd, "## What it means", "## Usual causes", "## What to try")
		})
	}
	books, err := filepath.Glob("../runbooks/codes/*.md")
	require.NoError(t, err)
	assert.Len(t, books, len(registry.All()), "a runbook of a code that is not registered")
}

// sections checks that the parts are there in their order, each heading with
// something under it.
func sections(t *testing.T, text string, parts ...string) {
	t.Helper()
	at := 0
	for _, p := range parts {
		i := strings.Index(text[at:], p)
		require.GreaterOrEqual(t, i, 0, "%q is missing or out of order", p)
		at += i + len(p)
	}
	assert.NotRegexp(t, `(?m)^## .*\n+(## |\z)`, text, "an empty section")
}

// TestRunbookLinks follows the relative links of every runbook, and the names of
// panels, dashboards and settings they mention.
func TestRunbookLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)]+)\)`)
	known := map[string]bool{}
	for _, d := range shippedDashboards(t) {
		known[d.Title] = true
	}
	books, err := filepath.Glob("../runbooks/*/*.md")
	require.NoError(t, err)
	for _, name := range append(books, "../runbooks/README.md") {
		raw, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(raw), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			assert.FileExists(t, filepath.Join(filepath.Dir(name), m[1]), name)
		}
		for _, m := range regexp.MustCompile(`\*([A-Z][^*]+)\*`).FindAllStringSubmatch(string(raw), -1) {
			assert.True(t, known[m[1]], "%s names a dashboard that is not there: %s", name, m[1])
		}
	}
}

// TestProvisioning checks what Grafana asks of its files.
func TestProvisioning(t *testing.T) {
	raw, err := os.ReadFile("../generated/provisioning/alerting/harnesserr.yaml")
	require.NoError(t, err)
	var f provisionedAlerts
	require.NoError(t, yaml.Unmarshal(raw, &f))
	require.Len(t, f.Groups, 1)
	require.Len(t, f.Groups[0].Rules, len(alerts()))
	uids, titles := map[string]bool{}, map[string]bool{}
	for _, r := range f.Groups[0].Rules {
		assert.Regexp(t, `^[a-z0-9-]{1,40}$`, r.UID)
		assert.False(t, uids[r.UID] || titles[r.Title], r.Title)
		uids[r.UID], titles[r.Title] = true, true
		assert.NotContains(t, r.Annotations["summary"], "$value ")
	}
}

func TestWithFacts(t *testing.T) {
	got, err := withFacts([]byte("a\n"+factsBegin+"\nold\n"+factsEnd+"\nz\n"), "new\n")
	require.NoError(t, err)
	require.Equal(t, "a\n"+factsBegin+"\nnew\n"+factsEnd+"\nz\n", string(got))
	_, err = withFacts([]byte("a\n"), "new\n")
	require.ErrorContains(t, err, factsBegin)
	_, err = withFacts([]byte(factsBegin), "new\n")
	require.ErrorContains(t, err, factsEnd)
}
