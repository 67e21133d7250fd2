// Package otelcol runs the collector's binary in tests: on the shipped configurations, with addresses and directories of
// the test's own.
package otelcol

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Collector is a process of the collector.
type Collector struct {
	// PID is the process id.
	PID int
	// OTLP is HOST:PORT of the otlp receiver over gRPC, Metrics the URL of the collector's own metrics, for configurations that
	// take the environment variables OTLP_GRPC and METRICS_PORT.
	OTLP, Metrics string

	health string
	cmd    *exec.Cmd
	exited chan struct{}
	log    *os.File
	args   []string
	env    []string
}

// Binary returns the path of the collector: HARNESSERR_OTELCOL, or the one that `make build` makes.
func Binary(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: no collector")
	}
	path := os.Getenv("HARNESSERR_OTELCOL")
	if path == "" {
		path = Root("bin", "otelcol-harness")
	}
	_, err := os.Stat(path)
	require.NoError(t, err, "no collector: run `make build` first, or set HARNESSERR_OTELCOL to its path")
	return path
}

// Root returns a path below the root of the repository, which is above the directory that a test runs in.
func Root(elements ...string) string {
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "builder-config.yaml")); missing == nil {
			break
		}
		if filepath.Dir(dir) == dir {
			err = errors.New("no builder-config.yaml above the working directory")
		}
		dir = filepath.Dir(dir)
	}
	if err != nil {
		panic(err)
	}
	return filepath.Join(append([]string{dir}, elements...)...)
}

// Options say how to start a collector.
type Options struct {
	// Config is a file in examples.
	Config string
	// Env are the environment variables of the configuration, beside OTLP_GRPC, OTLP_HTTP, HEALTH, METRICS_PORT and
	// STORAGE_DIRECTORY, which are set to what is free.
	Env map[string]string
	// Set changes single options of the configuration, as in "processors::batch::timeout: 2s".
	Set []string
}

// Start starts a collector and waits until it is healthy. It is killed when the test ends; the log of a test that failed is
// shown.
func Start(t testing.TB, o Options) *Collector {
	t.Helper()
	c := &Collector{args: []string{"--config", Root("examples", o.Config)}, OTLP: FreeAddress(t), health: FreeAddress(t)}
	metrics := FreeAddress(t)
	_, port, err := net.SplitHostPort(metrics)
	require.NoError(t, err)
	c.Metrics = "http://" + metrics + "/metrics"
	env := map[string]string{
		"OTLP_GRPC": c.OTLP, "OTLP_HTTP": FreeAddress(t), "HEALTH": c.health, "METRICS_PORT": port,
		"STORAGE_DIRECTORY": t.TempDir(),
	}
	maps.Copy(env, o.Env)
	c.env = os.Environ()
	for _, key := range slices.Sorted(maps.Keys(env)) {
		c.env = append(c.env, key+"="+env[key])
	}
	for _, set := range o.Set {
		c.args = append(c.args, "--config", "yaml:"+set)
	}
	c.log, err = os.Create(filepath.Join(t.TempDir(), "collector.log"))
	require.NoError(t, err)
	t.Cleanup(func() {
		c.Stop(t, syscall.SIGKILL)
		if t.Failed() {
			text, _ := os.ReadFile(c.log.Name())
			t.Logf("the end of the log of %s:\n%s", o.Config, text[max(0, len(text)-2500):])
		}
		_ = c.log.Close()
	})
	c.Restart(t)
	return c
}

// Restart starts a collector again that was stopped, with the same addresses and directories.
func (c *Collector) Restart(t testing.TB) {
	t.Helper()
	c.cmd = exec.Command(Binary(t), c.args...)
	c.cmd.Env, c.cmd.Stderr = c.env, c.log
	require.NoError(t, c.cmd.Start())
	c.PID = c.cmd.Process.Pid
	exited := make(chan struct{})
	go func(cmd *exec.Cmd) {
		_ = cmd.Wait()
		close(exited)
	}(c.cmd)
	c.exited = exited
	client := http.Client{Timeout: time.Second}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		resp, err := client.Get("http://" + c.health + "/status")
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-exited:
			require.FailNow(t, "the collector did not start")
		default:
			require.True(t, time.Now().Before(deadline), "the collector is not healthy")
		}
	}
}

// Stop sends a signal and waits until the collector is gone.
func (c *Collector) Stop(t testing.TB, signal syscall.Signal) {
	t.Helper()
	if c.cmd == nil {
		return
	}
	_ = c.cmd.Process.Signal(signal)
	select {
	case <-c.exited:
	case <-time.After(time.Minute):
		_ = c.cmd.Process.Kill()
		t.Error("the collector does not end")
	}
	c.cmd = nil
}

// Metric returns the sum of the series of one of the collector's own metrics, by its Prometheus name.
func (c *Collector) Metric(t testing.TB, name string) float64 {
	t.Helper()
	return Sum(t, c.Metrics, name)
}

// Sum returns the sum of the series of one metric on a page in the Prometheus format.
func Sum(t testing.TB, url, name string) (sum float64) {
	t.Helper()
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(line, name)
		if !ok || rest[0] != '{' && rest[0] != ' ' {
			continue
		}
		if i := strings.LastIndexByte(rest, '}'); i >= 0 {
			rest = rest[i+1:]
		}
		v, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
		require.NoError(t, err, line)
		sum += v
	}
	return sum
}

// Log returns what the collector has logged.
func (c *Collector) Log() (string, error) {
	text, err := os.ReadFile(c.log.Name())
	return string(text), err
}

// FreeAddress returns HOST:PORT on loopback that nobody listens on.
func FreeAddress(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	return fmt.Sprint(listener.Addr())
}
