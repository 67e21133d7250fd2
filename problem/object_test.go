package problem_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/registry"
)

func TestParse(t *testing.T) {
	names, files := cases(t, "objects.txtar")
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			in := []byte(files[name]["in"])
			got, err := problem.Parse(in)
			require.NoError(t, err)

			strict, err := problem.ParseStrict(in)
			require.Equal(t, got, strict, "both readers build the same object")
			require.Equal(t, strings.TrimSpace(files[name]["findings"]), sorted(err))

			out, ok := files[name]["out"]
			if !ok {
				return
			}
			text, err := got.Encode()
			require.NoError(t, err)
			require.Equal(t, strings.TrimSpace(out), string(text))
			again, err := problem.ParseStrict(text)
			require.NoError(t, err, "what is written is well-formed")
			require.Equal(t, got, again)
		})
	}
}

func sorted(err error) string {
	if err == nil {
		return ""
	}
	lines := strings.Split(err.Error(), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// The examples in the draft's own text, where that is at hand: every object in
// it is read without a finding and comes back with the same members.
func TestExamplesOfTheDraftText(t *testing.T) {
	path := os.Getenv("HARNESSERR_DRAFT")
	if path == "" {
		t.Skip("HARNESSERR_DRAFT does not name the draft's text")
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), "9. Example A harness")
	require.True(t, ok)
	want := []string{
		"bare output.retries_exhausted", "mcp.meta output.invalid_tool_arguments", "a2a.status loop.max_turns_exceeded",
	}
	var got []string
	for len(got) < len(want) {
		i := strings.IndexByte(rest, '{')
		require.GreaterOrEqual(t, i, 0)
		d := json.NewDecoder(strings.NewReader(rest[i:]))
		var example any
		require.NoError(t, d.Decode(&example))
		rest = rest[i+int(d.InputOffset()):]
		f, ok := problem.FindTree(example)
		got = append(got, line(f, ok))

		encoded, err := f.Object.Encode()
		require.NoError(t, err)
		require.Contains(t, compact(t, example), compact(t, json.RawMessage(encoded)))
	}
	require.Equal(t, want, got)
}

// compact renders JSON with sorted members.
func compact(t *testing.T, v any) string {
	text, err := json.Marshal(v)
	require.NoError(t, err)
	var tree any
	require.NoError(t, json.Unmarshal(text, &tree))
	text, err = json.Marshal(tree)
	require.NoError(t, err)
	return string(text)
}

func TestParseRejects(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":      "tool.timeout",
		"an array":     "[]",
		"null":         "null",
		"another type": `{"type":"about:blank","code":"tool.timeout"}`,
		"no type":      `{"code":"tool.timeout"}`,
		"too long":     strings.Repeat(" ", problem.MaxText) + "{}",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := problem.Parse([]byte(text))
			require.Error(t, err)
			_, strictErr := problem.ParseStrict([]byte(text))
			require.Equal(t, err.Error(), strictErr.Error())
		})
	}
	_, err := problem.Parse([]byte(`{}`))
	require.ErrorIs(t, err, problem.ErrNotHarnessError)
}

func TestUnmarshalInsideOtherTypes(t *testing.T) {
	var r problem.ToolResult
	require.NoError(t, json.Unmarshal([]byte(`{"isError":true,"_meta":{"`+problem.MetaKey+`":{"code":"tool.timeout","attempts":"1"}}}`), &r))
	require.Equal(t, problem.Object{Code: registry.ToolTimeout}, r.Meta[problem.MetaKey])
	var o problem.Object
	require.ErrorIs(t, json.Unmarshal([]byte(`{"code":"Not A Code"}`), &o), problem.ErrNotHarnessError)
	require.Error(t, json.Unmarshal([]byte(`3`), &o))
}

func TestValidate(t *testing.T) {
	require.NoError(t, new(problem.New(registry.ToolTimeout, "d")).Validate())
	bad := problem.Object{
		Code: "Tool.Timeout", Origin: "me", Status: 700, Instance: "%zz",
		RetryAfter: new(math.Inf(1)), Attempts: new(int64(-1)),
		Limit:    &problem.Limit{Observed: new(math.NaN())},
		Location: &problem.Location{Turn: -1, Pointer: "/a~2"},
		Upstream: &problem.Upstream{Status: 1},
		Causes:   []problem.Object{{}, {Code: registry.ToolTimeout, Causes: []problem.Object{{Code: "x-.a"}, {Code: "a." + strings.Repeat("b", 200)}}}},
	}
	want := strings.Join([]string{
		`attempts: got -1, want an integer of at least 0`,
		`causes[0].code: got nothing, want category.reason of [a-z0-9_], or x-private.reason, in at most 128 bytes`,
		`causes[1].causes[0].code: got "x-.a", want category.reason of [a-z0-9_], or x-private.reason, in at most 128 bytes`,
		`causes[1].causes[1].code: got "a.` + strings.Repeat("b", 62) + `…", want category.reason of [a-z0-9_], or x-private.reason, in at most 128 bytes`,
		`code: got "Tool.Timeout", want category.reason of [a-z0-9_], or x-private.reason, in at most 128 bytes`,
		`instance: got "%zz", want a URI reference (RFC 3986)`,
		`limit.observed: got NaN, want a finite number`,
		`location.pointer: got "/a~2", want a JSON Pointer (RFC 6901)`,
		`location.turn: got -1, want an integer of at least 1`,
		`origin: got "me", want model, harness, tool, upstream or user`,
		`retry_after: got +Inf, want a number of at least 0`,
		`status: got 700, want an HTTP status from 100 to 599`,
		`upstream.status: got 1, want an HTTP status from 100 to 599`,
	}, "\n")
	require.Equal(t, want, sorted(bad.Validate()))
	_, err := bad.Encode()
	require.Error(t, err)
	_, err = json.Marshal(bad)
	require.Error(t, err)
}

// A broken byte in a message must not keep the failure from being reported.
func TestEncodeReplacesBrokenText(t *testing.T) {
	text, err := new(problem.New(registry.ToolTimeout, "a\xffb")).Encode()
	require.NoError(t, err)
	require.True(t, utf8.Valid(text))
	o, err := problem.Parse(text)
	require.NoError(t, err)
	require.Equal(t, "a\ufffdb", o.Detail)
}

func TestEncodeExtra(t *testing.T) {
	o := problem.New(registry.ToolTimeout, "a<b")
	text, err := o.Encode(problem.Member{Name: "class", Value: "task_failure"}, problem.Member{Name: "peer", Value: "a<b"})
	require.NoError(t, err)
	require.Equal(t, `{"type":"`+problem.TypeURI+`","title":"Tool Timeout","detail":"a<b","code":"tool.timeout","origin":"tool","class":"task_failure","peer":"a<b"}`, string(text))
	_, err = o.Encode(problem.Member{Name: "bad", Value: math.NaN()})
	require.ErrorContains(t, err, "bad: ")
}

func TestDefaults(t *testing.T) {
	o := problem.Object{Code: registry.UpstreamRateLimited}
	value, known := o.IsRetryable()
	require.True(t, value && known)
	value, known = o.IsModelRecoverable()
	require.True(t, !value && known)
	require.Equal(t, registry.OriginUpstream, o.EffectiveOrigin())

	o.Retryable, o.ModelRecoverable, o.Origin = new(false), new(true), registry.OriginTool
	value, known = o.IsRetryable()
	require.True(t, !value && known)
	value, known = o.IsModelRecoverable()
	require.True(t, value && known)
	require.Equal(t, registry.OriginTool, o.EffectiveOrigin())

	for _, code := range []string{"x-acme.thing", "output.rejected", ""} {
		o = problem.Object{Code: code}
		_, known = o.IsRetryable()
		require.False(t, known, code)
		_, known = o.IsModelRecoverable()
		require.False(t, known, code)
		require.Empty(t, o.EffectiveOrigin())
	}
}
