// Command gencoverage writes docs/coverage.md: what the built-in tables recognise. With -check it only says whether the
// file is up to date.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/harnesserr/harnesserr/signal"
)

const (
	file       = "docs/coverage.md"
	attributes = "processor/harnesserrproc/internal/keys/attributes.tsv"
)

func main() {
	check := flag.Bool("check", false, "fail if the file is not up to date")
	flag.Parse()
	want := page()
	if !*check {
		exitOn(os.WriteFile(file, want, 0o644))
		return
	}
	got, err := os.ReadFile(file)
	exitOn(err)
	if !bytes.Equal(got, want) {
		exitOn(fmt.Errorf("%s is not up to date: run `make generate`", file))
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "gencoverage:", err)
		os.Exit(1)
	}
}

// columns are the kinds of rows, in the order of the page.
var columns = []string{"type", "message", "stop", "http", "grpc", "rpc", "reason", "state", "kind", "rta", "event", "attr", "word"}

func page() []byte {
	var b bytes.Buffer
	fmt.Fprint(&b, `# What is recognised

Generated from `+"`signal/tables/`"+` by `+"`make generate`"+`; the files themselves name the source of every row. A vendor or
framework without a file of its own is still covered by the general ones: protocols, statuses, telling words.

`)
	tables := signal.Default().Catalogue()
	total := 0
	fmt.Fprintf(&b, "| table | home | rows | %s |\n| --- | --- | ---: |%s\n", strings.Join(columns, " | "), strings.Repeat(" ---: |", len(columns)))
	for _, t := range tables {
		sum := 0
		cells := make([]string, len(columns))
		for i, c := range columns {
			if n := t.Rows[c]; n > 0 {
				cells[i] = fmt.Sprint(n)
				sum += n
			}
		}
		total += sum
		fmt.Fprintf(&b, "| [%s](../signal/tables/%s) | %s | %d | %s |\n", t.Title, t.File, strings.Join(t.Homes, ", "), sum, strings.Join(cells, " | "))
	}
	fmt.Fprintf(&b, "\n%d rows in %d tables.\n\n", total, len(tables))
	instrumentations(&b)
	return b.Bytes()
}

// instrumentations lists the attributes that are read, by who writes them.
func instrumentations(b *bytes.Buffer) {
	data, err := os.ReadFile(attributes)
	exitOn(err)
	byWriter := map[string][]string{}
	for _, line := range strings.Split(string(data), "\n") {
		if cells := strings.Split(line, "\t"); len(cells) == 4 && line[0] != '#' {
			byWriter[cells[3]] = append(byWriter[cells[3]], "`"+cells[0]+"`")
		}
	}
	fmt.Fprint(b, "## Instrumentations\n\nThe attributes that are read, by who writes them.\n\n| instrumentation | attributes |\n| --- | --- |\n")
	writers := make([]string, 0, len(byWriter))
	for w := range byWriter {
		writers = append(writers, w)
	}
	slices.Sort(writers)
	for _, w := range writers {
		fmt.Fprintf(b, "| %s | %s |\n", w, strings.Join(byWriter[w], ", "))
	}
}
