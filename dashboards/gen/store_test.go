package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/timestamp"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/util/teststorage"
	"github.com/stretchr/testify/require"
)

// sample is the newest value of a series.
type sample struct {
	labels map[string]string
	value  float64
}

// store is what panels and rules are asked of: series of testdata in a test, or
// a Prometheus API (DASH_PROM_URL) that a real collector fills.
type store interface {
	instant(t testing.TB, expr string) []sample
	over(t testing.TB, expr string, window, step time.Duration) []sample
	has(t testing.TB, selector *parser.VectorSelector) bool
}

// sampleEnd is when the series of testdata/series.promql end.
const sampleEnd = 2 * time.Hour

type localStore struct {
	storage *teststorage.TestStorage
	engine  *promql.Engine
	end     time.Time
}

// newLocalStore loads series in promqltest's notation that end at end.
func newLocalStore(t testing.TB, series string, end time.Duration) *localStore {
	t.Helper()
	return &localStore{
		promqltest.LoadedStorage(t, series),
		promql.NewEngine(promql.EngineOpts{
			MaxSamples: promqltest.DefaultMaxSamplesPerQuery, Timeout: time.Minute,
			Parser: parser.NewParser(parser.Options{}),
		}),
		time.Unix(0, 0).Add(end),
	}
}

// sampleStore holds the sample series, renamed by pairs of old and new text, and
// the series that the recording rules make of them.
func sampleStore(t testing.TB, rename ...string) *localStore {
	t.Helper()
	raw, err := os.ReadFile("testdata/series.promql")
	require.NoError(t, err)
	s := newLocalStore(t, strings.NewReplacer(rename...).Replace(string(raw)), sampleEnd)
	s.record(t)
	return s
}

// record evaluates the recording rules for the last 15 minutes, once a minute.
func (s *localStore) record(t testing.TB) {
	t.Helper()
	for at := s.end.Add(-15 * time.Minute); !at.After(s.end); at = at.Add(time.Minute) {
		for _, g := range recordings() {
			for _, r := range g.rules {
				app := s.storage.Appender(t.Context())
				for _, v := range s.at(t, r.expr, at) {
					b := labels.NewBuilder(labels.FromMap(v.labels))
					b.Set(labels.MetricName, r.record)
					for k, value := range r.labels {
						b.Set(k, value)
					}
					_, err := app.Append(0, b.Labels(), timestamp.FromTime(at), v.value)
					require.NoError(t, err)
				}
				require.NoError(t, app.Commit())
			}
		}
	}
}

func (s *localStore) instant(t testing.TB, expr string) []sample { return s.at(t, expr, s.end) }

func (s *localStore) at(t testing.TB, expr string, at time.Time) []sample {
	t.Helper()
	q, err := s.engine.NewInstantQuery(t.Context(), s.storage, nil, expr, at)
	require.NoError(t, err, expr)
	defer q.Close()
	res := q.Exec(t.Context())
	require.NoError(t, res.Err, expr)
	v, err := res.Vector()
	require.NoError(t, err, expr)
	var out []sample
	for _, p := range v {
		out = append(out, sample{p.Metric.Map(), p.F})
	}
	return out
}

func (s *localStore) over(t testing.TB, expr string, window, step time.Duration) []sample {
	t.Helper()
	q, err := s.engine.NewRangeQuery(t.Context(), s.storage, nil, expr, s.end.Add(-window), s.end, step)
	require.NoError(t, err, expr)
	defer q.Close()
	res := q.Exec(t.Context())
	require.NoError(t, res.Err, expr)
	m, err := res.Matrix()
	require.NoError(t, err, expr)
	var out []sample
	for _, p := range m {
		out = append(out, sample{p.Metric.Map(), p.Floats[len(p.Floats)-1].F})
	}
	return out
}

func (s *localStore) has(t testing.TB, v *parser.VectorSelector) bool {
	t.Helper()
	q, err := s.storage.Querier(0, timestamp.FromTime(s.end))
	require.NoError(t, err)
	defer q.Close()
	return q.Select(context.Background(), false, nil, v.LabelMatchers...).Next()
}

// apiStore asks a Prometheus HTTP API.
type apiStore struct{ base string }

func (s apiStore) get(t testing.TB, path string, args url.Values, into any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimRight(s.base, "/")+"/api/v1/"+path+"?"+args.Encode(), nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	var body struct {
		Status, Error string
		Data          json.RawMessage
	}
	require.NoError(t, json.NewDecoder(res.Body).Decode(&body), "%s: %s", path, res.Status)
	require.Equal(t, "success", body.Status, "%s %v: %s", path, args, body.Error)
	require.NoError(t, json.Unmarshal(body.Data, into))
}

type apiResult struct {
	Result []struct {
		Metric map[string]string
		Value  [2]any
		Values [][2]any
	}
}

func (r apiResult) samples(t testing.TB) []sample {
	t.Helper()
	var out []sample
	for _, s := range r.Result {
		last := s.Value
		if len(s.Values) > 0 {
			last = s.Values[len(s.Values)-1]
		}
		v, err := strconv.ParseFloat(fmt.Sprint(last[1]), 64)
		require.NoError(t, err)
		out = append(out, sample{s.Metric, v})
	}
	return out
}

func (s apiStore) instant(t testing.TB, expr string) []sample {
	t.Helper()
	var r apiResult
	s.get(t, "query", url.Values{"query": {expr}}, &r)
	return r.samples(t)
}

// over takes every interval, since failures of a real fleet are few.
func (s apiStore) over(t testing.TB, expr string, window, _ time.Duration) []sample {
	t.Helper()
	const step = testInterval
	now := time.Now().Truncate(step)
	var r apiResult
	s.get(t, "query_range", url.Values{
		"query": {expr}, "step": {duration(step)},
		"start": {strconv.FormatInt(now.Add(-window).Unix(), 10)}, "end": {strconv.FormatInt(now.Unix(), 10)},
	}, &r)
	return r.samples(t)
}

// has asks for the metric alone: which failures a real fleet happens to have is
// not known.
func (s apiStore) has(t testing.TB, v *parser.VectorSelector) bool {
	t.Helper()
	var r []map[string]string
	s.get(t, "series", url.Values{"match[]": {v.Name}}, &r)
	return len(r) > 0
}
