package signal

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"strings"

	"github.com/harnesserr/harnesserr/registry"
)

// parseConcepts reads concepts.tsv: what a name such as "timeout", or a code, amounts to in each group of operations.
func parseConcepts(name string, src io.Reader) (map[string][8]string, error) {
	concepts := map[string][8]string{}
	err := eachRow(name, src, 3, func(cells []string) error {
		codes := concepts[cells[0]]
		for _, op := range strings.Split(cells[1], "|") {
			g, ok := groupNames[op]
			if !ok {
				return fmt.Errorf("operation %q: want one of model, tool, agent, mcp, a2a, retrieval, guardrail, other", op)
			}
			if _, ok := registry.Lookup(cells[2]); !ok {
				return fmt.Errorf("code %q: not in the registry", cells[2])
			}
			codes[bits.TrailingZeros8(uint8(g))] = cells[2]
		}
		concepts[cells[0]] = codes
		return nil
	})
	return concepts, err
}

// parseActions reads actions.tsv: what would help after a code or an ErrorInfo reason.
func parseActions(name string, src io.Reader) (codes, reasons map[string]Action, err error) {
	codes, reasons = map[string]Action{}, map[string]Action{}
	err = eachRow(name, src, 3, func(cells []string) error {
		a, ok := actionOf(cells[2])
		if !ok {
			return fmt.Errorf("action %q: want one of %s", cells[2], strings.Join(actionNames[ActionRetry:], ", "))
		}
		switch cells[0] {
		case "code":
			codes[cells[1]] = a
		case "reason":
			reasons[cells[1]] = a
		default:
			return fmt.Errorf("%q: want code or reason", cells[0])
		}
		return nil
	})
	return codes, reasons, err
}

// eachRow calls f with the cells of every row of a plain table.
func eachRow(name string, src io.Reader, columns int, f func(cells []string) error) error {
	in := bufio.NewScanner(src)
	for line := 1; in.Scan(); line++ {
		text := strings.TrimRight(in.Text(), "\r")
		if strings.TrimSpace(text) == "" || text[0] == '#' {
			continue
		}
		cells := strings.Split(text, "\t")
		if len(cells) < columns {
			return fmt.Errorf("%s:%d: %d columns: want %d", name, line, len(cells), columns)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if err := f(cells); err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	return in.Err()
}
