// Command report runs the benchmarks in rounds and writes RESULTS.md and results.csv.
package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/harnesserr/harnesserr/bench/internal/block"
	"github.com/harnesserr/harnesserr/bench/internal/cases"
	"github.com/harnesserr/harnesserr/bench/internal/machine"
	"github.com/harnesserr/harnesserr/bench/internal/measure"
)

func main() {
	rounds := flag.Int("rounds", 11, "how often every case is measured")
	share := flag.Duration("share", 20*time.Millisecond, "CPU time of a case in a round")
	match := flag.String("case", "", "regular expression: the cases to run")
	out := flag.String("out", "", "directory of RESULTS.md and results.csv; without it the table goes to standard output alone")
	page := flag.String("page", "", "Markdown page whose blocks get the main figures")
	flag.Parse()
	if err := run(*rounds, *share, *match, *out, *page); err != nil {
		log.Fatal(err)
	}
}

func run(rounds int, share time.Duration, match, out, page string) error {
	expr, err := regexp.Compile(match)
	if err != nil {
		return fmt.Errorf("-case: %w", err)
	}
	before := machine.Load()
	rows, err := measure.Run(expr, rounds, share, func(n int) { fmt.Fprintf(os.Stderr, "\rround %d of %d", n, rounds) })
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr)
	starts, err := measure.Starts()
	if err != nil {
		return err
	}
	var md bytes.Buffer
	fmt.Fprintf(&md, "# Results\n\nWritten by `make bench`; docs/performance.md says how to read it.\n\n%s. Load average %s before, %s after; %d rounds.\n",
		machine.Describe(), before, machine.Load(), rounds)
	bars, start := writeBars(rows), writeStarts(starts)
	fmt.Fprintf(&md, "\n## Bars\n\n%s\n## Start\n\n%s\n## Cases\n\n%s", bars, start, writeRows(rows))
	if page != "" {
		main := slices.DeleteFunc(slices.Clone(rows), func(r *measure.Row) bool { return strings.Contains(r.Case, "/growth/") })
		if err := errors.Join(block.Replace(page, "bench", bars+"\n"+writeRows(main)), block.Replace(page, "start", start)); err != nil {
			return err
		}
	}
	if _, err := os.Stdout.Write(md.Bytes()); err != nil || out == "" {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "RESULTS.md"), md.Bytes(), 0o644); err != nil {
		return err
	}
	return writeCSV(filepath.Join(out, "results.csv"), rows)
}

func writeBars(rows []*measure.Row) string {
	var w strings.Builder
	w.WriteString("| cost | bar | measured | holds |\n| --- | --- | ---: | --- |\n")
	for _, b := range measure.TimeBars(rows) {
		fmt.Fprintln(&w, b)
	}
	w.WriteString("\n| allocations a span | bar | measured | holds |\n| --- | --- | ---: | --- |\n")
	for _, b := range measure.AllocationBars(rows) {
		fmt.Fprintln(&w, b)
	}
	return w.String()
}

func writeStarts(starts []measure.Start) string {
	var w strings.Builder
	w.WriteString("| own rules | CPU to compile all rules | heap that stays |\n| ---: | ---: | ---: |\n")
	for _, s := range starts {
		fmt.Fprintf(&w, "| %d | %.0f ms | %.1f MB |\n", s.Rules, float64(s.Took)/1e6, s.KeptMB)
	}
	return w.String()
}

func writeRows(rows []*measure.Row) string {
	var w strings.Builder
	fmt.Fprintf(&w, "CPU time a record (span, log record or data point), median over the rounds; ×: in units of `%s`.\n\n"+
		"| case | ns | min - max | × | B | allocations |\n| --- | ---: | ---: | ---: | ---: | ---: |\n", cases.Unit)
	for _, r := range rows {
		fmt.Fprintf(&w, "| `%s` | %s | %s - %s | %.2f | %.0f | %.3f |\n", r.Case, digits(r.Median), digits(r.Lo), digits(r.Hi), r.Ratio, r.Bytes, r.Allocs)
	}
	return w.String()
}

func digits(ns float64) string {
	if ns < 10 {
		return strconv.FormatFloat(ns, 'f', 1, 64)
	}
	return strconv.FormatFloat(ns, 'f', 0, 64)
}

func writeCSV(name string, rows []*measure.Row) error {
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	_ = w.Write([]string{"case", "ns", "min", "max", "ratio", "bytes", "allocs"}) // Flush keeps the error
	for _, r := range rows {
		cells := []string{r.Case}
		for _, v := range []float64{r.Median, r.Lo, r.Hi, r.Ratio, r.Bytes, r.Allocs} {
			cells = append(cells, strconv.FormatFloat(v, 'g', 5, 64))
		}
		_ = w.Write(cells)
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return os.WriteFile(name, buf.Bytes(), 0o644)
}
