//go:build !linux

package redact

import "time"

// cpuTime is the time that f takes, where the processor time of a thread is not known.
func cpuTime(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
