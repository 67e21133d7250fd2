// Package machine says what a benchmark ran on, and reads the CPU time that was used.
package machine

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Describe names the machine by CPU model and cores only.
func Describe() string {
	return fmt.Sprintf("%s, %d cores, %s %s/%s", model(), runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func model() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown CPU"
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown CPU"
}

// Load returns the load average of the last minute, or a question mark.
func Load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "?"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// ThreadTime returns the CPU time of the calling thread, which has to be locked. Unlike the wall clock it doesn't count
// what others did meanwhile.
func ThreadTime() time.Duration { return clock(unix.CLOCK_THREAD_CPUTIME_ID) }

// ProcessTime returns the CPU time of the process, the garbage collector's included.
func ProcessTime() time.Duration { return clock(unix.CLOCK_PROCESS_CPUTIME_ID) }

func clock(id int32) time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(id, &ts); err != nil {
		panic("no clock of CPU time: " + err.Error()) // Linux has both since 2.6.12
	}
	return time.Duration(ts.Nano())
}
