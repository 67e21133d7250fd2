package boardexporter

import (
	"embed"
	"io/fs"

	"github.com/harnesserr/harnesserr/dashboards"
)

// The page is built with npm into page/dist. A binary that was built without it shows unbuilt.html in its place.
var (
	//go:embed all:page/dist
	dist embed.FS
	//go:embed unbuilt.html
	unbuilt []byte
)

// assets are the files that the binary carries.
type assets struct {
	page       fs.FS // index.html and what it loads
	unbuilt    []byte
	dashboards fs.FS // Grafana's JSON
	rules      fs.FS // Prometheus' YAML
	runbooks   fs.FS // Markdown
}

// builtIn returns the files that were compiled in.
func builtIn() assets {
	page, err := fs.Sub(dist, "page/dist")
	if err != nil {
		panic(err) // the name is a constant
	}
	return assets{
		page:       page,
		unbuilt:    unbuilt,
		dashboards: dashboards.Dashboards(),
		rules:      dashboards.Rules(),
		runbooks:   dashboards.Runbooks(),
	}
}
