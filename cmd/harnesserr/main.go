// Command harnesserr explains, lists, cleans and replays agent telemetry with the code that the collector runs.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

func main() {
	err := newRootCommand().Execute()
	if err == nil {
		return
	}
	if !errors.Is(err, errReported) {
		fmt.Fprintln(os.Stderr, "harnesserr:", err)
	}
	os.Exit(exitCode(err))
}

// The exit codes: 0 all went well, 1 some of the input could not be read or sent, 2 the command was not understood.
const (
	exitInput = 1
	exitUsage = 2
)

// errReported is returned when the reasons have been printed already.
var errReported = errors.New("some of the input could not be read")

// usageError is an error in how the command was called.
type usageError struct{ error }

func exitCode(err error) int {
	var usage usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitInput
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "harnesserr",
		Short:         "Registry codes for agent failures: see what the harnesserr processor makes of telemetry",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(newExplainCommand(), newRedactCommand(), newCodesCommand(), newReplayCommand())
	return root
}
