package sink

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// answering returns a sink in front of a server that gives its n-th request the
// n-th status, the last one again and again, and a counter of its requests.
func answering(t *testing.T, format Format, statuses ...int) (*HTTP, *atomic.Int64) {
	t.Helper()
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := int(requests.Add(1))
		w.WriteHeader(statuses[min(n, len(statuses))-1])
	}))
	t.Cleanup(server.Close)
	h := NewHTTP(&http.Client{}, server.URL+"/in?key=not-for-logs", "test", format, 0, strings.Clone)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h, &requests
}

func TestSend(t *testing.T) {
	for _, tc := range []struct {
		name             string
		format           Format
		statuses         []int
		pending, refused []int
		requests         int
	}{
		{"delivered", FormatSingle, []int{200}, nil, nil, 5},
		{"goes on behind one failure", FormatSingle, []int{200, 502, 200}, []int{1}, nil, 5},
		{"two failures apart", FormatSingle, []int{502, 200, 502, 200}, []int{0, 2}, nil, 5},
		{"two failures in a row end it", FormatSingle, []int{200, 502}, []int{1, 2, 3, 4}, nil, 3},
		{"a pause that was asked for ends it", FormatSingle, []int{200, 429}, []int{1, 2, 3, 4}, nil, 2},
		{"a refusal ends nothing", FormatSingle, []int{200, 403, 502, 410, 200}, []int{2}, []int{1, 3}, 5},
		{"refused one by one", FormatArray, []int{400}, nil, []int{0, 1, 2, 3, 4}, 9},
		{"refused as a whole", FormatNDJSON, []int{401}, nil, []int{0, 1, 2, 3, 4}, 1},
		{"halves that fail", FormatNDJSON, []int{413, 502}, []int{0, 1, 2, 3, 4}, nil, 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h, requests := answering(t, tc.format, tc.statuses...)
			got := h.Send(t.Context(), documents(5, 10))
			require.Equal(t, tc.pending, got.Pending)
			require.Equal(t, tc.refused, got.Refused)
			require.EqualValues(t, tc.requests, requests.Load())
			if len(got.Pending)+len(got.Refused) == 0 {
				require.NoError(t, got.Err)
				return
			}
			require.ErrorContains(t, got.Err, h.shown)
			require.NotContains(t, got.Err.Error(), "not-for-logs")
		})
	}
}

func TestSendEndsWithItsContext(t *testing.T) {
	h, requests := answering(t, FormatSingle, 200)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := h.Send(ctx, documents(3, 10))
	require.Equal(t, []int{0, 1, 2}, got.Pending)
	require.ErrorIs(t, got.Err, context.Canceled)
	require.Zero(t, requests.Load())
}

func TestEndpointWithoutSecrets(t *testing.T) {
	for endpoint, want := range map[string]string{
		"https://user:word@h.example:8443/in/box?key=k#f": "https://h.example:8443/in/box",
		"http://h": "http://h",
		"http://[": "endpoint",
	} {
		require.Equal(t, want, withoutSecrets(endpoint))
	}
}
