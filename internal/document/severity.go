package document

import (
	_ "embed"
	"strings"

	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/harnesserr/harnesserr/registry"
)

//go:embed severity.tsv
var severityTable string

// forOperator holds the rows of severity.tsv as "match\tvalue".
var forOperator = func() map[string]bool {
	rows := map[string]bool{}
	for line := range strings.Lines(severityTable) {
		if match, rest, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			value, _, _ := strings.Cut(rest, "\t")
			rows[match+"\t"+value] = true
		}
	}
	return rows
}()

// Severity is ERROR for a failure that needs an operator and WARN for one that
// its caller can fix (severity.tsv). A code that is not registered and comes
// without advice needs an operator: nobody can tell what would help.
func (d *Document) Severity() plog.SeverityNumber {
	code := d.Object.Code
	if forOperator["code\t"+code] || forOperator["action\t"+d.Action] {
		return plog.SeverityNumberError
	}
	if _, registered := registry.Lookup(code); !registered && d.Action == "" {
		return plog.SeverityNumberError
	}
	return plog.SeverityNumberWarn
}
