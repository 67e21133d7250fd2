package measure

import (
	"runtime"
	"time"

	"github.com/harnesserr/harnesserr/bench/internal/cases"
	"github.com/harnesserr/harnesserr/bench/internal/machine"
	"github.com/harnesserr/harnesserr/signal"
)

// Start is what compiling the tables costs, with a number of rules of the user's own.
type Start struct {
	Rules  int
	Took   time.Duration // CPU time, median
	KeptMB float64       // heap that stays
}

const startRuns = 15

// Starts measures each number of own rules.
func Starts() (starts []Start, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, n := range []int{0, 1000, 10000} {
		own := ownRules(n)
		var took []time.Duration
		var kept []float64
		for range startRuns {
			before := heap()
			began := machine.ThreadTime()
			engine, err := signal.New(own)
			took = append(took, machine.ThreadTime()-began)
			if err != nil {
				return nil, err
			}
			kept = append(kept, float64(heap()-before)/1e6)
			runtime.KeepAlive(engine)
		}
		starts = append(starts, Start{Rules: n, Took: Median(took), KeptMB: Median(kept)})
	}
	return starts, nil
}

func ownRules(n int) []signal.UserRule {
	var own []signal.UserRule
	for _, r := range cases.Rules(n) {
		cells := r.(map[string]any)
		own = append(own, signal.UserRule{
			Where: "own", Match: cells["match"].(string), Value: cells["value"].(string), Code: cells["code"].(string),
		})
	}
	return own
}

// heap returns the bytes in use once everything unreachable is gone.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
