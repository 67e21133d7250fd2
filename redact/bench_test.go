package redact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func newCleaner(t testing.TB) *Cleaner {
	t.Helper()
	c, err := New(DefaultConfig())
	require.NoError(t, err)
	return c
}

func BenchmarkStack4K(b *testing.B) {
	c := newCleaner(b)
	s := strings.Repeat("goroutine 7 [running]:\ngithub.com/acme/agent/internal/loop.(*Runner).Step(0xc0001a4000, {0x1f3a2c8, 0xc000120000})\n\t/src/internal/loop/runner.go:212 +0x5bc\n", 30)[:4096]
	b.SetBytes(4096)
	b.ReportAllocs()
	for b.Loop() {
		c.Clean(s, Text, nil)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		newCleaner(b)
	}
}

func TestFirst(t *testing.T) {
	c := newCleaner(t)
	var r Report
	t.Log(c.Clean("bad key sk-proj-"+"abcDEF123456ghiJKL789"+" and \x1b[31mghp_"+strings.Repeat("a1B2", 9)+"\x1b[0m.", Text, &r))
	r.Each(func(n string, k int) { t.Log(n, k) })
}
