package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/harnesserr/harnesserr/registry"
)

func newCodesCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "codes [CODE|CATEGORY...]",
		Short: "List the registry codes with their defaults and bindings",
		Long: `Codes lists what error.type can be after the processor: the codes of draft-ouchi-agent-harness-errors, in its order.
RETRYABLE and MODEL RECOVERABLE are defaults that an occurrence may override; HTTP, A2A STATE and MCP say how the code
crosses each protocol. Private codes (x-VENDOR.reason) are legal too and not listed.`,
		Example: `  harnesserr codes
  harnesserr codes upstream output.truncated
  harnesserr codes --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			entries, err := pickCodes(args)
			if err != nil {
				return usageError{err}
			}
			if asJSON {
				return codesJSON(cmd.OutOrStdout(), entries)
			}
			return codesTable(cmd.OutOrStdout(), entries)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array, descriptions included")
	return cmd
}

// pickCodes returns the entries that a code or category of names stands for, all without names.
func pickCodes(names []string) ([]registry.Entry, error) {
	if len(names) == 0 {
		return registry.All(), nil
	}
	wanted := map[string]bool{}
	for _, name := range names {
		if _, ok := registry.Lookup(name); !ok && !registry.KnownCategory(name) {
			return nil, fmt.Errorf("no registered code or category %q; harnesserr codes lists them", name)
		}
		wanted[name] = true
	}
	var entries []registry.Entry
	for _, e := range registry.All() {
		if wanted[e.Code] || wanted[e.Category] {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

func codesTable(out io.Writer, entries []registry.Entry) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "CODE\tTITLE\tORIGIN\tRETRYABLE\tMODEL RECOVERABLE\tHTTP\tA2A STATE\tMCP")
	for _, e := range entries {
		fmt.Fprintf(w, "%s\t%s\t%s\t%t\t%t\t%d\t%s\t%s\n", e.Code, e.Title, e.Origin, e.Retryable, e.ModelRecoverable, e.HTTPStatus, e.A2AState, e.MCPChannel)
	}
	return w.Flush()
}

// codeLine is an entry as `codes --json` prints it.
type codeLine struct {
	Code             string `json:"code"`
	Title            string `json:"title"`
	Category         string `json:"category"`
	Origin           string `json:"origin"`
	Retryable        bool   `json:"retryable"`
	ModelRecoverable bool   `json:"model_recoverable"`
	HTTPStatus       int    `json:"http_status"`
	A2AState         string `json:"a2a_state"`
	MCPChannel       string `json:"mcp_channel"`
	Description      string `json:"description"`
}

func codesJSON(out io.Writer, entries []registry.Entry) error {
	lines := make([]codeLine, 0, len(entries))
	for _, e := range entries {
		lines = append(lines, codeLine{
			e.Code, e.Title, e.Category, string(e.Origin), e.Retryable, e.ModelRecoverable, e.HTTPStatus, e.A2AState, e.MCPChannel.String(), e.Description,
		})
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(lines)
}
