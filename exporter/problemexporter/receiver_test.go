package problemexporter

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// request is one POST that a receiver took in whole.
type request struct {
	at          time.Time
	key         string
	contentType string
	header      http.Header
	spanIDs     []string
	bodies      []string
	accepted    bool // answered with 2xx, be it in vain
}

// receiver is an HTTP server on loopback that keeps every request and answers
// as its script says. Behind the script's end it answers 200.
type receiver struct {
	mu       sync.Mutex
	requests []request
	script   []answerFunc
	addr     string
	server   *http.Server
}

// answerFunc answers a request and says whether it accepted it.
type answerFunc = func(w http.ResponseWriter, req *http.Request, got request) bool

func newReceiver(t *testing.T, script ...answerFunc) *receiver {
	t.Helper()
	r := &receiver{addr: "127.0.0.1:0", script: script}
	r.up(t)
	t.Cleanup(func() { _ = r.server.Close() })
	return r
}

func (r *receiver) url() string { return "http://" + r.addr + "/problems" }

// up listens, at the same address after a down.
func (r *receiver) up(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("tcp", r.addr)
	require.NoError(t, err)
	r.addr = listener.Addr().String()
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: time.Minute}
	go func() { _ = r.server.Serve(listener) }()
}

// down closes the listener and every connection.
func (r *receiver) down(t *testing.T) {
	t.Helper()
	require.NoError(t, r.server.Close())
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // the client went away
	}
	got := request{
		at:          time.Now(),
		key:         req.Header.Get("Idempotency-Key"),
		contentType: req.Header.Get("Content-Type"),
		header:      req.Header,
	}
	for _, doc := range splitDocuments(body) {
		var members struct {
			SpanID string `json:"span_id"`
		}
		if err := json.Unmarshal(doc, &members); err != nil {
			w.WriteHeader(http.StatusTeapot) // no test expects it
			return
		}
		got.spanIDs = append(got.spanIDs, members.SpanID)
		got.bodies = append(got.bodies, string(doc))
	}
	answer := status(http.StatusOK, "", "")
	r.mu.Lock()
	n := len(r.requests)
	r.requests = append(r.requests, got)
	if len(r.script) > 0 {
		answer, r.script = r.script[0], r.script[1:]
	}
	r.mu.Unlock()
	if answer(w, req, got) {
		r.mu.Lock()
		r.requests[n].accepted = true
		r.mu.Unlock()
	}
}

// splitDocuments reads a body of any of the three formats.
func splitDocuments(body []byte) []json.RawMessage {
	var out []json.RawMessage
	if bytes.HasPrefix(body, []byte("[")) {
		_ = json.Unmarshal(body, &out)
		return out
	}
	for dec := json.NewDecoder(bytes.NewReader(body)); ; {
		var doc json.RawMessage
		if dec.Decode(&doc) != nil {
			return out
		}
		out = append(out, doc)
	}
}

func (r *receiver) got() []request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]request(nil), r.requests...)
}

// delivered counts how often each span's document was accepted.
func (r *receiver) delivered() map[string]int {
	out := map[string]int{}
	for _, req := range r.got() {
		if !req.accepted {
			continue
		}
		for _, id := range req.spanIDs {
			out[id]++
		}
	}
	return out
}

// status answers with a status, a Retry-After if there is one, and a body.
func status(code int, retryAfter, body string) answerFunc {
	return func(w http.ResponseWriter, _ *http.Request, _ request) bool {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
		return code < 300
	}
}

// hang answers nothing until the client gives up.
func hang(_ http.ResponseWriter, req *http.Request, _ request) bool {
	<-req.Context().Done()
	return false
}

// raw writes bytes to the connection and closes it, with a reset if linger is 0.
func raw(text string, linger int) answerFunc {
	return func(w http.ResponseWriter, _ *http.Request, _ request) bool {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return false
		}
		_, _ = io.WriteString(conn, text)
		_ = conn.(*net.TCPConn).SetLinger(linger)
		_ = conn.Close()
		return strings.HasPrefix(text, "HTTP/1.1 200 ")
	}
}
