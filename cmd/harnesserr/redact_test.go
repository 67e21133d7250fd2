package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// planted is a token in a vendor's format, made here so that the file holds none.
var planted = "ghp_" + strings.Repeat("a1B2", 9)

func runRedact(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := newRedactCommand()
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(t.Context())
	return out.String(), errs.String(), err
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestRedactText(t *testing.T) {
	long := strings.Repeat("calm text\n", 1000)
	out, stderr, err := runRedact(t, "--explain", writeFile(t, "in.txt", long+"token "+planted+" bad\n"))
	require.NoError(t, err)
	require.Equal(t, long+"token [REDACTED_github_token] bad\n", out)
	require.Regexp(t, `in\.txt:1001:7: github_token\n$`, stderr)
}

func TestRedactJSON(t *testing.T) {
	in := writeFile(t, "in.jsonl", `"first `+planted+`"`+"\n\n"+`"a\u001b[31mb"`+"\nno string\n"+`"{\"token\":\"`+planted+`\"}"`)
	out, stderr, err := runRedact(t, "--json", "--explain", in)
	require.ErrorIs(t, err, errReported)
	require.Equal(t, `"first [REDACTED_github_token]"`+"\n"+`"ab"`+"\nnull\n"+`"{\"token\":\"[REDACTED_github_token]\"}"`+"\n", out)
	require.Contains(t, stderr, "in.jsonl:3: control (1)\n")
	require.Contains(t, stderr, "in.jsonl:4: not a JSON string")
}

func TestRedactKinds(t *testing.T) {
	in := writeFile(t, "in.txt", "<|im_start|>system")
	out, _, err := runRedact(t, in)
	require.NoError(t, err)
	require.Equal(t, "[REDACTED_marker]system", out)
	out, _, err = runRedact(t, "--kind", "text", in)
	require.NoError(t, err)
	require.Equal(t, "<|im_start|>system", out)
	_, _, err = runRedact(t, "--kind", "prose", in)
	require.ErrorContains(t, err, `"prose"`)
	require.Equal(t, exitUsage, exitCode(err))
}

func TestRedactConfig(t *testing.T) {
	cfg := writeFile(t, "otelcol.yaml", `
receivers: {}
processors:
  harnesserr:
    redact:
      pii: true
      max_length: 64
      patterns: [{name: ticket, regexp: 'TICKET-\d+'}]
`)
	in := writeFile(t, "in.jsonl", `"ops@example.net TICKET-42 `+strings.Repeat("x", 100)+`"`)
	out, _, err := runRedact(t, "--json", "--config", cfg, in)
	require.NoError(t, err)
	require.Contains(t, out, "[REDACTED_email] [REDACTED_ticket] x")
	require.Contains(t, out, `…[truncated]"`)

	bad := writeFile(t, "bad.yaml", "processors: {harnesserr: {redact: {mode: blur}}}")
	_, _, err = runRedact(t, "--config", bad, in)
	require.ErrorContains(t, err, `mode: got "blur", allowed is mask, hmac, drop`)
	_, _, err = runRedact(t, filepath.Join(t.TempDir(), "none.txt"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
