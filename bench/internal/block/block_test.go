package block

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReplace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(file, []byte("a\n<!-- x begin -->\nold\n<!-- x end -->\nb\n"), 0o600))
	require.NoError(t, Replace(file, "x", "\nnew\n"))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "a\n<!-- x begin -->\nnew\n<!-- x end -->\nb\n", string(text))
	require.ErrorContains(t, Replace(file, "y", "new"), "no <!-- y begin -->")
}
