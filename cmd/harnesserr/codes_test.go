package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/registry"
)

// runCommand runs the command line and returns what it printed.
func runCommand(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := newRootCommand()
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(t.Context())
	return out.String(), errs.String(), err
}

func TestCodesTable(t *testing.T) {
	out, _, err := runCommand(t, "codes")
	require.NoError(t, err)
	rows := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, rows, 1+len(registry.All()))
	for i, e := range registry.All() {
		require.True(t, strings.HasPrefix(rows[i+1], e.Code+" "), rows[i+1])
	}
	require.Regexp(t, `(?m)^upstream\.rate_limited +Upstream Rate Limited +upstream +true +false +429 +failed +isError$`, out)
}

func TestCodesJSON(t *testing.T) {
	out, _, err := runCommand(t, "codes", "--json")
	require.NoError(t, err)
	var got []codeLine
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Len(t, got, len(registry.All()))
	require.Equal(t, "output.malformed", got[0].Code)
	require.NotEmpty(t, got[0].Description)
}

func TestCodesPicked(t *testing.T) {
	out, _, err := runCommand(t, "codes", "upstream", "output.truncated")
	require.NoError(t, err)
	require.Equal(t, 2+7, strings.Count(out, "\n"), out)
	require.NotContains(t, out, "output.empty")
}

func TestCodesUnknown(t *testing.T) {
	_, _, err := runCommand(t, "codes", "upstream.nosuch")
	require.ErrorContains(t, err, `"upstream.nosuch"`)
	require.Equal(t, exitUsage, exitCode(err))
}
