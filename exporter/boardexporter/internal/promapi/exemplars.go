package promapi

import (
	"net/http"
	"strconv"

	"github.com/prometheus/prometheus/model/exemplar"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/timestamp"
	"github.com/prometheus/prometheus/promql/parser"
)

type exemplarData struct {
	Labels    labels.Labels `json:"labels"`
	Value     string        `json:"value"`
	Timestamp float64       `json:"timestamp"` // s
}

type exemplarSeries struct {
	SeriesLabels labels.Labels  `json:"seriesLabels"`
	Exemplars    []exemplarData `json:"exemplars"`
}

func (a *API) queryExemplars(r *http.Request) (answer, error) {
	start, end, err := rangeParams(r)
	if err != nil {
		return answer{}, err
	}
	expr, err := a.store.Parser.ParseExpr(r.FormValue("query"))
	if err != nil {
		return answer{}, failf(badData, "invalid parameter %q: %w", "query", err)
	}
	out := []exemplarSeries{}
	selectors := parser.ExtractSelectors(expr)
	if len(selectors) == 0 {
		return answer{data: out}, nil
	}
	q, err := a.store.ExemplarQuerier(r.Context())
	if err != nil {
		return answer{}, err
	}
	found, err := q.Select(timestamp.FromTime(start), timestamp.FromTime(end), selectors...)
	if err != nil {
		return answer{}, err
	}
	for _, s := range found {
		out = append(out, exemplarSeries{s.SeriesLabels, exemplarsOf(s.Exemplars)})
	}
	return answer{data: out}, nil
}

func exemplarsOf(in []exemplar.Exemplar) []exemplarData {
	out := make([]exemplarData, 0, len(in))
	for _, e := range in {
		out = append(out, exemplarData{
			Labels:    e.Labels,
			Value:     strconv.FormatFloat(e.Value, 'f', -1, 64),
			Timestamp: float64(e.Ts) / 1000,
		})
	}
	return out
}
