package causality

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func id(n int) [8]byte { return [8]byte{5: byte(n >> 16), 6: byte(n >> 8), 7: byte(n)} }

// chain is a trace of n failing spans, each the child of the one before, or all children of the first.
func chain(n int, wide bool) ([]Span, []Failure) {
	spans, failures := make([]Span, n), make([]Failure, n)
	for i := range n {
		spans[i] = Span{Trace: [16]byte{1}, ID: id(i + 1), Start: uint64(i), End: uint64(2*n - i), Recognised: true, Failure: int32(i)}
		if parent := i; i > 0 {
			if wide {
				parent = 1
			}
			spans[i].Parent = id(parent)
		}
		failures[i] = Failure{Span: int32(i), Code: "upstream.unavailable", Type: "E", Message: "the very same message"}
	}
	return spans, failures
}

func owners(failures []Failure) (n int) {
	for i := range failures {
		if !failures[i].Propagated && !failures[i].Mirror && !failures[i].Handled {
			n++
		}
	}
	return n
}

func TestDeepAndWideHaveOneOwner(t *testing.T) {
	var r Relater
	for _, wide := range []bool{false, true} {
		spans, failures := chain(5000, wide)
		r.Relate(spans, failures)
		require.Equal(t, 1, owners(failures))
	}
}

// TestLinear: ten times the spans take about ten times as long, not a hundred times.
func TestLinear(t *testing.T) {
	var r Relater
	took := func(n int, wide bool) time.Duration {
		best := time.Hour
		for range 5 {
			spans, failures := chain(n, wide)
			start := time.Now()
			r.Relate(spans, failures)
			best = min(best, time.Since(start))
		}
		return best
	}
	for _, wide := range []bool{false, true} {
		require.Less(t, took(100_000, wide), 60*took(10_000, wide)+time.Millisecond)
	}
}

func TestCycleAndReuse(t *testing.T) {
	var r Relater
	spans, failures := chain(3, false)
	spans[0].Parent = id(3)
	r.Relate(spans, failures)
	require.GreaterOrEqual(t, owners(failures), 1, "a cycle never hides all of its failures")
	require.NotPanics(t, func() { r.Relate(nil, nil) })
	require.Empty(t, r.Order(), "nothing is left of the last batch")
}

func TestMirrorAndDelegation(t *testing.T) {
	var r Relater
	spans := []Span{
		{Trace: [16]byte{1}, ID: id(1), Role: Client, Recognised: true, Failure: 0, End: 9},
		{Trace: [16]byte{1}, ID: id(2), Parent: id(1), Role: Server, Recognised: true, Failure: 1, End: 8},
	}
	failures := []Failure{{Span: 0, Code: "tool.timeout"}, {Span: 1, Code: "tool.timeout"}}
	r.Relate(spans, failures)
	require.False(t, failures[0].Propagated, "the caller's half stands for the call")
	require.True(t, failures[1].Mirror)
}

func TestHandledNeedsProof(t *testing.T) {
	var r Relater
	spans := []Span{
		{Trace: [16]byte{1}, ID: id(1), Recognised: true, Failure: -1, End: 9},
		{Trace: [16]byte{1}, ID: id(2), Parent: id(1), Operation: 1, Peer: "p", Recognised: true, Failure: 0, End: 3},
		{Trace: [16]byte{1}, ID: id(3), Parent: id(1), Operation: 1, Peer: "p", Recognised: true, Failure: -1, End: 2},
	}
	failures := []Failure{{Span: 1, Code: "upstream.unavailable"}}
	r.Relate(spans, failures)
	require.False(t, failures[0].Handled, "the success came before the failure")
	spans[2].End = 5
	r.Relate(spans, failures)
	require.True(t, failures[0].Handled)
	spans[0].Error = true
	r.Relate(spans, failures)
	require.False(t, failures[0].Handled, "the parent did not succeed")
}
