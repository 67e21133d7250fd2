package registry_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tables are the facts the draft states about its codes, header rows removed.
// They come from testdata, and from the draft's own text where that is at hand.
type tables struct {
	categories, codes, http, toolErrors, jsonrpc, states [][]string
}

func fromTestdata(t *testing.T) tables {
	read := func(name string) [][]string {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(t, err)
		var rows [][]string
		for line := range strings.Lines(string(text)) {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
		return rows[1:]
	}
	return tables{
		categories: read("table1_categories.tsv"),
		codes:      read("table2_codes.tsv"),
		http:       read("table3_http.tsv"),
		toolErrors: read("section7_2_tool_errors.tsv"),
		jsonrpc:    read("table4_jsonrpc.tsv"),
		states:     read("table6_states.tsv"),
	}
}

// fromDraft reads the same facts from the plain text of the draft; its line
// breaks may be lost.
func fromDraft(t *testing.T, text string) tables {
	var toolErrors [][]string
	_, list, ok := strings.Cut(text, "SHOULD be reported as tool execution errors:")
	require.True(t, ok, "section 7.2 not found")
	list, _, ok = strings.Cut(list, "encountered by the tool")
	require.True(t, ok, "end of the list in section 7.2 not found")
	for _, code := range regexp.MustCompile(`[a-z]+\.(?:[a-z_]+|\*)`).FindAllString(list, -1) {
		toolErrors = append(toolErrors, []string{code})
	}
	return tables{
		categories: draftTable(t, text, "Table 1: ", 2),
		codes:      draftTable(t, text, "Table 2: ", 5),
		http:       draftTable(t, text, "Table 3: ", 2),
		toolErrors: toolErrors,
		jsonrpc:    draftTable(t, text, "Table 4: ", 2),
		states:     draftTable(t, text, "Table 6: ", 2),
	}
}

var border = regexp.MustCompile(`(?:\+[-=]+)+\+`)

// draftTable reads the ASCII table above a caption. A row may run over several
// lines, each "|cell|cell|".
func draftTable(t *testing.T, text, caption string, columns int) [][]string {
	body, _, ok := strings.Cut(text, caption)
	require.True(t, ok, "%s not found", caption)
	body = body[strings.LastIndex(body, "+=")-1:] // the rule under the header
	body = body[strings.Index(body, "|"):]
	var rows [][]string
	for _, part := range border.Split(body, -1) {
		part = strings.TrimSpace(part)
		if !strings.HasPrefix(part, "|") {
			continue
		}
		row := make([]string, columns)
		// Between the last cell of a line and the first of the next stands an empty one.
		for i, cell := range strings.Split(part[1:], "|") {
			if column := i % (columns + 1); column < columns {
				row[column] = strings.TrimSpace(row[column] + " " + strings.TrimSpace(cell))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// pick returns the second cell of the row that speaks of code: one that names
// it before one that names its category before the one for all others.
func pick(t *testing.T, rows [][]string, code string) string {
	category, _, _ := strings.Cut(code, ".")
	var byCategory, others string
	for _, row := range rows {
		for _, name := range strings.Split(row[0], ", ") {
			name = strings.TrimSuffix(name, " (other)")
			switch {
			case name == code:
				return row[1]
			case name == category+".*":
				byCategory = row[1]
			case strings.Contains(name, "other"):
				others = row[1]
			}
		}
	}
	if byCategory != "" {
		return byCategory
	}
	require.NotEmpty(t, others, "no row for %s", code)
	return others
}
