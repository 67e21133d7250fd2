package bench

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/bench/internal/cases"
)

// BenchmarkCase runs every case under the usual tool, for profiles and benchstat; the clock stands while a batch is decoded.
//
//	go test -run '^$' -bench 'Case/harnesserr/failing5/all$' -cpuprofile cpu.out
func BenchmarkCase(b *testing.B) {
	for _, c := range cases.List() {
		b.Run(c.Name, func(b *testing.B) {
			in, err := c.Start()
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				run, err := in.Next()
				require.NoError(b, err)
				b.StartTimer()
				require.NoError(b, run())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.Records), "ns/record")
			require.NoError(b, in.Stop())
		})
	}
}
