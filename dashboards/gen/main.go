// Command gen writes the generated part of the folder above it: dashboards,
// rules, Grafana's provisioning files, the index of the runbooks and the table
// of facts in the runbook of each registry code.
//
//	go run .          writes what differs and removes what is no longer generated
//	go run . -check   writes nothing and fails if anything differs
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

func main() {
	check := flag.Bool("check", false, "write nothing; fail if a file differs")
	root := flag.String("root", "..", "the folder dashboards")
	flag.Parse()
	changed, err := run(*root, *check)
	for _, c := range changed {
		fmt.Println(c)
	}
	if err == nil && *check && len(changed) > 0 {
		err = errors.New("generated files differ: run `go run .` in dashboards/gen and commit the result")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run brings the files under root in line with the generator, or only says which
// are not.
func run(root string, check bool) ([]string, error) {
	want, err := files(root)
	if err != nil {
		return nil, err
	}
	var changed []string
	for _, name := range sortedKeys(want) {
		path := filepath.Join(root, name)
		have, err := os.ReadFile(path)
		if err == nil && bytes.Equal(have, want[name]) {
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return changed, err
		}
		changed = append(changed, name)
		if check {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return changed, err
		}
		if err := os.WriteFile(path, want[name], 0o644); err != nil {
			return changed, err
		}
	}
	stale, err := stale(root, want)
	if err != nil {
		return changed, err
	}
	for _, name := range stale {
		changed = append(changed, name+" (no longer generated)")
		if check {
			continue
		}
		if err := os.Remove(filepath.Join(root, name)); err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// stale are the files under generated that nothing makes any more.
func stale(root string, want map[string][]byte) ([]string, error) {
	var out []string
	err := filepath.WalkDir(filepath.Join(root, "generated"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if _, ok := want[filepath.ToSlash(name)]; !ok {
			out = append(out, filepath.ToSlash(name))
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	return out, err
}

// files is everything that is generated, by its path under root. Runbooks are
// read from root, since only a part of each is generated.
func files(root string) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, b := range boards() {
		d, err := b.Build()
		if err != nil {
			return nil, err
		}
		if out["generated/"+*d.Uid+".json"], err = jsonFile(d); err != nil {
			return nil, err
		}
	}
	for name, v := range map[string]any{
		"rules/recording.yaml":                     recordingFile(),
		"rules/alerts.yaml":                        alertFile(),
		"provisioning/alerting/harnesserr.yaml":    grafanaAlerts(),
		"provisioning/dashboards/harnesserr.yaml":  grafanaDashboards("/var/lib/grafana/dashboards/harnesserr"),
		"provisioning/datasources/harnesserr.yaml": grafanaDatasources(),
	} {
		raw, err := yamlFile(v)
		if err != nil {
			return nil, err
		}
		out["generated/"+name] = raw
	}
	books, err := runbooks(root)
	if err != nil {
		return nil, err
	}
	for name, raw := range books {
		out["runbooks/"+name] = raw
	}
	return out, nil
}

// boards are the dashboards in the order of the index.
func boards() []*dashboard.DashboardBuilder {
	return []*dashboard.DashboardBuilder{agentErrors(), onePeer(), modelProvider(), toolsLoop(), errorBudget(), telemetryHealth()}
}

// readable undoes the escapes for HTML that the SDK's own encoders make, so that
// a diff shows expressions as they are. No text here holds such an escape itself.
var readable = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

func jsonFile(v any) ([]byte, error) {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	return []byte(readable.Replace(string(raw)) + "\n"), nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
