package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

// summary sums up what `harnesserr explain` says.
type summary struct {
	records, recognised int
	codes               map[string]*codeSummary
}

type codeSummary struct {
	code, class string
	count       int
	said        []string // what the telemetry said, each once
}

// decision is the part of a line of `harnesserr explain --json` that is summed up.
type decision struct {
	Recognised   bool   `json:"recognised"`
	Code         string `json:"code"`
	Class        string `json:"class"`
	OriginalType string `json:"original_type"`
	Evidence     string `json:"evidence"`
}

func summarize(ctx context.Context, cli string, files []string) (*summary, error) {
	cmd := command(ctx, cli, append([]string{"explain", "--json", "--all"}, files...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	s := &summary{codes: map[string]*codeSummary{}}
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var d decision
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			return nil, fmt.Errorf("explain: %w", err)
		}
		s.add(d)
	}
	return s, lines.Err()
}

func (s *summary) add(d decision) {
	s.records++
	if d.Recognised {
		s.recognised++
	}
	if d.Code == "" {
		return
	}
	key := d.Code + " " + d.Class
	c := s.codes[key]
	if c == nil {
		c = &codeSummary{code: d.Code, class: d.Class}
		s.codes[key] = c
	}
	c.count++
	if said := cmp.Or(d.OriginalType, "("+d.Evidence+")"); !slices.Contains(c.said, said) {
		c.said = append(c.said, said)
	}
}

func (s *summary) print(out io.Writer) {
	rows := make([]*codeSummary, 0, len(s.codes))
	failures := 0
	for _, c := range s.codes {
		rows = append(rows, c)
		failures += c.count
	}
	slices.SortFunc(rows, func(a, b *codeSummary) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.code, b.code), cmp.Compare(a.class, b.class))
	})
	fmt.Fprintf(out, "%d records, %d of agents and models, %d with a code:\n\n", s.records, s.recognised, failures)
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "TIMES\tCODE\tCLASS\tERROR.TYPE WAS (OR THE EVIDENCE)")
	for _, c := range rows {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", c.count, c.code, c.class, strings.Join(c.said, ", "))
	}
	_ = w.Flush()
}
