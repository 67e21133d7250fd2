// Command licences lists the licence of every module in Go binaries and fails if one is not allowed or can't be told.
//
//	licences bin/otelcol-harness bin/harnesserr
package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
	"golang.org/x/mod/module"
)

// allowed are the licences, by SPDX identifier, that go along with Apache-2.0 in a binary that is passed on.
var allowed = []string{
	"Apache-2.0", "MIT", "MIT-0", "BSD-2-Clause", "BSD-2-Clause-Views", "BSD-3-Clause", "ISC", "MPL-2.0", "0BSD", "CC0-1.0", "Unlicense", "Zlib", "BlueOak-1.0.0",
}

// licenceFile is what a licence is called in the root of a module.
var licenceFile = regexp.MustCompile(`(?i)^(li[cs]en[cs]e|copying|unlicense)([-.].*)?$`)

// certain is the share of a licence file, in percent, that has to be a licence's known text.
const certain = 75

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: licences BINARY...")
	}
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(binaries []string) error {
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env GOMODCACHE: %w", err)
	}
	modules := map[module.Version]bool{}
	for _, name := range binaries {
		info, err := buildinfo.ReadFile(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, dep := range info.Deps {
			if dep.Replace != nil {
				dep = dep.Replace
			}
			if !strings.HasPrefix(dep.Path, ".") { // parts of this repository
				modules[module.Version{Path: dep.Path, Version: dep.Version}] = true
			}
		}
	}
	var errs []error
	count := map[string]int{}
	for _, m := range slices.SortedFunc(maps.Keys(modules), func(a, b module.Version) int { return strings.Compare(a.String(), b.String()) }) {
		ids, err := licencesOf(strings.TrimSpace(string(cache)), m)
		errs = append(errs, err)
		text := strings.Join(ids, " AND ")
		count[text]++
		fmt.Printf("%s\t%s\n", m, text)
	}
	for _, text := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(os.Stderr, "%4d  %s\n", count[text], text)
	}
	return errors.Join(errs...)
}

// licencesOf returns what the licence files in the root of a module say.
func licencesOf(cache string, m module.Version) (ids []string, err error) {
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return nil, err
	}
	version, err := module.EscapeVersion(m.Version)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, filepath.FromSlash(path)+"@"+version)
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; build the binaries first, or run go mod download", m, err)
	}
	for _, f := range files {
		if f.IsDir() || filepath.Ext(f.Name()) == ".go" || !licenceFile.MatchString(f.Name()) {
			continue
		}
		more, err := licencesIn(filepath.Join(dir, f.Name()))
		if err != nil {
			return ids, fmt.Errorf("%s: %w", m, err)
		}
		ids = append(ids, more...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return nil, fmt.Errorf("%s: no licence file", m)
	}
	return ids, nil
}

// licencesIn tells the licences of one file.
func licencesIn(name string) (ids []string, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	cover := licensecheck.Scan(text)
	if cover.Percent < certain {
		return nil, fmt.Errorf("%s: %.0f %% of it is a known licence's text, want %d: look at it", filepath.Base(name), cover.Percent, certain)
	}
	for _, match := range cover.Match {
		if match.IsURL {
			continue
		}
		if !slices.Contains(allowed, match.ID) {
			return ids, fmt.Errorf("%s: %s is not on the list of allowed licences", filepath.Base(name), match.ID)
		}
		ids = append(ids, match.ID)
	}
	return ids, nil
}
