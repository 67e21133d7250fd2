package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/harnesserr/harnesserr/internal/observe"
	"github.com/harnesserr/harnesserr/signal"
)

// gaps sums up what only the fallback caught, so that a team can write the rules that are missing.
type gaps struct {
	w      io.Writer
	counts map[gap]int
}

// gap is one kind of unexplained failure.
type gap struct {
	operation, original, shape string
}

func newGaps(w io.Writer) *gaps { return &gaps{w: w, counts: map[gap]int{}} }

func (g *gaps) record(r observe.Record) error {
	if r.Verdict.Evidence == signal.KindFallback {
		g.counts[gap{r.Operation, r.Original, shapeOf(r.Message)}]++
	}
	return nil
}

func (g *gaps) close() error {
	if len(g.counts) == 0 {
		_, err := fmt.Fprintln(g.w, "no gaps: every failure is explained by a rule")
		return err
	}
	kinds := make([]gap, 0, len(g.counts))
	for k := range g.counts {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b gap) int {
		return cmp.Or(cmp.Compare(g.counts[b], g.counts[a]), cmp.Compare(a.original, b.original), cmp.Compare(a.shape, b.shape), cmp.Compare(a.operation, b.operation))
	})
	for _, k := range kinds {
		fmt.Fprintf(g.w, "# %d × %s, error.type %q, message %q\n%s\n", g.counts[k], k.operation, k.original, k.shape, k.stub())
	}
	return nil
}

// stub is a rule to start from, in the format of rules_files; the code is for the user to choose.
func (k gap) stub() string {
	match, value := "type", k.original
	if value == "" || strings.ContainsAny(value, " \t") {
		match, value = "message", longestFixed(k.shape)
	}
	if len(value) < 4 {
		return "# nothing fixed to match on: record error.type or a message"
	}
	return fmt.Sprintf("%s\t%s\t\tx-acme.CHOOSE_A_CODE", match, value)
}

// shapeOf replaces what changes from one occurrence to the next (numbers, hexadecimal ids, quoted text) by a star.
func shapeOf(message string) string {
	words := strings.Fields(clip(message, 160))
	for i, w := range words {
		if strings.ContainsAny(w, "0123456789") || strings.ContainsAny(w, "\"'`") || len(w) > 40 {
			words[i] = "*"
		}
	}
	return strings.Join(slices.Compact(words), " ")
}

// longestFixed is the longest piece of a shape without a star.
func longestFixed(shape string) string {
	longest := ""
	for _, p := range strings.Split(shape, "*") {
		if p = strings.TrimSpace(p); len(p) > len(longest) {
			longest = p
		}
	}
	return longest
}
