package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const fixtureDir = "../../testdata/otlp"

// expected is an entry of NAME.expect.json: the right answer for one record of NAME.json.
type expected struct {
	// Span is the name or id of a span, log[N] for the Nth log record, METRIC[N] for the Nth point of a metric.
	Span             string   `json:"span"`
	ErrorType        string   `json:"error_type"`  // the code; null, here "", if nothing failed
	AcceptAlso       []string `json:"accept_also"` // codes that are as good
	Origin           string   `json:"origin"`
	Retryable        *bool    `json:"retryable"`
	ModelRecoverable *bool    `json:"model_recoverable"`
	PropagatedFrom   string   `json:"propagated_from"`
	MirrorOf         string   `json:"mirror_of"`
}

// TestFixtures runs explain over payloads in the shape of one instrumentation each, and reports every miss at once.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(fixtureDir, "*.expect.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	differ := disagreements(t)
	entries := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".expect.json")
		t.Run(name, func(t *testing.T) {
			got := explained(t, filepath.Join(fixtureDir, name+".json"))
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			var want []expected
			require.NoError(t, json.Unmarshal(text, &want))
			for _, e := range want {
				entries++
				g, found := got[e.Span]
				if !found {
					t.Errorf("%s: no such record", e.Span)
					continue
				}
				misses := e.compare(g)
				if code, agreed := differ[name+"\t"+e.Span]; agreed {
					delete(differ, name+"\t"+e.Span)
					if len(misses) == 0 {
						t.Errorf("%s: is as expected now: remove it from disagreements.tsv", e.Span)
						continue
					}
					if misses = nil; codeOf(g) != code {
						misses = []string{fmt.Sprintf("want %s (disagreements.tsv), got %s", code, codeOf(g))}
					}
				}
				for _, m := range misses {
					t.Errorf("%s: %s", e.Span, m)
				}
			}
		})
	}
	for key := range differ {
		t.Errorf("disagreements.tsv: no record %q", key)
	}
	t.Logf("%d records of %d fixtures", entries, len(files))
}

// TestFixturesArePairs makes sure that each fixture has both of its files.
func TestFixturesArePairs(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(fixtureDir, "*.json"))
	require.NoError(t, err)
	names := map[string]int{}
	for _, f := range files {
		names[strings.TrimSuffix(strings.TrimSuffix(f, ".json"), ".expect")]++
	}
	for name, n := range names {
		require.Equal(t, 2, n, name)
	}
}

func (e expected) compare(g line) []string {
	code := codeOf(g)
	want := []string{cmp.Or(e.ErrorType, "none")}
	for _, also := range e.AcceptAlso {
		want = append(want, cmp.Or(also, "none"))
	}
	if !slices.Contains(want, code) {
		return []string{fmt.Sprintf("want %s, got %s (%s %s)", strings.Join(want, " or "), code, g.Evidence, g.Rule)}
	}
	if code != e.ErrorType {
		return nil // nothing failed, or another good answer
	}
	var misses []string
	miss := func(member string, want, got any) {
		misses = append(misses, fmt.Sprintf("%s: want %v, got %v", member, want, got))
	}
	if e.Origin != "" && e.Origin != g.Origin {
		miss("origin", e.Origin, g.Origin)
	}
	if e.Retryable != nil && (g.Retryable == nil || *g.Retryable != *e.Retryable) {
		miss("retryable", *e.Retryable, show(g.Retryable))
	}
	if e.ModelRecoverable != nil && (g.ModelRecoverable == nil || *g.ModelRecoverable != *e.ModelRecoverable) {
		miss("model_recoverable", *e.ModelRecoverable, show(g.ModelRecoverable))
	}
	if want := e.PropagatedFrom != ""; want != g.Propagated {
		miss("propagated", want, g.Propagated)
	}
	if want := e.MirrorOf != ""; want != g.Mirror {
		miss("mirror", want, g.Mirror)
	}
	return misses
}

func codeOf(g line) string {
	if g.Code == nil {
		return "none"
	}
	return *g.Code
}

func show(b *bool) string {
	if b == nil {
		return "unknown"
	}
	return fmt.Sprint(*b)
}

// explained runs `harnesserr explain --json --all` and returns the records under every name that an expectation may use.
func explained(t *testing.T, file string) map[string]line {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := newRootCommand()
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs([]string{"explain", "--json", "--all", file})
	require.NoError(t, cmd.ExecuteContext(t.Context()), errs.String())
	got := map[string]line{}
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g line
		require.NoError(t, json.Unmarshal(lines.Bytes(), &g))
		if _, taken := got[g.Name]; !taken {
			got[g.Name] = g
		}
		switch g.Signal {
		case "trace":
			got[g.SpanID] = g
		case "log":
			got[fmt.Sprintf("log[%d]", *g.Index)] = g
		case "metric":
			got[fmt.Sprintf("%s[%d]", g.Name, *g.Index)] = g
		}
	}
	require.NoError(t, lines.Err())
	return got
}

// disagreements reads the records whose expectation we think wrong: fixture, record, the code we give, the reason.
func disagreements(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(fixtureDir, "disagreements.tsv"))
	require.NoError(t, err)
	codes := map[string]string{}
	for row := range strings.Lines(string(text)) {
		if strings.HasPrefix(row, "#") || strings.TrimSpace(row) == "" {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		require.Len(t, cells, 4, "fixture, record, code and reason: %s", row)
		codes[cells[0]+"\t"+cells[1]] = cells[2]
	}
	return codes
}
