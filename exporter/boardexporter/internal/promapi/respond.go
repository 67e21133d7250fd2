package promapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/util/annotations"
)

// kind is an error type of the Prometheus API with its HTTP status.
type kind struct {
	name   string
	status int
}

var (
	badData          = kind{"bad_data", http.StatusBadRequest}
	execution        = kind{"execution", http.StatusUnprocessableEntity}
	canceled         = kind{"canceled", 499} // the client closed the connection
	timedOut         = kind{"timeout", http.StatusServiceUnavailable}
	internal         = kind{"internal", http.StatusInternalServerError}
	notFound         = kind{"not_found", http.StatusNotFound}
	methodNotAllowed = kind{"bad_data", http.StatusMethodNotAllowed}
	unauthorized     = kind{"unauthorized", http.StatusUnauthorized}
)

// failure is an error with its place in the API.
type failure struct {
	kind kind
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func failf(k kind, format string, args ...any) error {
	return &failure{k, fmt.Errorf(format, args...)}
}

// classify finds the kind of an error of the query engine or the store.
func classify(err error) kind {
	var (
		f       *failure
		stopped promql.ErrQueryCanceled
		late    promql.ErrQueryTimeout
		broken  promql.ErrStorage
	)
	switch {
	case errors.As(err, &f):
		return f.kind
	case errors.As(err, &stopped), errors.Is(err, context.Canceled):
		return canceled
	case errors.As(err, &late), errors.Is(err, context.DeadlineExceeded):
		return timedOut
	case errors.As(err, &broken):
		return internal
	}
	return execution
}

// notes are remarks that go along with an answer.
type notes struct{ warnings, infos []string }

// maxNotes bounds the remarks of each sort, as in Prometheus.
const maxNotes = 10

func notesOf(a annotations.Annotations, query string) (n notes) {
	if len(a) > 0 {
		n.warnings, n.infos = a.AsStrings(query, maxNotes, maxNotes)
	}
	return n
}

const truncated = "results truncated due to limit"

type response struct {
	Status    string   `json:"status"`
	Data      any      `json:"data,omitempty"`
	ErrorType string   `json:"errorType,omitempty"`
	Error     string   `json:"error,omitempty"`
	Warnings  []string `json:"warnings,omitempty"`
	Infos     []string `json:"infos,omitempty"`
}

func (a *API) succeed(w http.ResponseWriter, r *http.Request, ans answer) {
	body, err := json.Marshal(response{
		Status: "success", Data: ans.data, Warnings: ans.notes.warnings, Infos: ans.notes.infos,
	})
	if err != nil {
		a.fail(w, r, failf(internal, "encode the answer: %w", err))
		return
	}
	a.observe(r.Context(), "success")
	write(w, http.StatusOK, body)
}

func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) {
	k := classify(err)
	a.observe(r.Context(), k.name)
	writeFailure(w, k, err.Error())
}

// Fail answers with an error outside of the endpoints, from authentication for one, in the API's shape.
func Fail(w http.ResponseWriter, message string, status int) {
	k := kind{"internal", status}
	switch {
	case status == http.StatusUnauthorized:
		k = unauthorized
	case status < http.StatusInternalServerError:
		k.name = badData.name
	}
	writeFailure(w, k, message)
}

func writeFailure(w http.ResponseWriter, k kind, message string) {
	body, err := json.Marshal(response{Status: "error", ErrorType: k.name, Error: message})
	if err != nil { // strings always encode
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	write(w, k.status, body)
}

func write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client is gone
}
