// Package dashboards holds what is looked at: Grafana dashboards in the classic
// schema, Prometheus recording and alert rules with a runbook for each alert and
// for each registry code, and the names of the metrics they read.
//
// The files under generated are written by the program in the folder gen; that
// program is a module of its own, so that nothing here needs Grafana's SDK or
// Prometheus. Runbooks are written by hand but for the table between their
// markers.
package dashboards

import (
	"embed"
	"io/fs"
)

//go:embed generated runbooks
var files embed.FS

// Dashboards holds one file UID.json per dashboard at its root.
func Dashboards() fs.FS { return sub("generated") }

// Rules holds recording.yaml and alerts.yaml, which Prometheus and the board
// exporter load as they are.
func Rules() fs.FS { return sub("generated/rules") }

// Provisioning holds the files a Grafana reads at start: dashboards,
// data source and alerting.
func Provisioning() fs.FS { return sub("generated/provisioning") }

// Runbooks holds alerts/NAME.md, codes/CODE.md and the index README.md. Links to
// them begin with contract.RunbookBase; who serves them replaces that prefix.
func Runbooks() fs.FS { return sub("runbooks") }

func sub(dir string) fs.FS {
	f, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // dir is a constant of this file
	}
	return f
}
