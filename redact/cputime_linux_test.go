package redact

import (
	"runtime"
	"syscall"
	"time"
)

// cpuTime is the processor time that f takes on this thread: waiting for a busy machine does not count.
func cpuTime(f func()) time.Duration {
	const thread = 1 // RUSAGE_THREAD
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	used := func() int64 {
		var u syscall.Rusage
		_ = syscall.Getrusage(thread, &u)
		return u.Utime.Nano() + u.Stime.Nano()
	}
	before := used()
	f()
	return time.Duration(used() - before)
}
