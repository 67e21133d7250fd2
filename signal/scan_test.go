package signal

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the scanner finds is what looking for each pattern by itself finds.
func TestScan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	word := func(most int) string {
		var b strings.Builder
		for range 1 + r.IntN(most) {
			b.WriteByte("abAB _:é"[r.IntN(9)]) // few letters, so that much is found
		}
		return b.String()
	}
	for range 300 {
		patterns := make([]string, 1+r.IntN(40))
		for i := range patterns {
			patterns[i] = word(8)
		}
		s, text := newScanner(patterns), word(200)
		var want, got []string
		for id, p := range patterns {
			p = strings.ToLower(p)
			for i := 0; len(p) >= gram && i+len(p) <= len(text); i++ {
				if equalFold(text[i:i+len(p)], p) {
					want = append(want, fmt.Sprint(id, i, i+len(p)))
				}
			}
		}
		s.scan(text, func(id int32, start, end int) { got = append(got, fmt.Sprint(id, start, end)) })
		slices.Sort(want)
		slices.Sort(got)
		require.Equal(t, want, got, "%q in %q", patterns, text)
	}
}

// BenchmarkScan walks an error message of a provider, 117 bytes long.
func BenchmarkScan(b *testing.B) {
	const text = "Error code: 429 - {'error': {'message': 'Rate limit reached for org-abc on tokens per min (TPM)', 'type': 'tokens'}}"
	e := Default()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		e.text.scan(text, func(int32, int, int) {})
	}
}
