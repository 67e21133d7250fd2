package problem_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/registry"
)

// full is an object with every member that may leave in any carrier.
func full(e registry.Entry) problem.Object {
	return problem.Object{
		Title: e.Title, Detail: "d <&> é", Instance: "urn:x:1", Code: e.Code, Origin: e.Origin,
		Retryable: &e.Retryable, ModelRecoverable: &e.ModelRecoverable, ModelFeedback: "f",
		RetryAfter: new(1.5), Attempts: new(int64(3)), MaxAttempts: new(int64(0)),
		Limit:    &problem.Limit{Name: "turns", Value: new(50.0), Observed: new(0.0)},
		Location: &problem.Location{RunID: "r", Turn: 5, ToolName: "t", ToolCallID: "c", Pointer: "/a"},
		Upstream: &problem.Upstream{Provider: "p", Status: 503, Code: "c", StopReason: "s"},
		Causes:   []problem.Object{problem.New(registry.OutputEmpty, "")},
	}
}

func text(t *testing.T, v any) []byte {
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return b
}

// Every code goes out in every binding and comes back as it was.
func TestRoundTrip(t *testing.T) {
	for _, e := range registry.All() {
		for name, o := range map[string]problem.Object{
			"full": full(e), "new": problem.New(e.Code, "d"), "bare": {Code: e.Code, Origin: e.Origin},
		} {
			t.Run(e.Code+"/"+name, func(t *testing.T) {
				roundTripHTTP(t, e, o)
				roundTripMCP(t, e, o)
				roundTripA2A(t, e, o)
			})
		}
	}
}

func roundTripHTTP(t *testing.T, e registry.Entry, o problem.Object) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := problem.WriteHTTP(w, o); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	r, err := server.Client().Get(server.URL)
	require.NoError(t, err)
	body, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.NoError(t, r.Body.Close())
	require.Equal(t, e.HTTPStatus, r.StatusCode)
	require.Contains(t, string(body), `"status":`+strconv.Itoa(r.StatusCode))
	f, ok := problem.FromHTTP(r.Header, body, time.Now())
	require.True(t, ok)
	require.Equal(t, problem.Found{Object: o, Carrier: problem.CarrierBare}, f)
}

func roundTripMCP(t *testing.T, e registry.Entry, o problem.Object) {
	response := problem.MCPResponse(7, o)
	require.Equal(t, e.MCPChannel == registry.MCPToolError, response.Error == nil)
	if response.Error != nil {
		require.Equal(t, int(e.MCPChannel), response.Error.Code)
	}
	got, ok := problem.FromMCP(text(t, response), true)
	require.True(t, ok)
	require.Equal(t, o, got)
	// The other channel works too, should an author need it.
	for _, v := range []any{problem.MCPToolResult(o), problem.MCPError(o)} {
		got, ok = problem.FromMCP(text(t, v), true)
		require.True(t, ok)
		require.Equal(t, o, got)
	}
}

func roundTripA2A(t *testing.T, e registry.Entry, o problem.Object) {
	retryable, _ := o.IsRetryable()
	for _, version := range []problem.A2AVersion{problem.A2A03, problem.A2A10} {
		status := problem.A2AStatus(version, "m1", o)
		require.Equal(t, e.A2AState, problem.TaskState(status.State))
		e := problem.A2AError(version, -32603, o)
		for _, v := range []any{
			status,
			map[string]any{"jsonrpc": "2.0", "id": 1, "result": map[string]any{"id": "t", "status": status}},
			map[string]any{"jsonrpc": "2.0", "id": 1, "result": map[string]any{"task": map[string]any{"status": status}}},
			map[string]any{"statusUpdate": map[string]any{"status": status}},
			problem.RPCResponse{JSONRPC: "2.0", ID: 1, Error: &e},
		} {
			got, ok := problem.FromA2A(text(t, v), false)
			require.True(t, ok)
			require.Equal(t, registry.UpstreamAgentFailed, got.Code)
			require.Equal(t, new(retryable), got.Retryable)
			require.Equal(t, []problem.Object{o}, got.Causes)
		}
	}
}

// The status member belongs into HTTP bodies only (draft 6.2).
func TestStatusStaysInHTTP(t *testing.T) {
	o := problem.Object{Code: registry.ToolTimeout, Status: 599}
	for _, v := range []any{
		problem.MCPToolResult(o), problem.MCPError(o), problem.A2AStatus(problem.A2A10, "m", o), problem.A2AError(problem.A2A10, 1, o),
	} {
		require.NotContains(t, string(text(t, v)), `"status"`)
	}
	status, _, body, err := problem.HTTPResponse(o)
	require.NoError(t, err)
	require.Equal(t, 599, status, "an author's own choice")
	require.Contains(t, string(body), `"status":599`)
	o.Status = 200
	status, _, _, err = problem.HTTPResponse(o)
	require.NoError(t, err)
	require.Equal(t, 504, status, "an error is no success")
}

func TestHTTPRefusesBadObjects(t *testing.T) {
	w := httptest.NewRecorder()
	require.ErrorContains(t, problem.WriteHTTP(w, problem.Object{Code: "?"}), "code: got")
	require.Empty(t, w.Body.Bytes())
	require.Empty(t, w.Header())
}

func TestHTTPRetryAfter(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0", 0.2: "1", 30: "30", 1e300: strconv.Itoa(math.MaxInt32)} {
		o := problem.New(registry.UpstreamRateLimited, "")
		o.RetryAfter = &seconds
		_, header, _, err := problem.HTTPResponse(o)
		require.NoError(t, err)
		require.Equal(t, want, header.Get("Retry-After"))
	}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	body := text(t, problem.New(registry.UpstreamRateLimited, ""))
	for field, want := range map[string]*float64{
		"": nil, "soon": nil, "-1": nil, "1.5": nil, "30": new(30.0),
		"Mon, 30 Nov 2026 12:00:05 GMT": new(5.0), "Mon, 30 Nov 2026 11:00:00 GMT": new(0.0),
	} {
		header := http.Header{"Content-Type": {"application/problem+json; charset=utf-8"}, "Retry-After": {field}}
		f, ok := problem.FromHTTP(header, body, now)
		require.True(t, ok)
		require.Equal(t, want, f.Object.RetryAfter, field)
	}
}

func TestFromHTTPMediaTypes(t *testing.T) {
	body := text(t, problem.New(registry.UpstreamRateLimited, ""))
	for contentType, want := range map[string]bool{
		problem.MediaType: true, "application/json": true, "application/a2a+json": true, "APPLICATION/JSON": true,
		"text/html": false, "": false, "application/json2": false, ";": false,
	} {
		_, ok := problem.FromHTTP(http.Header{"Content-Type": {contentType}}, body, time.Now())
		require.Equal(t, want, ok, contentType)
	}
	_, ok := problem.FromHTTP(http.Header{"Content-Type": {problem.MediaType}}, []byte(`{"title":"Forbidden","status":403}`), time.Now())
	require.False(t, ok, "a bare status is not translated")
}

// answers.tsv holds what a peer may send without an object, and the code that
// tables 5 and 7 give it.
func TestAnswersWithoutAnObject(t *testing.T) {
	data, err := os.ReadFile("testdata/answers.tsv")
	require.NoError(t, err)
	for _, row := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")[1:] {
		cells := strings.Split(row, "\t")
		t.Run(strings.Join(cells[:3], " "), func(t *testing.T) {
			protocol, flag, in, code, origin, upstream := cells[0], cells[1] == "yes", []byte(cells[2]), cells[3], cells[4], cells[5]
			from := problem.FromMCP
			if protocol == "a2a" {
				from = problem.FromA2A
			}
			o, ok := from(in, flag)
			require.Equal(t, code != "-", ok)
			if !ok {
				return
			}
			require.Equal(t, code, o.Code)
			require.Equal(t, origin, string(o.Origin))
			require.NoError(t, o.Validate())
			require.Equal(t, protocol, o.Upstream.Provider)
			require.JSONEq(t, upstream, string(text(t, o.Upstream)))
		})
	}
}

func TestTaskState(t *testing.T) {
	for want, spellings := range map[string][]string{
		"unspecified":    {"unknown", "TASK_STATE_UNSPECIFIED", "Unknown", "0"},
		"submitted":      {"submitted", "TASK_STATE_SUBMITTED", "Submitted", "1", "TaskState.submitted"},
		"working":        {"working", "TASK_STATE_WORKING", "Working", "2"},
		"completed":      {"completed", "TASK_STATE_COMPLETED", "Completed", "3"},
		"failed":         {"failed", "TASK_STATE_FAILED", "Failed", "4", "FAILED", "TaskState.failed"},
		"canceled":       {"canceled", "TASK_STATE_CANCELED", "TASK_STATE_CANCELLED", "cancelled", "CANCELED", "5"},
		"input_required": {"input-required", "TASK_STATE_INPUT_REQUIRED", "InputRequired", "input_required", "6"},
		"rejected":       {"rejected", "TASK_STATE_REJECTED", "Rejected", "7", "REJECTED"},
		"auth_required":  {"auth-required", "TASK_STATE_AUTH_REQUIRED", "AuthRequired", "8"},
		"":               {"", "9", "done", "failed!", "TASK_STATE_"},
	} {
		for _, s := range spellings {
			require.Equal(t, want, problem.TaskState(s), s)
		}
	}
}

func TestA2AExtension(t *testing.T) {
	var entry map[string]any
	require.NoError(t, json.NewDecoder(bytes.NewReader(text(t, problem.A2AExtension()))).Decode(&entry))
	require.Equal(t, problem.ExtensionURI, entry["uri"])
	require.Equal(t, false, entry["required"], "written out, not left to a default")
}
