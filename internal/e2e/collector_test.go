package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/internal/e2e/otlpsink"
)

// collectorBinary returns the collector to test: HARNESSERR_OTELCOL, or the one `make build` makes.
func collectorBinary(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: no collector")
	}
	path := os.Getenv("HARNESSERR_OTELCOL")
	if path == "" {
		path = "../../bin/otelcol-harness"
	}
	_, err := os.Stat(path)
	require.NoError(t, err, "no collector: run `make build` first, or set HARNESSERR_OTELCOL to its path")
	return path
}

// collector is the binary on the quick start configuration, with ports of its own and a second way out for spans and logs.
type collector struct {
	grpc, http, counters, board string // addresses, without a scheme
	sink                        *otlpsink.Sink
	cmd                         *exec.Cmd
	log                         *bytes.Buffer
	exited                      chan error
	ready                       time.Time // when it first said that it is ready
}

// armTime is how long after it is ready a collector may still die of a signal instead of ending in order: the Run loop
// of go.opentelemetry.io/collector/otelcol asks for signals only after the service, health check included, has started.
const armTime = time.Second

// startCollector starts the binary; further configurations, in YAML, are merged over the quick start's.
func startCollector(t *testing.T, more ...string) *collector {
	t.Helper()
	c := &collector{
		grpc: problemFreeAddr(t), http: problemFreeAddr(t), counters: problemFreeAddr(t), board: problemFreeAddr(t),
		sink: otlpsink.Start(t), log: &bytes.Buffer{}, exited: make(chan error, 1),
	}
	health := problemFreeAddr(t)
	override := fmt.Sprintf(`
extensions: {healthcheckv2: {http: {endpoint: %q}}}
receivers: {otlp: {protocols: {grpc: {endpoint: %q}, http: {endpoint: %q}}}}
connectors: {span_metrics: {metrics_flush_interval: 200ms}}
exporters:
  board: {endpoint: %q, directory: %q, sample_interval: 1s, scrape: []}
  prometheus: {endpoint: %q}
  otlp_http/sink: {endpoint: %q, compression: none}
service:
  telemetry: {metrics: {level: none, readers: []}}
  pipelines:
    traces: {exporters: [span_metrics, otlp_http/sink]}
    logs: {exporters: [signal_to_metrics, otlp_http/sink]}
`, health, c.grpc, c.http, c.board, t.TempDir(), c.counters, c.sink.HTTP)
	args := []string{"--config", "../../examples/quickstart.yaml"}
	for _, text := range append([]string{override}, more...) {
		file := filepath.Join(t.TempDir(), "override.yaml")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		args = append(args, "--config", file)
	}
	c.cmd = exec.Command(collectorBinary(t), args...)
	c.cmd.Stdout, c.cmd.Stderr = c.log, c.log
	require.NoError(t, c.cmd.Start())
	go func() { c.exited <- c.cmd.Wait() }()
	t.Cleanup(func() {
		c.stop(t, os.Kill)
		if t.Failed() {
			t.Logf("log of the collector:\n%s", c.log)
		}
	})
	require.Eventually(t, func() bool { return get(t, "http://"+health+"/status") != "" }, 60*time.Second, 50*time.Millisecond, "the collector is not ready")
	c.ready = time.Now()
	return c
}

// stop ends the collector and returns how it ended; nil is an exit code of 0. It may be called again.
func (c *collector) stop(t *testing.T, signal os.Signal) error {
	t.Helper()
	if c.cmd == nil {
		return nil
	}
	if signal != os.Kill {
		time.Sleep(armTime - time.Since(c.ready))
	}
	_ = c.cmd.Process.Signal(signal)
	c.cmd = nil
	select {
	case err := <-c.exited:
		return err
	case <-time.After(30 * time.Second):
		return errors.New("the collector does not end")
	}
}

// get returns the body of a page, "" if it can't be had.
func get(t *testing.T, url string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return ""
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		return ""
	}
	return string(text)
}

// Every example is a configuration that the binary accepts.
func TestExamplesAreValid(t *testing.T) {
	binary := collectorBinary(t)
	files, err := filepath.Glob("../../examples/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			cmd := exec.Command(binary, "validate", "--config", file)
			cmd.Env = append(os.Environ(), "REMOTE_WRITE_TOKEN=any", "OTLP_TOKEN=any")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.NotContains(t, string(out), "deprecated")
		})
	}
}

func TestSIGTERMEndsCleanly(t *testing.T) {
	c := startCollector(t)
	require.NoError(t, c.stop(t, syscall.SIGTERM))
	require.Contains(t, c.log.String(), "Shutdown complete")
}
