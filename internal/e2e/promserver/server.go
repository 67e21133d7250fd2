// Package promserver runs a Prometheus server in tests, as a receiver of remote write.
package promserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/internal/e2e/otelcol"
)

// Server is a Prometheus server.
type Server struct {
	// URL is without a slash at the end.
	URL string

	binary, address, directory string
	cmd                        *exec.Cmd
}

// Start starts a server with an empty store, which ends with the test. It is `prometheus` on the PATH; without one the test is
// skipped, unless HARNESSERR_E2E=1.
func Start(t testing.TB) *Server {
	t.Helper()
	binary, err := exec.LookPath("prometheus")
	if err != nil {
		require.NotEqual(t, "1", os.Getenv("HARNESSERR_E2E"), "HARNESSERR_E2E=1 needs Prometheus on the PATH")
		t.Skip("no prometheus on the PATH")
	}
	s := &Server{binary: binary, address: otelcol.FreeAddress(t), directory: t.TempDir()}
	s.URL = "http://" + s.address
	require.NoError(t, os.WriteFile(filepath.Join(s.directory, "prometheus.yml"), nil, 0o600))
	t.Cleanup(func() { s.Stop(t) })
	s.Restart(t)
	return s
}

// RemoteWrite returns the URL to write to.
func (s *Server) RemoteWrite() string { return s.URL + "/api/v1/write" }

// Restart starts a server that was stopped on what it has stored.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.cmd = exec.Command(s.binary, "--config.file="+filepath.Join(s.directory, "prometheus.yml"), "--log.level=error",
		"--storage.tsdb.path="+filepath.Join(s.directory, "data"), "--web.listen-address="+s.address, "--web.enable-remote-write-receiver")
	require.NoError(t, s.cmd.Start())
	require.Eventually(t, func() bool {
		resp, err := http.Get(s.URL + "/-/ready")
		if err == nil {
			_ = resp.Body.Close()
		}
		return err == nil && resp.StatusCode == http.StatusOK
	}, time.Minute, 50*time.Millisecond, "prometheus is not ready")
}

// Stop ends the server and keeps what it has stored.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if s.cmd != nil {
		require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
		_ = s.cmd.Wait()
		s.cmd = nil
	}
}

// Sample is a series with its value.
type Sample struct {
	Labels map[string]string
	Value  float64
}

// Query evaluates an expression now. A server that can't answer (yet) has no samples.
func (s *Server) Query(t testing.TB, expression string) []Sample {
	t.Helper()
	var samples []Sample
	for _, result := range s.query(t, expression) {
		samples = append(samples, Sample{Labels: result.Metric, Value: value(t, result.Value)})
	}
	return samples
}

// Counted returns what the counters of a selector have counted in the last hour, restarts included.
func (s *Server) Counted(t testing.TB, selector string) (sum float64) {
	t.Helper()
	for _, result := range s.query(t, selector+"[1h]") {
		before := 0.0
		for _, pair := range result.Values {
			v := value(t, pair)
			if v < before {
				before = 0
			}
			sum += v - before
			before = v
		}
	}
	return sum
}

type series struct {
	Metric map[string]string
	Value  [2]any
	Values [][2]any
}

func (s *Server) query(t testing.TB, expression string) []series {
	t.Helper()
	resp, err := http.Get(s.URL + "/api/v1/query?query=" + url.QueryEscape(expression))
	if err != nil {
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		Error string
		Data  struct{ Result []series }
	}
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&answer))
	require.Empty(t, answer.Error, expression)
	return answer.Data.Result
}

func value(t testing.TB, pair [2]any) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(fmt.Sprint(pair[1]), 64)
	require.NoError(t, err)
	return v
}

// Values returns the values of an expression by one label.
func (s *Server) Values(t testing.TB, expression, label string) map[string]float64 {
	t.Helper()
	values := map[string]float64{}
	for _, sample := range s.Query(t, expression) {
		values[sample.Labels[label]] += sample.Value
	}
	return values
}
