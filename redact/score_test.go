package redact

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// row is a labelled text: what must go, what must stay.
type row struct {
	id, kind, text string
	secrets, keep  []string
	hard           bool
}

// tally counts rows of one group: all of them, and the ones that came out right.
type tally struct{ good, all int }

// leaks reports whether a secret, or a piece of twelve bytes of its last 60 %, is in the text.
func leaks(secret, text string) bool {
	if strings.Contains(text, secret) {
		return true
	}
	tail := secret[len(secret)*2/5:]
	for i := 0; i+12 <= len(tail); i++ {
		if strings.Contains(text, tail[i:i+12]) {
			return true
		}
	}
	return false
}

func isDocument(s string) bool {
	var v any
	if json.Unmarshal([]byte(s), &v) != nil {
		return false
	}
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// score cleans every row and counts. miss is called for each row that came out wrong.
func score(c *Cleaner, rows []row, miss func(what string, r row, got string)) map[string]tally {
	out := map[string]tally{}
	count := func(what string, ok bool, r row, got string) {
		t := out[what]
		t.all++
		if ok {
			t.good++
		} else {
			miss(what, r, got)
		}
		out[what] = t
	}
	for _, r := range rows {
		got := c.Clean(r.text, Feedback, nil)
		group, _, _ := strings.Cut(r.kind, ".")
		if r.hard {
			group = "hard"
		}
		if len(r.secrets) > 0 {
			gone := true
			for _, s := range r.secrets {
				if group == "secret" || group == "hard" {
					gone = gone && !leaks(s, got)
				} else {
					gone = gone && !strings.Contains(got, s)
				}
			}
			count(group, gone, r, got)
		}
		if len(r.keep) > 0 {
			kept := true
			for _, k := range r.keep {
				kept = kept && strings.Contains(got, k)
			}
			count("kept", kept, r, got)
		}
		if isDocument(r.text) {
			count("json", isDocument(got), r, got)
		}
		count("idempotent", c.Clean(got, Feedback, nil) == got, r, got)
	}
	return out
}

func readRows(t *testing.T, path string) (rows []row) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for i, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 || len(f) < 6 {
			continue
		}
		r := row{id: f[0], kind: f[1], hard: strings.HasSuffix(f[5], "/hard")}
		require.NoError(t, json.Unmarshal([]byte(f[2]), &r.text))
		require.NoError(t, json.Unmarshal([]byte(f[3]), &r.secrets))
		require.NoError(t, json.Unmarshal([]byte(f[4]), &r.keep))
		rows = append(rows, r)
	}
	return rows
}

// TestCorpusFiles scores the corpus files that REDACT_CORPUS names, separated by colons.
func TestCorpusFiles(t *testing.T) {
	paths := os.Getenv("REDACT_CORPUS")
	if paths == "" {
		t.Skip("set REDACT_CORPUS to corpus files to score them")
	}
	cfg := DefaultConfig()
	cfg.PII = os.Getenv("REDACT_PII") != ""
	c, err := New(cfg)
	require.NoError(t, err)
	for _, path := range strings.Split(paths, ":") {
		got := score(c, readRows(t, path), func(what string, r row, got string) {
			if os.Getenv("REDACT_QUIET") == "" {
				t.Logf("%s %s %s\n   in  %.300q\n   out %.300q\n   secrets %.200q keep %.200q", what, r.id, r.kind, r.text, got, r.secrets, r.keep)
			}
		})
		t.Log(path, got)
	}
}
