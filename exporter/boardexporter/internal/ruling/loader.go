package ruling

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/common/promslog"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

// BuiltIn begins the name of a rule file that the binary holds.
const BuiltIn = "builtin:"

// Loader reads rule files from disk and from the binary.
type Loader struct {
	BuiltIn fs.FS
	parser  parser.Parser
}

// Load reads one rule file.
func (l Loader) Load(name string, ignoreUnknown bool, scheme model.ValidationScheme) (*rulefmt.RuleGroups, []error) {
	data, err := l.read(name)
	if err != nil {
		return nil, []error{err}
	}
	return rulefmt.Parse(data, ignoreUnknown, scheme, l.parser, promslog.NewNopLogger())
}

// Parse reads one expression.
func (l Loader) Parse(expr string) (parser.Expr, error) { return l.parser.ParseExpr(expr) }

func (l Loader) read(name string) ([]byte, error) {
	if in, ok := strings.CutPrefix(name, BuiltIn); ok {
		return fs.ReadFile(l.BuiltIn, in)
	}
	return os.ReadFile(name)
}

// Files lists the built-in rule files, if wanted, and those on disk that match the patterns, in a stable order. A
// pattern without a match is an error.
func (l Loader) Files(builtIn bool, patterns []string) ([]string, error) {
	var files []string
	if builtIn {
		in, err := yamlIn(l.BuiltIn)
		if err != nil {
			return nil, err
		}
		files = in
	}
	for _, p := range patterns {
		found, err := filepath.Glob(p)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", p, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no file matches %q", p)
		}
		for _, f := range found {
			if !slices.Contains(files, f) {
				files = append(files, f)
			}
		}
	}
	return files, nil
}

func yamlIn(fsys fs.FS) ([]string, error) {
	names, err := fs.Glob(fsys, "*.yaml")
	for i := range names {
		names[i] = BuiltIn + names[i]
	}
	return names, err
}
