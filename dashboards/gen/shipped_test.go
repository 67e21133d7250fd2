package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"
)

// What the tests read of a shipped dashboard: the committed JSON, not the builders.
type (
	shipped struct {
		UID         string
		Title       string
		Description string
		Editable    bool
		Panels      []shippedPanel
		Templating  struct{ List []shippedVariable }
		Annotations struct{ List []struct{ Name, Expr string } }
	}
	shippedPanel struct {
		ID              int
		Type, Title     string
		Description     string
		Interval        string
		Datasource      *struct{ Type, UID string }
		GridPos         struct{ X, Y, W, H int }
		Targets         []shippedTarget
		Options         json.RawMessage
		FieldConfig     shippedFields
		Transformations []struct {
			ID      string
			Options struct {
				RenameByName map[string]string
			}
		}
		Panels []shippedPanel // of a collapsed row
	}
	shippedFields struct {
		Defaults struct {
			Unit       string
			NoValue    string
			Color      *struct{ Mode, FixedColor string }
			Thresholds *struct {
				Steps []struct {
					Value *float64
					Color string
				}
			}
			Links  []struct{ Title, URL string }
			Custom struct{ ThresholdsStyle struct{ Mode string } }
		}
		Overrides []struct {
			Matcher    struct{ ID, Options string }
			Properties []struct {
				ID    string
				Value json.RawMessage
			}
		}
	}
	shippedTarget struct {
		RefID, Expr, LegendFormat, Format string
		Instant, Exemplar                 bool
		Datasource                        *struct{ Type, UID string }
	}
	shippedVariable struct {
		Name, Type, AllValue string
		Query                any
		IncludeAll, Multi    bool
		Datasource           *struct{ Type, UID string }
	}
)

func shippedDashboards(t testing.TB) []shipped {
	t.Helper()
	paths, err := filepath.Glob("../generated/*.json")
	require.NoError(t, err)
	require.Len(t, paths, 6)
	out := make([]shipped, len(paths))
	for i, p := range paths {
		raw, err := os.ReadFile(p)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(raw, &out[i]), p)
		require.Equal(t, strings.TrimSuffix(filepath.Base(p), ".json"), out[i].UID, "the file is named by the uid")
	}
	return out
}

// name of a panel in messages
func (d shipped) name(p shippedPanel) string { return d.Title + " / " + p.Title }

// interpolate fills in what Grafana would: All in each variable of many values,
// and the given peer in the one that holds a single one.
func (d shipped) interpolate(expr, window, interval, peer string) string {
	pairs := []string{wRange, window, wInterval, interval}
	for _, v := range d.Templating.List {
		switch {
		case v.IncludeAll:
			pairs = append(pairs, "$"+v.Name, v.AllValue)
		case v.Type == "query":
			pairs = append(pairs, "$"+v.Name, peer)
		}
	}
	return strings.NewReplacer(pairs...).Replace(expr)
}

// onePeerOnly reports whether the dashboard shows one peer at a time.
func (d shipped) onePeerOnly() bool {
	for _, v := range d.Templating.List {
		if v.Name == "peer" {
			return !v.IncludeAll
		}
	}
	return false
}

func parseExpr(expr string) (parser.Expr, error) {
	return parser.NewParser(parser.Options{}).ParseExpr(expr)
}

// selectors are the vector selectors of an expression.
func selectors(t testing.TB, expr string) []*parser.VectorSelector {
	t.Helper()
	e, err := parseExpr(expr)
	require.NoError(t, err, expr)
	var out []*parser.VectorSelector
	parser.Inspect(e, func(n parser.Node, _ []parser.Node) error {
		if v, ok := n.(*parser.VectorSelector); ok {
			out = append(out, v)
		}
		return nil
	})
	return out
}
