package redact

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the processor time that f takes on this thread: waiting for a busy machine does not count. The clock counts
// nanoseconds; getrusage is exact to a tick only.
func cpuTime(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	used := func() int64 {
		var ts unix.Timespec
		_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts)
		return ts.Nano()
	}
	before := used()
	f()
	return time.Duration(used() - before)
}
