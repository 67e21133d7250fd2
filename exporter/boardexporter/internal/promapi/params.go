package promapi

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
)

// The widest time range that PromQL can work with, as in Prometheus: in milliseconds and in seconds both fit an int64.
var (
	minTime = time.Unix(math.MinInt64/1000+62135596801, 0).UTC()
	maxTime = time.Unix(math.MaxInt64/1000-62135596801, 999999999).UTC()
)

// maxSeconds keeps a number of seconds inside the range above.
const maxSeconds = math.MaxInt64/1000 - 62135596801

func badParam(name, got string, err error) error {
	return failf(badData, "invalid parameter %q: got %q: %w", name, got, err)
}

var (
	errTime     = errors.New("a time is seconds since 1970 or RFC 3339")
	errDuration = errors.New("a duration is a number of seconds or like 5m or 1h30m")
	errLimit    = errors.New("a limit is a whole number, 0 for none")
)

func timeParam(r *http.Request, name string, otherwise time.Time) (time.Time, error) {
	s := r.FormValue(name)
	if s == "" {
		return otherwise, nil
	}
	t, err := parseTime(s)
	if err != nil {
		return t, badParam(name, s, err)
	}
	return t, nil
}

func parseTime(s string) (time.Time, error) {
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		if !(math.Abs(f) <= maxSeconds) { // NaN too
			return time.Time{}, errTime
		}
		sec, frac := math.Modf(f)
		ms := math.Round(frac * 1000)
		return time.Unix(int64(sec), int64(ms)*int64(time.Millisecond)).UTC(), nil
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t, nil
	}
	return time.Time{}, errTime
}

func durationParam(r *http.Request, name string) (time.Duration, error) {
	s := r.FormValue(name)
	d, err := parseDuration(s)
	if err != nil {
		return 0, badParam(name, s, err)
	}
	return d, nil
}

func parseDuration(s string) (time.Duration, error) {
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		ns := f * float64(time.Second)
		if !(math.Abs(ns) < math.MaxInt64) { // NaN too
			return 0, errDuration
		}
		return time.Duration(ns), nil
	}
	d, err := model.ParseDuration(s)
	if err != nil {
		return 0, errDuration
	}
	return time.Duration(d), nil
}

// limitParam returns 0 for no limit.
func limitParam(r *http.Request, name string) (int, error) {
	s := r.FormValue(name)
	if s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, badParam(name, s, errLimit)
	}
	return n, nil
}

// beyond is one more than the limit: enough to see that there would be more.
func beyond(limit int) int {
	if limit == 0 || limit == math.MaxInt {
		return limit
	}
	return limit + 1
}

// rangeParams reads start and end, the whole time by default.
func rangeParams(r *http.Request) (start, end time.Time, err error) {
	if start, err = timeParam(r, "start", minTime); err != nil {
		return start, end, err
	}
	if end, err = timeParam(r, "end", maxTime); err != nil {
		return start, end, err
	}
	if end.Before(start) {
		return start, end, badParam("end", r.FormValue("end"), fmt.Errorf("it is before start %q", r.FormValue("start")))
	}
	return start, end, nil
}

// matchParams reads the selectors of match[].
func (a *API) matchParams(r *http.Request) ([][]*labels.Matcher, error) {
	sets, err := a.store.Parser.ParseMetricSelectors(r.Form["match[]"])
	if err != nil {
		return nil, failf(badData, "invalid parameter %q: %w", "match[]", err)
	}
	for i, set := range sets {
		if !selects(set) {
			return nil, badParam("match[]", r.Form["match[]"][i], errors.New("a selector needs a matcher that doesn't match the empty string"))
		}
	}
	return sets, nil
}

func selects(set []*labels.Matcher) bool {
	for _, m := range set {
		if !m.Matches("") {
			return true
		}
	}
	return false
}
