// Package harnesserrproc is the collector processor of type harnesserr. It reads the evidence of agent failures off
// spans, log records and data points, has package signal decide, and writes the registry code on error.type with
// harness.error.* beside it. It holds no rules of its own.
package harnesserrproc

//go:generate go tool -modfile=../../internal/tools/go.mod mdatagen metadata.yaml
