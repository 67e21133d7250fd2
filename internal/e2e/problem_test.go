// Package e2e drives the collector binary from outside.
package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const problemRetry = `retry_on_failure: {initial_interval: 100ms, max_interval: 1s}`

func problemPosting(endpoint string, queue string) string {
	return fmt.Sprintf(`{endpoint: %q, timeout: 2s, %s, sending_queue: {%s}}`, endpoint, problemRetry, queue)
}

// What agents send: a model call that was rate limited, the run that failed for
// it, a tool that failed, a healthy call. It goes through the processor; of the
// two failures a document each arrives. The key in their text is in no document,
// and neither key nor prompt is in the queue on the disk.
func TestProblemBehindTheProcessor(t *testing.T) {
	r := newProblemReceiver(t)
	storage := t.TempDir()
	c := newProblemCollector(t, storage, problemPosting("http://"+r.addr, "storage: file_storage"), "harnesserr")
	secret := "sk-" + "ant-api03-" + strings.Repeat("aZ9bY8cX7dW6", 8)
	const prompt = "a prompt that concerns nobody else"
	span := func(id, parent int, message, attributes string) string {
		return fmt.Sprintf(`{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"%016x","parentSpanId":"%016x","name":"x","kind":3,
"startTimeUnixNano":"1764489600000000000","endTimeUnixNano":"1764489600250000000","status":%s,"attributes":[%s
{"key":"gen_ai.input.messages","value":{"stringValue":%q}}]}`, id, parent, message, attributes, prompt)
	}
	failed := fmt.Sprintf(`{"code":2,"message":"rate limited: key %s"}`, secret)
	require.True(t, c.post(`{"resourceSpans":[{"scopeSpans":[{"spans":[`+strings.Join([]string{
		span(1, 0, failed, `{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}},`),
		span(2, 1, failed, `{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},
{"key":"gen_ai.provider.name","value":{"stringValue":"anthropic"}},
{"key":"http.response.status_code","value":{"intValue":"429"}},{"key":"error.type","value":{"stringValue":"429"}},`),
		span(3, 1, `{"code":2,"message":"no such file"}`, `{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},
{"key":"gen_ai.tool.name","value":{"stringValue":"grep"}},{"key":"error.type","value":{"stringValue":"tool_error"}},`),
		span(4, 1, `{}`, `{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},`),
	}, ",")+`]}]}]}`))

	// The receiver is away until the queue on the disk was looked at.
	var queued []byte
	require.NoError(t, filepath.Walk(storage, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		queued = append(queued, text...)
		return err
	}))
	require.Contains(t, string(queued), "upstream.rate_limited", "the queue is on the disk")
	require.NotContains(t, string(queued), secret)
	require.NotContains(t, string(queued), prompt)

	r.up(t)
	r.requireAll(t, []string{"0000000000000002", "0000000000000003"})
	time.Sleep(time.Second) // no third one follows
	require.Equal(t, 2, r.documents())
	require.NotContains(t, r.text(), secret)
	require.NotContains(t, r.text(), prompt)
	require.Contains(t, r.text(), `"code":"upstream.rate_limited"`)
	require.Contains(t, r.text(), `"code":"tool.execution_failed"`)
}

// A receiver that is away for half a minute.
func TestProblemReceiverDown(t *testing.T) {
	r := newProblemReceiver(t)
	c := newProblemCollector(t, t.TempDir(), problemPosting("http://"+r.addr, ""))
	ids := c.sendAll(t, 0, 200)
	time.Sleep(30 * time.Second)
	require.Zero(t, r.documents())
	r.up(t)
	r.requireAll(t, ids)
}

// The collector is killed again and again while failures come in and the
// receiver comes and goes. The queue on the disk holds what was accepted.
func TestProblemCollectorKilled(t *testing.T) {
	r := newProblemReceiver(t)
	c := newProblemCollector(t, t.TempDir(), problemPosting("http://"+r.addr, "storage: file_storage"))
	var ids []string
	for round := range 6 {
		ids = append(ids, c.sendAll(t, len(ids), 50)...)
		if round%2 == 1 {
			r.up(t)
		}
		ids = append(ids, c.sendAll(t, len(ids), 50)...)
		c.stop(t, os.Kill)
		r.down()
		c.start(t)
	}
	r.up(t)
	r.requireAll(t, ids)
}

// A name that does not resolve: the failures wait, through an orderly restart,
// until the endpoint is put right.
func TestProblemUnknownHost(t *testing.T) {
	r := newProblemReceiver(t)
	r.up(t)
	storage := t.TempDir()
	c := newProblemCollector(t, storage, problemPosting("http://receiver.invalid/", "storage: file_storage"))
	ids := c.sendAll(t, 0, 50)
	time.Sleep(2 * time.Second)
	c.stop(t, syscall.SIGTERM)
	require.Zero(t, r.documents())
	c.configure(t, storage, problemPosting("http://"+r.addr, "storage: file_storage"))
	c.start(t)
	r.requireAll(t, ids)
}

// The disk of the persistent queue is full: the collector says so to whoever
// sends, and what it took before and after is delivered.
func TestProblemQueueDiskFull(t *testing.T) {
	r := newProblemReceiver(t)
	storage := t.TempDir()
	c := newProblemCollector(t, storage, problemPosting("http://"+r.addr, "storage: file_storage"))
	ids := c.sendAll(t, 0, 20)
	var largest int64
	require.NoError(t, filepath.Walk(storage, func(_ string, info os.FileInfo, err error) error {
		largest = max(largest, info.Size())
		return err
	}))
	c.limitFileSize(t, largest)

	refused := false
	var last string
	for i := len(ids); !refused && i < 2000; i++ {
		last = fmt.Sprintf("%016x", i+1)
		if refused = !c.send(last); !refused {
			ids = append(ids, last)
		}
	}
	require.True(t, refused, "a full disk is reported")
	t.Logf("refused after %d failures", len(ids))
	c.limitFileSize(t, 0)
	require.Eventually(t, func() bool { return c.send(last) }, 30*time.Second, 50*time.Millisecond, "there is room again")
	ids = append(ids, last)
	r.up(t)
	r.requireAll(t, ids)
}

// The disk of the file sink is full for a while: no document is lost and no line is torn.
func TestProblemFileDiskFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "problems.ndjson")
	c := newProblemCollector(t, t.TempDir(), fmt.Sprintf(`{sink: file, file: {path: %q}, %s}`, path, problemRetry))
	ids := c.sendAll(t, 0, 20)
	require.Eventually(t, func() bool { return len(problemLines(t, path)) == len(ids) }, 10*time.Second, 20*time.Millisecond)
	info, err := os.Stat(path)
	require.NoError(t, err)
	c.limitFileSize(t, info.Size()+info.Size()/40) // room for half a document

	ids = append(ids, c.sendAll(t, len(ids), 20)...)
	time.Sleep(3 * time.Second)
	require.Len(t, problemLines(t, path), 20)
	c.limitFileSize(t, 0)
	require.Eventually(t, func() bool { return len(problemLines(t, path)) >= len(ids) }, 30*time.Second, 20*time.Millisecond)

	seen := map[string]bool{}
	for _, line := range problemLines(t, path) {
		var doc struct {
			SpanID string `json:"span_id"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &doc), line)
		seen[doc.SpanID] = true
	}
	for _, id := range ids {
		require.True(t, seen[id], id)
	}
}

func problemLines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
}
