// Package promapi answers the query part of the Prometheus HTTP API, so that Grafana and every other client of a
// Prometheus can read the store. The library's own handlers ask for a whole server around them.
//
// https://prometheus.io/docs/prometheus/latest/querying/api/
package promapi

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/prometheus/rules"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/store"
)

// Prefix of every path of the API.
const Prefix = "/api/v1/"

// Rules gives the state of the rules.
type Rules interface {
	RuleGroups() []*rules.Group
	AlertingRules() []*rules.AlertingRule
}

// API answers requests from a store.
type API struct {
	store   *store.Store
	rules   Rules
	slots   chan struct{} // one for each query under way
	observe func(ctx context.Context, outcome string)
	now     func() time.Time
}

// Options of the API.
type Options struct {
	// MaxConcurrency bounds the queries evaluated at once; others wait. Positive.
	MaxConcurrency int
	// Observe is told the outcome of each request: "success" or the error type of the answer.
	Observe func(ctx context.Context, outcome string)
}

// New returns the API over a store and the rules that are evaluated on it.
func New(s *store.Store, r Rules, o Options) *API {
	return &API{store: s, rules: r, slots: make(chan struct{}, o.MaxConcurrency), observe: o.Observe, now: time.Now}
}

// answer is what an endpoint has to say.
type answer struct {
	data    any
	notes   notes
	release func() // frees data once it is encoded; may be nil
}

type endpoint func(r *http.Request) (answer, error)

// Handler serves every path under [Prefix].
func (a *API) Handler() http.Handler {
	mux := http.NewServeMux()
	for path, e := range map[string]struct {
		do       endpoint
		readOnly bool // GET only, as in Prometheus
	}{
		"query":               {do: a.query},
		"query_range":         {do: a.queryRange},
		"query_exemplars":     {do: a.queryExemplars},
		"series":              {do: a.series},
		"labels":              {do: a.labelNames},
		"label/{name}/values": {do: a.labelValues, readOnly: true},
		"rules":               {do: a.ruleGroups, readOnly: true},
		"alerts":              {do: a.alerts, readOnly: true},
		"metadata":            {do: a.metadata, readOnly: true},
		"status/buildinfo":    {do: a.buildInfo, readOnly: true},
	} {
		mux.Handle(Prefix+path, a.serve(e.do, e.readOnly))
	}
	mux.Handle(Prefix, a.serve(func(r *http.Request) (answer, error) {
		return answer{}, failf(notFound, "there is no endpoint %q", r.URL.Path)
	}, false))
	return mux
}

func (a *API) serve(do endpoint, readOnly bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if m := r.Method; m != http.MethodGet && m != http.MethodHead && (readOnly || m != http.MethodPost) {
			w.Header().Set("Allow", "GET, HEAD")
			if !readOnly {
				w.Header().Set("Allow", "GET, HEAD, POST")
			}
			a.fail(w, r, failf(methodNotAllowed, "method %s is not allowed", m))
			return
		}
		if err := r.ParseForm(); err != nil {
			a.fail(w, r, failf(badData, "form: %w", err))
			return
		}
		ans, err := do(r)
		if err != nil {
			a.fail(w, r, err)
			return
		}
		if ans.release != nil {
			defer ans.release()
		}
		a.succeed(w, r, ans)
	})
}
