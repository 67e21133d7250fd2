package keys

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFind(t *testing.T) {
	s, err := New([]Extra{{Role: "word", Flags: Evidence, Names: []string{"acme.word", "event.name"}}})
	require.NoError(t, err)
	for id := ID(1); int(id) < s.Len(); id++ {
		require.Equal(t, id, s.Find(s.Name(id)), s.Name(id))
	}
	for _, k := range []string{"", "a", "gen_ai", "gen_ai.operation.nam", "gen_ai.operation.name.", "acme"} {
		require.Zero(t, s.Find(k), k)
	}
	require.Equal(t, "word", s.RoleOf(s.Find("acme.word")))
	require.Equal(t, "event", s.RoleOf(s.Find("event.name")), "a known attribute keeps its role")
	require.NotZero(t, s.Flags(s.Find("event.name"))&Evidence, "and gains the flags")
	require.NotEmpty(t, s.Role("peer.tool"))
}

func TestSieve(t *testing.T) {
	s, err := New(nil)
	require.NoError(t, err)
	markers := s.Sieve(func(id ID) bool { return s.Flags(id)&Marker != 0 })
	for id := ID(1); int(id) < s.Len(); id++ {
		if s.Flags(id)&Marker != 0 {
			require.True(t, markers.May(s.Name(id)), s.Name(id))
		}
	}
	for _, k := range []string{"", "x", "server.address", "url.full", strings.Repeat("x", 64), strings.Repeat("x", 1000)} {
		require.False(t, markers.May(k), k)
	}
}

func TestTooManyAttributes(t *testing.T) {
	var names []string
	for i := range Max {
		names = append(names, fmt.Sprint("acme.", i))
	}
	_, err := New([]Extra{{Names: names}})
	require.ErrorContains(t, err, "the most that can be looked at are 511")
}

func BenchmarkFind(b *testing.B) {
	s, err := New(nil)
	require.NoError(b, err)
	keys := []string{"gen_ai.operation.name", "server.address", "gen_ai.usage.input_tokens", "acme.order.id", "http.request.method"}
	for b.Loop() {
		for _, k := range keys {
			s.Find(k)
		}
	}
}
