package peers

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestProvider(t *testing.T) {
	n, err := Load()
	require.NoError(t, err)
	for raw, want := range map[string][2]string{
		"OPEN_AI": {"openai", ""}, "az.ai.openai": {"azure.ai.openai", ""}, "openai.chat": {"openai", ""}, "Anthropic": {"anthropic", ""},
		"google-vertex": {"gcp.vertex_ai", ""}, "amazon-bedrock": {"aws.bedrock", ""}, "strands-agents": {"", "strands"}, "unknown": {"", ""},
		"acme": {"acme", ""},
	} {
		provider, framework := n.Provider(raw)
		require.Equal(t, want, [2]string{provider, framework}, raw)
	}
	require.Equal(t, "aws.bedrock", n.Model("us.amazon.nova-pro-v1:0"))
	require.Equal(t, "azure.ai.openai", n.Host("acme.openai.azure.com"))
	require.Empty(t, n.Host("openai.com.acme.example"))
}

func TestBound(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	b := NewBound(Config{Max: 2, Rename: map[string]string{"10.0.0.1": "planner"}})
	name := func(peer string, at time.Time) string { s, _ := b.Name(peer, at); return s }
	require.Equal(t, "planner", name("10.0.0.1", now))
	require.Equal(t, "a", name("a", now))
	require.Equal(t, Other, name("b", now), "two have their places")
	require.Equal(t, "a", name("a", now.Add(2*time.Hour)))
	require.Equal(t, "b", name("b", now.Add(2*time.Hour)), "an idle peer has given up its place")
	require.Equal(t, Other, name("c", now.Add(2*time.Hour)))
	require.Empty(t, name("", now))

	b = NewBound(Config{Max: 10, Allow: []string{"a"}})
	require.Equal(t, "a", name("a", now))
	require.Equal(t, Other, name("z", now))
}

func TestBoundNeverGrows(t *testing.T) {
	b := NewBound(Config{Max: 100})
	now := time.Unix(1_700_000_000, 0)
	names := map[string]bool{}
	for i := range 100_000 {
		name, _ := b.Name(fmt.Sprint("peer-", i), now)
		names[name] = true
	}
	require.Len(t, names, 101)
}
