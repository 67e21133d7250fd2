package redact

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func newCleaner(t testing.TB) *Cleaner {
	t.Helper()
	c, err := New(DefaultConfig())
	require.NoError(t, err)
	failOnPanic(t, c)
	return c
}

func failOnPanic(t testing.TB, c *Cleaner) {
	c.onPanic = func(e any) { t.Errorf("panic: %v\n%s", e, debug.Stack()) }
}
