package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// problemBinary returns the collector to test. Without one there is nothing to
// do, unless the run is meant to be end to end.
func problemBinary(t *testing.T) string {
	t.Helper()
	path := os.Getenv("HARNESSERR_OTELCOL")
	if path == "" {
		require.NotEqual(t, "1", os.Getenv("HARNESSERR_E2E"),
			"HARNESSERR_E2E=1 needs HARNESSERR_OTELCOL: the path of a collector with the problem exporter and file_storage")
		t.Skip("HARNESSERR_OTELCOL names no collector")
	}
	return path
}

// problemReceiver keeps the documents that were posted to it, one a request.
type problemReceiver struct {
	mu     sync.Mutex
	addr   string
	server *http.Server
	keys   map[string]map[string]int // span id, key: how often
	posts  int
	bodies []byte
}

func newProblemReceiver(t *testing.T) *problemReceiver {
	t.Helper()
	r := &problemReceiver{addr: problemFreeAddr(t), keys: map[string]map[string]int{}}
	t.Cleanup(func() { r.down() })
	return r
}

func (r *problemReceiver) up(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("tcp", r.addr)
	require.NoError(t, err)
	server := &http.Server{Handler: r, ReadHeaderTimeout: time.Minute}
	r.mu.Lock()
	r.server = server
	r.mu.Unlock()
	go func() { _ = server.Serve(listener) }()
}

func (r *problemReceiver) down() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.server != nil {
		_ = r.server.Close()
		r.server = nil
	}
}

func (r *problemReceiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var doc struct {
		Code   string `json:"code"`
		SpanID string `json:"span_id"`
	}
	body, err := io.ReadAll(req.Body)
	if err != nil || json.Unmarshal(body, &doc) != nil || doc.Code == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.posts++
	r.bodies = append(r.bodies, body...)
	if r.keys[doc.SpanID] == nil {
		r.keys[doc.SpanID] = map[string]int{}
	}
	r.keys[doc.SpanID][req.Header.Get("Idempotency-Key")]++
}

func (r *problemReceiver) documents() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.keys)
}

func (r *problemReceiver) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return string(r.bodies)
}

// requireAll waits for the documents of every span and checks that those that
// came twice came with the same key.
func (r *problemReceiver) requireAll(t *testing.T, spanIDs []string) {
	t.Helper()
	require.Eventually(t, func() bool { return r.documents() >= len(spanIDs) }, 60*time.Second, 20*time.Millisecond,
		"want %d documents", len(spanIDs))
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string]bool{}
	for _, id := range spanIDs {
		require.Len(t, r.keys[id], 1, "keys of the document of span %s", id)
		for key := range r.keys[id] {
			require.False(t, all[key], "key of two documents")
			all[key] = true
		}
	}
	t.Logf("%d failures accepted, %d posts, %d of them duplicates", len(spanIDs), r.posts, r.posts-len(r.keys))
}

// problemFreeAddr returns an address on loopback that nobody listens on.
func problemFreeAddr(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	return listener.Addr().String()
}

// problemCollector is a collector with the pipeline otlp -> processors -> problem.
type problemCollector struct {
	addr       string // of the otlp receiver
	config     string
	binary     string
	processors []string
	cmd        *exec.Cmd
	exited     chan error
	log        *os.File
}

// newProblemCollector starts a collector. The exporter's configuration is YAML
// in flow style; storage is the directory of file_storage.
func newProblemCollector(t *testing.T, storage, exporter string, processors ...string) *problemCollector {
	t.Helper()
	c := &problemCollector{addr: problemFreeAddr(t), binary: problemBinary(t), processors: processors}
	var err error
	c.log, err = os.Create(filepath.Join(t.TempDir(), "collector.log"))
	require.NoError(t, err)
	t.Cleanup(func() {
		c.stop(t, os.Kill)
		if text, err := os.ReadFile(c.log.Name()); t.Failed() && err == nil {
			t.Logf("log of the collector:\n%s", text)
		}
		require.NoError(t, c.log.Close())
	})
	c.configure(t, storage, exporter)
	c.start(t)
	return c
}

func (c *problemCollector) configure(t *testing.T, storage, exporter string) {
	t.Helper()
	c.config = filepath.Join(t.TempDir(), "collector.yaml")
	var defined strings.Builder
	for _, processor := range c.processors {
		fmt.Fprintf(&defined, "%s: {}, ", processor)
	}
	require.NoError(t, os.WriteFile(c.config, fmt.Appendf(nil, `
extensions: {file_storage: {directory: %q, create_directory: true}}
receivers: {otlp: {protocols: {http: {endpoint: %q}}}}
processors: {%s}
exporters: {problem: %s}
service:
  telemetry: {metrics: {level: none}, logs: {level: error}}
  extensions: [file_storage]
  pipelines: {traces: {receivers: [otlp], processors: [%s], exporters: [problem]}}
`, storage, c.addr, defined.String(), exporter, strings.Join(c.processors, ", ")), 0o600))
}

func (c *problemCollector) start(t *testing.T) {
	t.Helper()
	c.cmd = exec.Command(c.binary, "--config", c.config)
	c.cmd.Stderr = c.log
	require.NoError(t, c.cmd.Start())
	exited := make(chan error, 1)
	go func(cmd *exec.Cmd) { exited <- cmd.Wait() }(c.cmd)
	c.exited = exited
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", c.addr)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, 30*time.Second, 10*time.Millisecond, "the collector does not listen")
}

// stop ends the collector with a signal and waits until it is gone.
func (c *problemCollector) stop(t *testing.T, signal os.Signal) {
	t.Helper()
	if c.cmd == nil {
		return
	}
	_ = c.cmd.Process.Signal(signal)
	select {
	case <-c.exited:
	case <-time.After(30 * time.Second):
		_ = c.cmd.Process.Kill()
		t.Error("the collector does not end")
	}
	c.cmd = nil
}

// limitFileSize bounds every file of the collector, as a full disk would; 0 lifts the bound.
func (c *problemCollector) limitFileSize(t *testing.T, bytes int64) {
	t.Helper()
	limit := "unlimited"
	if bytes > 0 {
		limit = strconv.FormatInt(bytes, 10)
	}
	out, err := exec.Command("prlimit", "--pid", strconv.Itoa(c.cmd.Process.Pid), "--fsize="+limit+":").CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// send posts one failing span and reports whether the collector took it.
func (c *problemCollector) send(spanID string) bool {
	body := fmt.Sprintf(`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"e2e"}}]},
"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":%q,"name":"chat","kind":3,
"startTimeUnixNano":"1764489600000000000","endTimeUnixNano":"1764489600250000000","status":{"code":2,"message":"529 overloaded"},
"attributes":[{"key":"harness.error.code","value":{"stringValue":"upstream.overloaded"}},
{"key":"harness.error.class","value":{"stringValue":"transport_failure"}}]}]}]}]}`, spanID)
	return c.post(body)
}

// post sends OTLP/JSON traces and reports whether the collector took them all.
func (c *problemCollector) post(body string) bool {
	client := http.Client{Timeout: 5 * time.Second}
	resp, err := client.Post("http://"+c.addr+"/v1/traces", "application/json", strings.NewReader(body))
	if err != nil {
		return false
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	return err == nil && resp.StatusCode == http.StatusOK && !strings.Contains(string(answer), "rejectedSpans")
}

// sendAll posts n failures, each as often as it takes, and returns their span ids.
func (c *problemCollector) sendAll(t *testing.T, from, n int) (spanIDs []string) {
	t.Helper()
	for i := from; i < from+n; i++ {
		id := fmt.Sprintf("%016x", i+1)
		require.Eventually(t, func() bool { return c.send(id) }, 30*time.Second, 20*time.Millisecond, "nobody takes span %s", id)
		spanIDs = append(spanIDs, id)
	}
	return spanIDs
}
