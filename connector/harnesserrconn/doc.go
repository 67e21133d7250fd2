// Package harnesserrconn turns each failure that the harnesserr processor
// counted into a log record whose body is the problem details document of that
// failure, so that any log exporter can ship it.
package harnesserrconn

//go:generate go tool -modfile=../../internal/tools/go.mod mdatagen metadata.yaml
