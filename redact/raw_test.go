package redact

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

var stack4k = strings.Repeat("goroutine 7 [running]:\ngithub.com/acme/agent/internal/loop.(*Runner).Step(0xc0001a4000, {0x1f3a2c8, 0xc000120000})\n\t/src/internal/loop/runner.go:212 +0x5bc\n", 30)[:4096]

func cpuT() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

//go:noinline
func raw2(p *prefilter, s string) (n int) {
	half := ^uint64(0)
	for i := 0; i+1 < len(s); i += 2 {
		pair := &p.pairs[uint16(s[i])|uint16(s[i+1])<<8]
		hit := half & pair.second
		half = pair.first
		if hit != 0 {
			n++
		}
	}
	return
}

var bmT [1024]uint64

//go:noinline
func rawHash(s string) (n int) {
	bm := &bmT
	w := uint32(0)
	for i := 0; i < len(s); i++ {
		w = w<<8 | uint32(s[i])
		h := (w | 0x20202020) * 0x9E3779B1 >> 16
		if bm[h>>6]&(1<<(h&63)) != 0 {
			n++
		}
	}
	return
}

//go:noinline
func rawByte(s string) (n int) {
	for i := 0; i < len(s); i++ {
		n += int(s[i])
	}
	return
}

var nextT [4000 * 40]uint16
var clsT [256]uint8

//go:noinline
func rawDFA(s string) (n int) {
	st := 0
	for i := 0; i < len(s); i++ {
		st = int(nextT[st+int(clsT[s[i]])])
		if st >= 1000 {
			n++
		}
	}
	return
}

func TestRawCPU(t *testing.T) {
	c := newCleaner(t)
	for i := range clsT {
		clsT[i] = uint8(i & 31)
	}
	for name, f := range map[string]func(){
		"raw2": func() { raw2(textPrefilter(), stack4k) }, "hash": func() { rawHash(stack4k) }, "byte": func() { rawByte(stack4k) },
		"dfa": func() { rawDFA(stack4k) }, "clean": func() { c.Clean(stack4k, Text, nil) },
	} {
		best := time.Hour
		for range 9 {
			t0 := cpuT()
			for range 2000 {
				f()
			}
			best = min(best, (cpuT()-t0)/2000)
		}
		t.Log(name, best, raw2(textPrefilter(), stack4k))
	}
}
