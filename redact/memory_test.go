package redact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is remembered changes no result, whatever came before.
func TestMemory(t *testing.T) {
	drop, dry := DefaultConfig(), DefaultConfig()
	drop.Mode, drop.MaxLength, dry.DryRun = ModeDrop, 100, true
	for _, cfg := range []Config{DefaultConfig(), drop, dry} {
		c, err := New(cfg)
		require.NoError(t, err)
		m := NewMemory()
		secret := "token=" + "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z" + "45"
		texts := []string{"", "x", "connection reset by peer", secret, "two\nlines", "two lines"}
		for i := range 2000 {
			texts = append(texts, fmt.Sprintf("request %d failed", i), fmt.Sprintf("request %d failed with %s", i%7, secret))
		}
		for range 4 {
			for _, s := range texts {
				for k := range numKinds {
					var want, got Report
					require.Equal(t, c.Clean(s, k, &want), c.CleanAgain(m, s, k, &got), s)
					require.Equal(t, want.Total(), got.Total(), s)
				}
			}
		}
		for _, p := range m.texts {
			require.NotContains(t, p.text, secret)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	c, err := New(DefaultConfig())
	require.NoError(t, err)
	m := NewMemory()
	for i := range 1000 {
		s := strings.Repeat(fmt.Sprintf("line %d of a trace\n", i), 500)
		for range 12 {
			c.CleanAgain(m, s, StackTrace, nil)
		}
	}
	held := 0
	for _, p := range m.texts {
		held += len(p.text)
	}
	require.Equal(t, held, m.bytes)
	require.LessOrEqual(t, held, memoryMost)
	require.Greater(t, held, memoryMost/2)
}

func TestMemoryIsFasterThanLooking(t *testing.T) {
	c, err := New(DefaultConfig())
	require.NoError(t, err)
	m := NewMemory()
	s := "connection reset by peer"
	for range 2 {
		c.CleanAgain(m, s, Text, nil)
	}
	require.Zero(t, testing.AllocsPerRun(100, func() { c.CleanAgain(m, s, Text, nil) }))
	c.pre = nil // whoever looks now panics, and is told so by the rule
	require.Equal(t, s, c.CleanAgain(m, s, Text, nil))
	require.Equal(t, unscanned, c.CleanAgain(m, s+".", Text, nil))
}
