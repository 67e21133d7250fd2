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

// A trait that is there is seen, whatever else shares the slot; and hardly an everyday attribute has to be looked up to see
// that it has none.
func TestTraits(t *testing.T) {
	s, err := New(nil)
	require.NoError(t, err)
	given := func(id ID) uint8 { return uint8(s.Flags(id)) | 1<<7 }
	traits := s.Traits(given)
	for id := ID(1); int(id) < s.Len(); id++ {
		require.Equal(t, given(id), traits.BySlot[Slot(s.Name(id))]&given(id), s.Name(id))
	}
	var mistaken []string
	for _, k := range append(common, ordinary...) {
		if s.Find(k) == 0 && traits.BySlot[Slot(k)] != 0 {
			mistaken = append(mistaken, k)
		}
	}
	require.LessOrEqual(t, len(mistaken), 5, "look for other factors: %v", mistaken)
	for _, k := range []string{"", "x", strings.Repeat("x", 64), strings.Repeat("x", 1000)} {
		require.Zero(t, traits.BySlot[Slot(k)], k)
	}
}

// By their heads, markers and families are seen, and other conventions are told from them.
func TestHeads(t *testing.T) {
	s, err := New(nil)
	require.NoError(t, err)
	marker := func(id ID) uint8 { return uint8(s.Flags(id) & Marker) }
	h, err := s.Heads(marker, map[string]uint8{"haystack.agent.": 1 << 6})
	require.NoError(t, err)
	for id := ID(1); int(id) < s.Len(); id++ {
		if marker(id) != 0 {
			require.NotZero(t, h.Of(s.Name(id))&marker(id), s.Name(id))
		}
	}
	require.NotZero(t, h.Of("haystack.agent.tools")&(1<<6))
	var mistaken []string
	for _, k := range common {
		if len(k) >= Least && h.Of(k) != 0 && marker(s.Find(k)) == 0 {
			mistaken = append(mistaken, k)
		}
	}
	require.LessOrEqual(t, len(mistaken), 10, "look for another factor: %v", mistaken)
	_, err = s.Heads(marker, map[string]uint8{"agent.": 1})
	require.ErrorContains(t, err, `attribute "agent.": it can't be told by its first 8 bytes`)
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
