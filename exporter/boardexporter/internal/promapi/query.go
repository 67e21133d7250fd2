package promapi

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/util/stats"
)

// maxPoints is how many points of one series a range query may ask for, as in Prometheus.
const maxPoints = 11_000

type queryData struct {
	ResultType parser.ValueType  `json:"resultType"`
	Result     parser.Value      `json:"result"`
	Stats      *stats.QueryStats `json:"stats,omitempty"`
}

func (a *API) query(r *http.Request) (answer, error) {
	at, err := timeParam(r, "time", a.now())
	if err != nil {
		return answer{}, err
	}
	return a.run(r, func(ctx context.Context, o promql.QueryOpts, expr string) (promql.Query, error) {
		return a.store.Engine.NewInstantQuery(ctx, a.store, o, expr, at)
	})
}

func (a *API) queryRange(r *http.Request) (answer, error) {
	for _, name := range []string{"start", "end", "step"} {
		if r.FormValue(name) == "" {
			return answer{}, failf(badData, "missing parameter %q", name)
		}
	}
	start, end, err := rangeParams(r)
	if err != nil {
		return answer{}, err
	}
	step, err := durationParam(r, "step")
	if err != nil {
		return answer{}, err
	}
	if step <= 0 {
		return answer{}, badParam("step", r.FormValue("step"), fmt.Errorf("a step is greater than 0"))
	}
	if end.Sub(start)/step > maxPoints {
		return answer{}, badParam("step", r.FormValue("step"), fmt.Errorf("that is more than %d points of a series", maxPoints))
	}
	return a.run(r, func(ctx context.Context, o promql.QueryOpts, expr string) (promql.Query, error) {
		return a.store.Engine.NewRangeQuery(ctx, a.store, o, expr, start, end, step)
	})
}

type newQuery func(ctx context.Context, o promql.QueryOpts, expr string) (promql.Query, error)

// run evaluates a query when it is its turn.
func (a *API) run(r *http.Request, build newQuery) (answer, error) {
	limit, err := limitParam(r, "limit")
	if err != nil {
		return answer{}, err
	}
	opts, err := queryOpts(r)
	if err != nil {
		return answer{}, err
	}
	ctx, cancel, err := a.deadline(r)
	if err != nil {
		return answer{}, err
	}
	defer cancel()
	select {
	case a.slots <- struct{}{}:
		defer func() { <-a.slots }()
	case <-ctx.Done():
		return answer{}, fmt.Errorf("waiting for other queries: %w", ctx.Err())
	}
	expr := r.FormValue("query")
	q, err := build(ctx, opts, expr)
	if err != nil {
		return answer{}, failf(badData, "invalid parameter %q: %w", "query", err)
	}
	// The result lives in buffers of the query until it is closed.
	res := q.Exec(ctx)
	if res.Err != nil {
		q.Close()
		return answer{}, res.Err
	}
	ans := answer{notes: notesOf(res.Warnings, expr)}
	value, cut := truncate(res.Value, limit)
	if cut {
		ans.notes.warnings = append(ans.notes.warnings, truncated)
	}
	data := queryData{ResultType: value.Type(), Result: listed(value)}
	if r.FormValue("stats") != "" {
		s := stats.NewQueryStats(q.Stats())
		data.Stats = &s
	}
	ans.data, ans.release = data, q.Close
	return ans, nil
}

// deadline shortens the time of the engine if the request asks for less.
func (a *API) deadline(r *http.Request) (context.Context, context.CancelFunc, error) {
	if r.FormValue("timeout") == "" {
		return r.Context(), func() {}, nil
	}
	d, err := durationParam(r, "timeout")
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), d)
	return ctx, cancel, nil
}

func queryOpts(r *http.Request) (promql.QueryOpts, error) {
	var lookback time.Duration
	if r.FormValue("lookback_delta") != "" {
		d, err := durationParam(r, "lookback_delta")
		if err != nil {
			return nil, err
		}
		lookback = d
	}
	return promql.NewPrometheusQueryOpts(false, lookback), nil
}

// listed makes a list of no series at all, which the engine may leave nil: clients expect [], not null.
func listed(v parser.Value) parser.Value {
	switch v := v.(type) {
	case promql.Vector:
		if v == nil {
			return promql.Vector{}
		}
	case promql.Matrix:
		if v == nil {
			return promql.Matrix{}
		}
	}
	return v
}

// truncate keeps the first series of a result, if there are more than limit.
func truncate(v parser.Value, limit int) (parser.Value, bool) {
	if limit == 0 {
		return v, false
	}
	switch v := v.(type) {
	case promql.Vector:
		return v[:min(limit, len(v))], len(v) > limit
	case promql.Matrix:
		return v[:min(limit, len(v))], len(v) > limit
	}
	return v, false
}
