package site

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
)

func get(t *testing.T, h http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
	return w
}

func files(pairs ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return m
}

func TestPage(t *testing.T) {
	h, err := New(Files{
		Page: files("index.html", "<p>page", "assets/app.js", "1", ".gitignore", "*"), Dashboards: files(), Runbooks: files(),
	})
	require.NoError(t, err)
	for path, want := range map[string]struct {
		status int
		kind   string
	}{
		"/":              {http.StatusOK, "text/html; charset=utf-8"},
		"/assets/app.js": {http.StatusOK, "text/javascript; charset=utf-8"},
		"/assets/":       {http.StatusNotFound, ""},
		"/.gitignore":    {http.StatusNotFound, ""},
		"/../index.go":   {http.StatusTemporaryRedirect, ""},
		"/nothing":       {http.StatusNotFound, ""},
	} {
		t.Run(path, func(t *testing.T) {
			w := get(t, h, path)
			require.Equal(t, want.status, w.Code)
			if want.kind != "" {
				require.Equal(t, want.kind, w.Header().Get("Content-Type"))
			}
		})
	}
}

func TestWithoutThePage(t *testing.T) {
	h, err := New(Files{
		Page: files(".gitignore", "*"), Unbuilt: []byte("how to build it"), Dashboards: files(), Runbooks: files(),
	})
	require.NoError(t, err)
	require.Equal(t, "how to build it", get(t, h, "/").Body.String())
	require.Equal(t, http.StatusNotFound, get(t, h, "/other").Code)
}

func TestEveryAnswerIsLockedDown(t *testing.T) {
	h, err := New(Files{Page: files(), Dashboards: files(), Runbooks: files()})
	require.NoError(t, err)
	for _, path := range []string{"/", "/nothing", "/dashboards/index.json"} {
		h := get(t, h, path).Header()
		require.Contains(t, h.Get("Content-Security-Policy"), "default-src 'none'")
		require.NotContains(t, h.Get("Content-Security-Policy"), "unsafe")
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
		require.Equal(t, "same-origin", h.Get("Cross-Origin-Resource-Policy"))
	}
}

func TestDashboards(t *testing.T) {
	h, err := New(Files{Page: files(), Runbooks: files(), Dashboards: files(
		"peer.json", `{"uid":"p","title":"One peer","panels":[]}`,
		"errors.json", `{"uid":"e","title":"Agent errors"}`,
		"rules/a.yaml", "no dashboard")})
	require.NoError(t, err)
	var list []Dashboard
	require.NoError(t, json.Unmarshal(get(t, h, "/dashboards/index.json").Body.Bytes(), &list))
	require.Equal(t, []Dashboard{{"errors", "e", "Agent errors"}, {"peer", "p", "One peer"}}, list)
	require.JSONEq(t, `{"uid":"p","title":"One peer","panels":[]}`, get(t, h, "/dashboards/peer.json").Body.String())
	require.Equal(t, "application/json", get(t, h, "/dashboards/peer.json").Header().Get("Content-Type"))
}

func TestNoDashboards(t *testing.T) {
	h, err := New(Files{Page: files(), Dashboards: files(), Runbooks: files(), SampleInterval: 90 * time.Second})
	require.NoError(t, err)
	w := get(t, h, "/dashboards/index.json")
	require.JSONEq(t, "[]", w.Body.String())
	require.Equal(t, "1m30s", w.Header().Get("Board-Sample-Interval"))
}

func TestRunbooks(t *testing.T) {
	h, err := New(Files{Page: files(), Dashboards: files(), Runbooks: files("codes/x.md", "# x", "README.md", "index")})
	require.NoError(t, err)
	w := get(t, h, "/runbooks/codes/x.md")
	require.Equal(t, "# x", w.Body.String())
	require.Equal(t, "text/plain; charset=utf-8", w.Header().Get("Content-Type"))
	for _, path := range []string{"/runbooks/", "/runbooks/codes/", "/runbooks/nothing.md"} {
		require.Equal(t, http.StatusNotFound, get(t, h, path).Code, path)
	}
}

func TestBrokenDashboards(t *testing.T) {
	for content, want := range map[string]string{"{": "a.json", `{"uid":"x"}`: "needs a uid and a title"} {
		_, err := New(Files{Page: files(), Runbooks: files(), Dashboards: files("a.json", content)})
		require.ErrorContains(t, err, want)
	}
}
