// Package site serves the page and the dashboards it draws.
package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// contentSecurityPolicy lets the page load its own files and talk to its own origin, nothing else.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Dashboard is an entry of /dashboards/index.json.
type Dashboard struct {
	// Name is the file name without its extension; the dashboard is at /dashboards/<name>.json.
	Name string `json:"name"`
	// UID and Title are those of the dashboard.
	UID   string `json:"uid"`
	Title string `json:"title"`
}

// Files are what is served.
type Files struct {
	// Page holds index.html and what it loads. Without index.html, Unbuilt is shown in its place.
	Page    fs.FS
	Unbuilt []byte
	// Dashboards holds Grafana's JSON files at its root.
	Dashboards fs.FS
	// Runbooks holds Markdown files, which are served as text.
	Runbooks fs.FS
	// SampleInterval is told to the page with the list of dashboards; 0 isn't told.
	SampleInterval time.Duration
}

// sampleIntervalHeader goes with /dashboards/index.json: the shortest step that makes sense in a chart, like "15s".
const sampleIntervalHeader = "Board-Sample-Interval"

// New returns the handler of everything that isn't API.
func New(f Files) (http.Handler, error) {
	mux := http.NewServeMux()
	if err := serveDashboards(mux, f); err != nil {
		return nil, err
	}
	mux.Handle("GET /runbooks/", http.StripPrefix("/runbooks", noListing(f.Runbooks, plainText(http.FileServerFS(f.Runbooks)))))
	if _, err := fs.Stat(f.Page, "index.html"); err == nil {
		mux.Handle("GET /", noListing(f.Page, http.FileServerFS(f.Page)))
	} else {
		mux.Handle("GET /{$}", content("text/html; charset=utf-8", f.Unbuilt))
	}
	return secure(mux), nil
}

func serveDashboards(mux *http.ServeMux, f Files) error {
	fsys := f.Dashboards
	names, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return err
	}
	list := []Dashboard{}
	for _, file := range names {
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			return err
		}
		one := Dashboard{Name: strings.TrimSuffix(file, ".json")}
		if err := json.Unmarshal(data, &one); err != nil {
			return fmt.Errorf("dashboard %s: %w", file, err)
		}
		if one.UID == "" || one.Title == "" {
			return fmt.Errorf("dashboard %s: it needs a uid and a title", file)
		}
		list = append(list, one)
		mux.Handle("GET /dashboards/"+file, content("application/json", data))
	}
	index, err := json.Marshal(list)
	if err != nil {
		return err
	}
	mux.HandleFunc("GET /dashboards/index.json", func(w http.ResponseWriter, r *http.Request) {
		if f.SampleInterval > 0 {
			w.Header().Set(sampleIntervalHeader, model.Duration(f.SampleInterval).String())
		}
		content("application/json", index).ServeHTTP(w, r)
	})
	return nil
}

func plainText(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		next.ServeHTTP(w, r)
	})
}

func content(kind string, data []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(data) // the client is gone
	})
}

// noListing hides folders: only files are served, and index.html at the root.
func noListing(fsys fs.FS, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.Trim(path.Clean(r.URL.Path), "/")
		info, err := fs.Stat(fsys, cmp.Or(name, "index.html"))
		if err != nil || info.IsDir() || strings.HasPrefix(info.Name(), ".") {
			http.NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentSecurityPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		next.ServeHTTP(w, r)
	})
}
