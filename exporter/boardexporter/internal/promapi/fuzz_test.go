package promapi

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzRequest asks with anything in every parameter: the answer is always JSON in the shape of the API.
func FuzzRequest(f *testing.F) {
	f.Add("query", "query=rate(harness_calls_total[5m])&time=1767225600")
	f.Add("query_range", "query=1&start=0&end=1&step=1")
	f.Add("query_exemplars", "query=harness_calls_total")
	f.Add("series", "match[]=harness_calls_total&limit=1")
	f.Add("labels", "match[]={__name__=~\"h.*\"}&start=1&end=2e9")
	f.Add("label/U__a_20_b/values", "")
	f.Add("rules", "type=alert&rule_name[]=x&match[]={a=\"b\"}")
	f.Add("metadata", "limit=1&metric=x")
	a, _ := open(f)
	h := a.Handler()
	f.Fuzz(func(t *testing.T, endpoint, params string) {
		v := form(params)
		if v.Get("timeout") == "" {
			v.Set("timeout", "1s") // what is slow is not broken
		}
		if _, err := url.Parse(Prefix + endpoint); err != nil {
			return
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+Prefix+endpoint, http.NoBody)
		if err != nil {
			return
		}
		r.URL.RawQuery = v.Encode()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code/100 == 3 { // the path was not clean
			return
		}
		var got struct{ Status, ErrorType, Error string }
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got), w.Body)
		if w.Code == http.StatusOK {
			require.Equal(t, "success", got.Status)
			return
		}
		require.Equal(t, "error", got.Status)
		require.NotEmpty(t, got.ErrorType)
		require.NotEmpty(t, got.Error)
	})
}

// FuzzTime: what is understood is inside the range that PromQL can work with.
func FuzzTime(f *testing.F) {
	for _, s := range []string{"0", "1767225600.5", "-1e18", "1e400", "NaN", "2026-01-01T00:00:00Z", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at, err := parseTime(s)
		if err != nil {
			require.ErrorIs(t, err, errTime)
			return
		}
		require.False(t, at.Before(minTime) || at.After(maxTime), at)
	})
}

// FuzzDuration: a number means seconds, whatever its size.
func FuzzDuration(f *testing.F) {
	for _, s := range []string{"0", "15", "5m", "1h30m", "-1", "1e300", "Inf", "1y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := parseDuration(s)
		if err != nil {
			require.ErrorIs(t, err, errDuration)
			require.Equal(t, time.Duration(0), d)
		}
	})
}
