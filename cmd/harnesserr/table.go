package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/harnesserr/harnesserr/internal/observe"
)

// table prints decisions for people.
type table struct {
	w     *tabwriter.Writer
	lines int
}

func newTable(w io.Writer) *table { return &table{w: tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)} }

func (t *table) record(r observe.Record) error {
	if t.lines++; t.lines == 1 {
		fmt.Fprintln(t.w, "RECORD\tOPERATION\tPEER\tCODE\tCLASS\tACTION\tWAS\tBECAUSE OF\tNOTE")
	}
	l := lineOf(r)
	code := "-"
	if l.Code != nil {
		code = *l.Code
	}
	_, err := fmt.Fprintf(t.w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", orDash(clip(l.Name, 48)), orDash(l.Operation), orDash(l.Peer), code, orDash(l.Class),
		orDash(l.Action), orDash(clip(l.OriginalType, 40)), because(l), note(l))
	return err
}

func (t *table) close() error {
	if t.lines == 0 {
		fmt.Fprintln(t.w, "no failures")
	}
	return t.w.Flush()
}

func because(l line) string {
	switch {
	case l.Evidence == "":
		return "-"
	case l.Rule == "":
		return l.Evidence
	}
	return l.Evidence + " (" + l.Rule + ")"
}

func note(l line) string {
	switch {
	case l.Mirror:
		return "mirror: the caller's half counts"
	case l.Propagated:
		return "propagated: a span below it counts"
	case l.Handled:
		return "handled: tried again with success"
	}
	return ""
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
