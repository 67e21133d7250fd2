package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/timestamp"
	"github.com/stretchr/testify/require"
)

// serve answers the three calls of the HTTP API that apiStore makes, from the
// sample series; promql's values marshal to the API's JSON by themselves.
func (s *localStore) serve(t *testing.T) string {
	t.Helper()
	reply := func(w http.ResponseWriter, data any) {
		_ = json.NewEncoder(w).Encode(map[string]any{"status": "success", "data": data})
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/v1/query", func(w http.ResponseWriter, r *http.Request) {
		q, err := s.engine.NewInstantQuery(r.Context(), s.storage, nil, r.FormValue("query"), s.end)
		if err != nil {
			http.Error(w, `{"status": "error", "error": "bad query"}`, http.StatusBadRequest)
			return
		}
		defer q.Close()
		res := q.Exec(r.Context())
		reply(w, map[string]any{"resultType": res.Value.Type(), "result": res.Value})
	})
	mux.HandleFunc("/api/v1/query_range", func(w http.ResponseWriter, r *http.Request) {
		start, _ := strconv.ParseInt(r.FormValue("start"), 10, 64)
		end, _ := strconv.ParseInt(r.FormValue("end"), 10, 64)
		window := time.Duration(end-start) * time.Second
		q, err := s.engine.NewRangeQuery(r.Context(), s.storage, nil, r.FormValue("query"), s.end.Add(-window), s.end, testInterval)
		if err != nil {
			http.Error(w, `{"status": "error", "error": "bad query"}`, http.StatusBadRequest)
			return
		}
		defer q.Close()
		res := q.Exec(r.Context())
		reply(w, map[string]any{"resultType": res.Value.Type(), "result": res.Value})
	})
	mux.HandleFunc("/api/v1/series", func(w http.ResponseWriter, r *http.Request) {
		q, err := s.storage.Querier(0, timestamp.FromTime(s.end))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer func() { _ = q.Close() }()
		found := []map[string]string{}
		set := q.Select(r.Context(), false, nil, labels.MustNewMatcher(labels.MatchEqual, labels.MetricName, r.FormValue("match[]")))
		for set.Next() {
			found = append(found, set.At().Labels().Map())
		}
		reply(w, found)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// TestAPIStoreAgrees asks the same through the API as of the store itself, so that
// DASH_PROM_URL can be trusted.
func TestAPIStoreAgrees(t *testing.T) {
	local := sampleStore(t)
	api := apiStore{local.serve(t)}
	for _, d := range shippedDashboards(t) {
		for _, p := range d.Panels {
			for _, tg := range p.Targets {
				expr := d.interpolate(tg.Expr, duration(testRange), duration(testInterval), "translator")
				if !tg.Instant {
					require.ElementsMatch(t, local.over(t, expr, testRange, testInterval), api.over(t, expr, testRange, testInterval), d.name(p))
					continue
				}
				require.ElementsMatch(t, local.instant(t, expr), api.instant(t, expr), d.name(p))
			}
		}
	}
	for _, v := range selectors(t, "harness_calls_total and nothing_at_all") {
		require.Equal(t, local.has(t, v), api.has(t, v), v.Name)
	}
}
