// Command fleet writes the sample telemetry of testdata/fleet: a minute and a half of a believable fleet of agents, with an incident
// in the middle. It is deterministic. Run it with `go generate ./internal/fleet`.
package main

//go:generate go run . ../../testdata/fleet

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: fleet DIRECTORY")
		os.Exit(2)
	}
	for _, c := range story() {
		text, err := c.render()
		if err == nil {
			err = os.WriteFile(filepath.Join(os.Args[1], c.file), text, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "fleet:", err)
			os.Exit(1)
		}
	}
}
