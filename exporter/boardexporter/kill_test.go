package boardexporter

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metricstest"
)

// childDirectory names the folder of the store in the environment of a process that is going to be killed.
const childDirectory = "BOARD_TEST_CHILD_DIRECTORY"

// TestChild is no test: it is the process that TestSIGKILL kills. It counts up, and tells each count once it was
// accepted.
func TestChild(t *testing.T) {
	dir := os.Getenv(childDirectory)
	if dir == "" {
		t.Skip("runs in the process that TestSIGKILL starts")
	}
	b, err := newBoard(testConfig(dir), componenttest.NewNopTelemetrySettings(), builtIn())
	require.NoError(t, err)
	require.NoError(t, b.start(t.Context(), componenttest.NewNopHost()))
	began := time.Now()
	for n := int64(1); ; n++ {
		require.NoError(t, b.push(t.Context(), metricstest.Counter(
			metricstest.Point{Peer: "a", Value: n, At: time.Now(), Start: began, Trace: 9})))
		fmt.Printf("accepted %d %d\n", n, time.Now().UnixMilli())
		time.Sleep(10 * time.Millisecond)
	}
}

// TestSIGKILL: of what was accepted, no more is lost than came within one sample interval before the end.
func TestSIGKILL(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestChild$")
	child.Env = append(os.Environ(), childDirectory+"="+dir)
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	go func() {
		time.Sleep(4500 * time.Millisecond)
		_ = child.Process.Signal(syscall.SIGKILL)
	}()
	accepted := map[int64]int64{} // count by ms
	var last, stall int64         // ms
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if f := strings.Fields(lines.Text()); len(f) == 3 && f[0] == "accepted" {
			n, err := strconv.ParseInt(f[1], 10, 64)
			require.NoError(t, err)
			at, err := strconv.ParseInt(f[2], 10, 64)
			require.NoError(t, err)
			if last > 0 {
				stall = max(stall, at-last)
			}
			accepted[at], last = n, at
		}
	}
	require.Error(t, child.Wait(), "it was killed")
	require.NotEmpty(t, accepted)

	r := run(t, testConfig(dir))
	defer r.stop()
	got, ok := r.value(`last_over_time(harness_calls_total[5m])`)
	require.True(t, ok)
	// On a busy machine a tick comes late, as the counts do.
	late := 200 + 2*stall
	var due int64
	for at, n := range accepted {
		if at <= last-time.Second.Milliseconds()-late {
			due = max(due, n)
		}
	}
	t.Logf("accepted %d, due %d, found %v", accepted[last], due, got)
	require.GreaterOrEqual(t, got, float64(due))
	require.Positive(t, due)
	_, _, body := r.get("/api/v1/query_exemplars?query=harness_calls_total")
	require.Contains(t, body, "trace_id", "exemplars are kept")

	// The counter begins anew, and the count goes on.
	now := time.Now()
	require.NoError(t, r.push(t.Context(), metricstest.Counter(metricstest.Point{Peer: "a", Value: 5, At: now, Start: now})))
	r.eventually(1, `resets(harness_calls_total[5m])`)
}
