package signal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What is remembered of a name changes no verdict, however often it comes and whatever came in between.
func TestMemory(t *testing.T) {
	e, m := Default(), NewMemory()
	decide := func(m *Memory, r *Rule) (v Verdict, failed bool) {
		ev := Evidence{Operation: OpChat, Status: StatusError, ErrorType: r.value, Provider: "openai"}
		if len(r.file.homes) > 0 {
			ev.Provider = r.file.homes[0]
		}
		failed = e.Decide(m, &ev, &v)
		return v, failed
	}
	for _, r := range e.rules {
		if r.match != MatchType && r.match != MatchGRPC && r.match != MatchHTTP {
			continue
		}
		want, failed := decide(nil, r)
		for range 1 + r.order%4 { // some stay
			got, again := decide(m, r)
			require.Equal(t, failed, again, r.id)
			require.Equal(t, want, got, r.id)
		}
	}
}

// A name that comes again and again is found without an allocation, and so is one that never came before.
func TestMemoryAllocates(t *testing.T) {
	e, m := Default(), NewMemory()
	names := []string{"openai.RateLimitError", "acme.errors.NobodyKnowsIt", "429", "RESOURCE_EXHAUSTED"}
	for range 3 {
		for _, n := range names {
			e.named(m, n)
		}
	}
	for _, n := range names {
		require.Equal(t, n, e.named(m, n).name)
		require.Zero(t, testing.AllocsPerRun(10, func() { e.named(m, n) }))
	}
	require.Zero(t, testing.AllocsPerRun(10, func() { e.named(nil, "acme.errors.Other") }))
}
