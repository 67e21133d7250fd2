package redact

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCleanText counts the lines of the module cache's Markdown and Go files that cleaning changes: text about secrets
// that holds none. At most two a megabyte may change.
func TestCleanText(t *testing.T) {
	if os.Getenv("REDACT_CLEAN_TEXT") == "" {
		t.Skip("set REDACT_CLEAN_TEXT=1 to clean every *.md and *.go file of the module cache, or to another folder")
	}
	root := os.Getenv("REDACT_CLEAN_TEXT")
	if root == "1" {
		out, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE").Output()
		require.NoError(t, err)
		root = strings.TrimSpace(string(out))
	}
	c := newCleaner(t)
	for _, ext := range []string{".md", ".go"} {
		size, changed := 0, 0
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ext {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			size += len(data)
			for line := range bytes.Lines(data) {
				s := strings.TrimRight(string(line), "\r\n")
				var r Report
				if got := c.Clean(s, Payload, &r); got != s && textChanged(&r) {
					changed++
					if changed <= 400 {
						t.Logf("%s\n    %.240s\n    %.240s", path, s, got)
					}
				}
			}
			return nil
		})
		require.NoError(t, err)
		perMB := float64(changed) / (float64(size) / 1e6)
		t.Logf("*%s: %d lines changed in %.1f MB: %.2f per MB", ext, changed, float64(size)/1e6, perMB)
		assert.LessOrEqual(t, perMB, 2.0)
	}
}

// textChanged leaves out control characters, and home directories, which are what they are also in documentation.
func textChanged(r *Report) bool {
	n := 0
	r.Each(func(rule string, k int) {
		if rule != codeRules[ruleControl] && rule != codeRules[ruleUTF8] && rule != codeRules[ruleHome] {
			n += k
		}
	})
	return n > 0
}
