package promapi

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/timestamp"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/annotations"
)

// selection is what series, labels and label values have in common: a time range, selectors and a limit.
type selection struct {
	storage.Querier
	sets       [][]*labels.Matcher
	start, end int64 // ms
	limit      int
}

// open reads the parameters. The caller closes the querier.
func (a *API) open(r *http.Request) (*selection, error) {
	limit, err := limitParam(r, "limit")
	if err != nil {
		return nil, err
	}
	start, end, err := rangeParams(r)
	if err != nil {
		return nil, err
	}
	sets, err := a.matchParams(r)
	if err != nil {
		return nil, err
	}
	s := &selection{sets: sets, start: timestamp.FromTime(start), end: timestamp.FromTime(end), limit: limit}
	s.Querier, err = a.store.Querier(s.start, s.end)
	return s, err
}

func (a *API) series(r *http.Request) (answer, error) {
	if len(r.Form["match[]"]) == 0 {
		return answer{}, failf(badData, "missing parameter %q", "match[]")
	}
	sel, err := a.open(r)
	if err != nil {
		return answer{}, err
	}
	// Labels live in buffers of the querier until it is closed.
	ans := answer{release: func() { _ = sel.Close() }}
	// Without start and end nothing is found.
	hints := &storage.SelectHints{Func: "series", Start: sel.start, End: sel.end, Limit: beyond(sel.limit)}
	var found []storage.SeriesSet
	for _, set := range sel.sets {
		found = append(found, sel.Select(r.Context(), true, hints, set...))
	}
	all := storage.NewMergeSeriesSet(found, 0, storage.ChainedSeriesMerge)
	out := []labels.Labels{}
	for all.Next() {
		if sel.limit > 0 && len(out) == sel.limit {
			ans.notes.warnings = append(ans.notes.warnings, truncated)
			break
		}
		out = append(out, all.At().Labels())
	}
	if err := all.Err(); err != nil {
		ans.release()
		return answer{}, err
	}
	ans.data = out
	return ans.with(all.Warnings()), nil
}

func (a *API) labelNames(r *http.Request) (answer, error) {
	return a.list(r, func(s *selection, set []*labels.Matcher) ([]string, annotations.Annotations, error) {
		return s.LabelNames(r.Context(), &storage.LabelHints{Limit: beyond(s.limit)}, set...)
	})
}

func (a *API) labelValues(r *http.Request) (answer, error) {
	name := r.PathValue("name")
	if strings.HasPrefix(name, "U__") {
		name = model.UnescapeName(name, model.ValueEncodingEscaping)
	}
	if !model.UTF8Validation.IsValidLabelName(name) {
		return answer{}, badParam("name", name, errors.New("it is not a label name"))
	}
	return a.list(r, func(s *selection, set []*labels.Matcher) ([]string, annotations.Annotations, error) {
		return s.LabelValues(r.Context(), name, &storage.LabelHints{Limit: beyond(s.limit)}, set...)
	})
}

// list joins what get finds for each selector, sorted.
func (a *API) list(r *http.Request,
	get func(*selection, []*labels.Matcher) ([]string, annotations.Annotations, error),
) (answer, error) {
	sel, err := a.open(r)
	if err != nil {
		return answer{}, err
	}
	defer sel.Close()
	sets := sel.sets
	if len(sets) == 0 {
		sets = [][]*labels.Matcher{nil}
	}
	seen := map[string]struct{}{}
	var notes annotations.Annotations
	for _, set := range sets {
		found, more, err := get(sel, set)
		if err != nil {
			return answer{}, err
		}
		notes.Merge(more)
		for _, s := range found {
			seen[strings.Clone(s)] = struct{}{} // it may live in a mapped block
		}
	}
	out := slices.AppendSeq(make([]string, 0, len(seen)), maps.Keys(seen))
	slices.Sort(out)
	ans := answer{data: out}
	if sel.limit > 0 && len(out) > sel.limit {
		ans.data = out[:sel.limit]
		ans.notes.warnings = append(ans.notes.warnings, truncated)
	}
	return ans.with(notes), nil
}

// with adds the remarks of the store.
func (ans answer) with(a annotations.Annotations) answer {
	n := notesOf(a, "")
	ans.notes.warnings = append(ans.notes.warnings, n.warnings...)
	ans.notes.infos = append(ans.notes.infos, n.infos...)
	return ans
}
