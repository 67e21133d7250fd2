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

// New returns the handler of everything that isn't API. page holds index.html; without it, unbuilt is shown in its
// place. dashboards holds Grafana's JSON files, in any folder.
func New(page fs.FS, unbuilt []byte, dashboards fs.FS) (http.Handler, error) {
	mux := http.NewServeMux()
	if err := serveDashboards(mux, dashboards); err != nil {
		return nil, err
	}
	if _, err := fs.Stat(page, "index.html"); err == nil {
		mux.Handle("GET /", noListing(page, http.FileServerFS(page)))
	} else {
		mux.Handle("GET /{$}", content("text/html; charset=utf-8", unbuilt))
	}
	return secure(mux), nil
}

func serveDashboards(mux *http.ServeMux, fsys fs.FS) error {
	list := []Dashboard{}
	err := fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(file) != ".json" {
			return err
		}
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			return err
		}
		one := Dashboard{Name: strings.TrimSuffix(path.Base(file), ".json")}
		if err := json.Unmarshal(data, &one); err != nil {
			return fmt.Errorf("dashboard %s: %w", file, err)
		}
		if one.UID == "" || one.Title == "" {
			return fmt.Errorf("dashboard %s: it needs a uid and a title", file)
		}
		list = append(list, one)
		mux.Handle("GET /dashboards/"+one.Name+".json", content("application/json", data))
		return nil
	})
	if err != nil {
		return err
	}
	index, err := json.Marshal(list)
	if err != nil {
		return err
	}
	mux.Handle("GET /dashboards/index.json", content("application/json", index))
	return nil
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
