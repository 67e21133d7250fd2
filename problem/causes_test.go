package problem_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/registry"
)

// chain is an error with causes in a row: x-hop.0 caused by x-hop.1 and so on.
func chain(causes int) problem.Object {
	o := problem.Object{Code: fmt.Sprintf("x-hop.%d", causes)}
	for i := causes - 1; i >= 0; i-- {
		o = problem.Object{Code: fmt.Sprintf("x-hop.%d", i), Causes: []problem.Object{o}}
	}
	return o
}

func codes(from, to int) []string {
	var list []string
	for i := from; i <= to; i++ {
		list = append(list, fmt.Sprintf("x-hop.%d", i))
	}
	return list
}

func TestTrim(t *testing.T) {
	full := chain(problem.MaxCauses)
	require.Equal(t, full, problem.Trim(full))
	for _, n := range []int{problem.MaxCauses + 1, 100} {
		got := problem.Trim(chain(n))
		want := append(codes(1, problem.MaxCauses-1), fmt.Sprintf("x-hop.%d", n))
		require.Equal(t, want, got.CauseCodes(), "the recent ones and the innermost stay")
		require.Equal(t, want[len(want)-1], got.Innermost().Code)
	}

	// Attempts side by side, the last of them with causes of its own.
	wide := problem.Object{Code: "x-a.root"}
	for range 50 {
		wide.Causes = append(wide.Causes, problem.Object{Code: "x-a.attempt"})
	}
	wide.Causes = append(wide.Causes, chain(30))
	got := problem.Trim(wide)
	require.Len(t, got.CauseCodes(), problem.MaxCauses)
	require.Equal(t, "x-hop.30", got.Innermost().Code)
	require.Len(t, wide.Causes, 51, "the argument is left alone")
}

// Reading cuts as Trim does, from text and from trees, and needs neither the
// stack nor the time to build what it cuts.
func TestReadCutsCauses(t *testing.T) {
	var tree any = map[string]any{"code": "x-hop.last"}
	const hops = 100_000
	for i := range hops {
		tree = map[string]any{"code": fmt.Sprintf("x-hop.%d", hops-i), "causes": []any{tree}}
	}
	tree.(map[string]any)["type"] = problem.TypeURI
	f, ok := problem.FindTree(tree)
	require.True(t, ok)
	require.Equal(t, append(codes(2, problem.MaxCauses), "x-hop.last"), f.Object.CauseCodes())

	text := `{"type":"` + problem.TypeURI + `","code":"x-a.b","causes":[` +
		strings.Repeat(`{"code":"x-a.c"},`, 3000) + `{"code":"x-a.d"}]}`
	o, err := problem.Parse([]byte(text))
	require.NoError(t, err)
	require.Len(t, o.CauseCodes(), problem.MaxCauses)
	require.Equal(t, "x-a.d", o.Innermost().Code)

	deep := strings.Repeat(`{"code":"x-a.c","causes":[`, 1500) + strings.Repeat("]}", 1500)
	deep = `{"type":"` + problem.TypeURI + `",` + deep[1:]
	_, err = problem.ParseStrict([]byte(deep))
	require.ErrorContains(t, err, "16 levels at most")
	require.Less(t, len(err.Error()), 64<<10)
}

func TestWrap(t *testing.T) {
	inner := problem.New(registry.LoopMaxTurnsExceeded, "d")
	outer := problem.Wrap(problem.Wrap(inner))
	require.Equal(t, registry.UpstreamAgentFailed, outer.Code)
	require.Equal(t, []string{registry.UpstreamAgentFailed, registry.LoopMaxTurnsExceeded}, outer.CauseCodes())
	require.Equal(t, inner, *outer.Innermost(), "the inner object is not rewritten")
	require.Equal(t, new(false), outer.Retryable)
	require.NoError(t, outer.Validate())

	require.Equal(t, new(true), problem.Wrap(problem.New(registry.UpstreamRateLimited, "")).Retryable)
	require.Nil(t, problem.Wrap(problem.Object{Code: "x-acme.thing"}).Retryable, "not known, so not said")

	nameless := problem.Object{Detail: "d", Causes: []problem.Object{inner}}
	require.Equal(t, []string{registry.LoopMaxTurnsExceeded}, new(problem.Wrap(nameless)).CauseCodes())

	o := inner
	for range 100 {
		o = problem.Wrap(o)
	}
	require.Len(t, o.CauseCodes(), problem.MaxCauses)
	require.Equal(t, inner, *o.Innermost())
}
