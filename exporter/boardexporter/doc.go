//go:generate go tool -modfile=../../internal/tools/go.mod mdatagen metadata.yaml

// Package boardexporter keeps metrics in an embedded Prometheus store on disk, evaluates rules over them, and serves
// the Prometheus HTTP API and a page with dashboards.
package boardexporter
