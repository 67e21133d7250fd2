package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/harnesserr/harnesserr/processor/harnesserrproc"
	"github.com/harnesserr/harnesserr/redact"
)

// redactor cleans texts and says what it replaced.
type redactor struct {
	cleaner *redact.Cleaner
	kind    redact.Kind
	explain io.Writer // nil: no explanations
}

func newRedactCommand() *cobra.Command {
	var (
		config, kind    string
		asJSON, explain bool
	)
	cmd := &cobra.Command{
		Use:   "redact [FILE...]",
		Short: "Clean texts as the processor cleans error messages",
		Long: `Clean texts as the processor cleans error messages. Without FILE, or with -, standard input is read.

A file is one text, and comes out whole: the bound max_length is for telemetry. With --json every line is one text, a JSON
string, and comes out as one, in the same order; there the bound holds. A line that is no JSON string is reported and
comes out as null.`,
		RunE: func(cmd *cobra.Command, files []string) error {
			k, ok := redact.ParseKind(kind)
			if !ok {
				return usageError{fmt.Errorf("--kind: got %q, allowed is text, feedback, name, stacktrace or payload", kind)}
			}
			cfg, err := loadRedactConfig(config)
			if err != nil {
				return err
			}
			if !asJSON {
				cfg.MaxLength = 0
			}
			cleaner, err := redact.New(cfg)
			if err != nil {
				return err
			}
			r := redactor{cleaner: cleaner, kind: k}
			if explain {
				r.explain = cmd.ErrOrStderr()
			}
			if len(files) == 0 {
				files = []string{"-"}
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			for _, name := range files {
				err = errors.Join(err, r.file(name, cmd.InOrStdin(), asJSON, out, cmd.ErrOrStderr()))
			}
			return errors.Join(err, out.Flush())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON string a line in, one out")
	cmd.Flags().StringVar(&config, "config", "", "a collector configuration whose harnesserr section is used")
	cmd.Flags().StringVar(&kind, "kind", redact.Feedback.String(), "what the texts are: text, feedback, name, stacktrace or payload")
	cmd.Flags().BoolVar(&explain, "explain", false, "name the rule of each replacement on standard error")
	return cmd
}

// loadRedactConfig reads processors::harnesserr::redact of a collector configuration; without a file it returns the defaults.
func loadRedactConfig(file string) (redact.Config, error) {
	cfg, err := loadConfig(file)
	if err != nil {
		return redact.Config{}, err
	}
	return cfg.(*harnesserrproc.Config).Redact, nil
}

func (r *redactor) file(name string, in io.Reader, asJSON bool, out, errs io.Writer) error {
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	if asJSON {
		return r.lines(name, in, out, errs)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = io.WriteString(out, r.text(name, 1, string(text)))
	return err
}

// lines cleans a JSON string a line.
func (r *redactor) lines(name string, in io.Reader, out, errs io.Writer) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	var failed error
	br := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := br.ReadString('\n')
		if strings.TrimSpace(line) != "" {
			var clean *string
			var text string
			if bad := json.Unmarshal([]byte(line), &text); bad != nil {
				fmt.Fprintf(errs, "%s:%d: not a JSON string: %v\n", name, n, bad)
				failed = errReported
			} else {
				text = r.text(name, n, text)
				clean = &text
			}
			if err := enc.Encode(clean); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return failed
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

var replacement = regexp.MustCompile(`\[REDACTED_([a-z0-9_]+)\]`)

// text cleans one text, the first line of which is the given line of its file, and explains the result.
func (r *redactor) text(name string, line int, text string) string {
	var report redact.Report
	clean := r.cleaner.Clean(text, r.kind, &report)
	if r.explain == nil {
		return clean
	}
	named := map[string]bool{}
	for _, m := range replacement.FindAllStringSubmatchIndex(clean, -1) {
		start := strings.LastIndexByte(clean[:m[0]], '\n') + 1
		rule := clean[m[2]:m[3]]
		named[rule] = true
		fmt.Fprintf(r.explain, "%s:%d:%d: %s\n", name, line+strings.Count(clean[:m[0]], "\n"), m[0]-start+1, rule)
	}
	report.Each(func(rule string, n int) { // what leaves no token behind: control characters, the bound, dry runs
		if !named[rule] {
			fmt.Fprintf(r.explain, "%s:%d: %s (%d)\n", name, line, rule, n)
		}
	})
	return clean
}
