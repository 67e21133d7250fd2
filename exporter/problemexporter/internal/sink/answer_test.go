package sink

import (
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var verdictNames = map[verdict]string{
	verdictRetry: "retry", verdictDelivered: "delivered", verdictRefused: "refused", verdictMulti: "multi",
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func TestAnswers(t *testing.T) {
	table, err := os.ReadFile("testdata/answers.tsv")
	require.NoError(t, err)
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	h := &HTTP{shown: "http://receiver/problems", clean: strings.ToUpper, now: func() time.Time { return now }}
	rows := 0
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		rows++
		col := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		t.Run(col[0]+" "+col[1], func(t *testing.T) {
			status, err := strconv.Atoi(col[0])
			require.NoError(t, err)
			header := http.Header{}
			if col[1] != "-" {
				header.Set("Retry-After", col[1])
			}
			a := h.judge(&http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader("why"))}, 1)
			got := []string{verdictNames[a.verdict], a.delay.String(), yesNo(a.throttled), yesNo(a.blamesDocuments)}
			require.Equal(t, col[2:], got)
			if a.verdict != verdictDelivered {
				require.ErrorContains(t, a.err, `POST http://receiver/problems: got `+col[0])
				require.ErrorContains(t, a.err, `"WHY"`, "foreign text is cleaned")
			}
		})
	}
	require.Equal(t, 31, rows)
}

func TestMultiStatus(t *testing.T) {
	h := &HTTP{shown: "http://receiver/problems", clean: strings.Clone, now: time.Now}
	for _, tc := range []struct {
		name, body string
		want       []string
	}{
		{"each", `{"results":[{"index":0,"status":201},{"index":1,"status":503,"retry_after":1.5},{"index":2,"status":422}]}`,
			[]string{"delivered 0s", "retry 1.5s", "refused 0s"}},
		{"unnamed are sent again", `{"results":[{"index":1,"status":200}]}`,
			[]string{"retry 0s", "delivered 0s", "retry 0s"}},
		{"out of range", `{"results":[{"index":-1,"status":200},{"index":3,"status":200},{"index":0}]}`,
			[]string{"retry 0s", "retry 0s", "retry 0s"}},
		{"cut", `{"results":[{"index":0,"status":2`, []string{"retry 0s", "retry 0s", "retry 0s"}},
		{"not ours", `<multistatus/>`, []string{"retry 0s", "retry 0s", "retry 0s"}},
		{"empty", ``, []string{"retry 0s", "retry 0s", "retry 0s"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := h.judge(&http.Response{StatusCode: 207, Body: io.NopCloser(strings.NewReader(tc.body))}, 3)
			require.Equal(t, verdictMulti, a.verdict)
			var got []string
			for _, one := range a.each {
				got = append(got, verdictNames[one.verdict]+" "+one.delay.String())
			}
			require.Equal(t, tc.want, got)
		})
	}
}

func FuzzMultiStatus(f *testing.F) {
	f.Add([]byte(`{"results":[{"index":0,"status":201},{"index":1,"status":503,"retry_after":1e300}]}`))
	h := &HTTP{clean: strings.Clone, now: time.Now}
	f.Fuzz(func(t *testing.T, body []byte) {
		a := h.judge(&http.Response{StatusCode: 207, Body: io.NopCloser(strings.NewReader(string(body)))}, 3)
		require.Len(t, a.each, 3)
		for _, one := range a.each {
			require.GreaterOrEqual(t, one.delay, time.Duration(0))
			require.LessOrEqual(t, one.delay, maxRetryAfter)
			require.NotEqual(t, verdictMulti, one.verdict)
		}
	})
}
