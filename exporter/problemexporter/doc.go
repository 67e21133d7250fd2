// Package problemexporter delivers one problem details document (RFC 9457) for
// each failure that the harnesserr processor counted, by HTTP, to a file or to
// standard output.
package problemexporter

//go:generate go tool -modfile=../../internal/tools/go.mod mdatagen metadata.yaml
