package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/processor/processortest"

	"github.com/harnesserr/harnesserr/internal/observe"
	"github.com/harnesserr/harnesserr/processor/harnesserrproc"
)

func newExplainCommand() *cobra.Command {
	var asJSON, all, gaps bool
	var config string
	cmd := &cobra.Command{
		Use:   "explain [FILE...]",
		Short: "Show what the processor would write on the telemetry of OTLP/JSON files, and why",
		Long: `Explain runs the processor over OTLP/JSON payloads and prints what it decided of every record.
A file holds one payload or one a line; "-" or no file is standard input. Only failures are shown, unless --all is given.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, files []string) error {
			cfg, err := loadConfig(config)
			if err != nil {
				return usageError{err}
			}
			var out printer = newTable(cmd.OutOrStdout())
			switch {
			case gaps:
				out = newGaps(cmd.OutOrStdout())
			case asJSON:
				out = &jsonLines{w: bufio.NewWriter(cmd.OutOrStdout())}
			}
			return explain(cmd.Context(), cfg, files, all, out, cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	cmd.Flags().BoolVar(&all, "all", false, "print records without a failure too")
	cmd.Flags().BoolVar(&gaps, "gaps", false, "sum up the failures that no rule explains and print a rule to start from for each")
	cmd.Flags().StringVar(&config, "config", "", "a collector configuration whose harnesserr section is used")
	return cmd
}

// printer prints decisions.
type printer interface {
	record(observe.Record) error
	close() error
}

// explain runs the processor over files. A file that can't be read is reported and does not stop the others.
func explain(ctx context.Context, cfg component.Config, files []string, all bool, out printer, errs io.Writer) error {
	ex, err := newExplainer(ctx, cfg)
	if err != nil {
		return usageError{err}
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	failed := false
	for _, name := range files {
		err := eachPayload(name, func(p payload) error {
			return ex.run(ctx, p, func(r observe.Record) error {
				if !all && r.Verdict.Code == "" {
					return nil
				}
				return out.record(r)
			})
		})
		if err != nil {
			failed = true
			fmt.Fprintln(errs, "harnesserr:", err)
		}
	}
	if err := out.close(); err != nil {
		return err
	}
	if failed {
		return errReported
	}
	return nil
}

// explainer is the processor itself, one for each signal.
type explainer struct {
	traces  processor.Traces
	logs    processor.Logs
	metrics processor.Metrics
}

func newExplainer(ctx context.Context, cfg component.Config) (*explainer, error) {
	f := harnesserrproc.NewFactory()
	set := processortest.NewNopSettings(f.Type())
	ex := &explainer{}
	var err error
	if ex.traces, err = f.CreateTraces(ctx, set, cfg, consumertest.NewNop()); err != nil {
		return nil, err
	}
	if ex.logs, err = f.CreateLogs(ctx, set, cfg, consumertest.NewNop()); err != nil {
		return nil, err
	}
	if ex.metrics, err = f.CreateMetrics(ctx, set, cfg, consumertest.NewNop()); err != nil {
		return nil, err
	}
	for _, c := range []component.Component{ex.traces, ex.logs, ex.metrics} {
		if err := c.Start(ctx, componenttest.NewNopHost()); err != nil {
			return nil, err
		}
	}
	return ex, nil
}

func (ex *explainer) run(ctx context.Context, p payload, f func(observe.Record) error) error {
	var first error
	ctx = observe.With(ctx, func(r observe.Record) {
		if first == nil {
			first = f(r)
		}
	})
	var err error
	switch {
	case p.traces.ResourceSpans().Len() > 0:
		err = ex.traces.ConsumeTraces(ctx, p.traces)
	case p.logs.ResourceLogs().Len() > 0:
		err = ex.logs.ConsumeLogs(ctx, p.logs)
	case p.metrics.ResourceMetrics().Len() > 0:
		err = ex.metrics.ConsumeMetrics(ctx, p.metrics)
	}
	if first != nil {
		return first
	}
	return err
}

// line is a decision as `explain --json` prints it; absent members mean "not set".
type line struct {
	Signal           string   `json:"signal"`
	Name             string   `json:"name"`
	Index            *int     `json:"index,omitempty"`
	TraceID          string   `json:"trace_id,omitempty"`
	SpanID           string   `json:"span_id,omitempty"`
	Recognised       bool     `json:"recognised"`
	Operation        string   `json:"operation,omitempty"`
	Peer             string   `json:"peer,omitempty"`
	Method           string   `json:"method,omitempty"`
	Code             *string  `json:"code"`
	ErrorType        string   `json:"error_type,omitempty"`
	OriginalType     string   `json:"original_type,omitempty"`
	Class            string   `json:"class,omitempty"`
	Origin           string   `json:"origin,omitempty"`
	Retryable        *bool    `json:"retryable,omitempty"`
	ModelRecoverable *bool    `json:"model_recoverable,omitempty"`
	Action           string   `json:"action,omitempty"`
	Evidence         string   `json:"evidence,omitempty"`
	Rule             string   `json:"rule,omitempty"`
	CauseCodes       []string `json:"cause_codes,omitempty"`
	Propagated       bool     `json:"propagated,omitempty"`
	Handled          bool     `json:"handled,omitempty"`
	Mirror           bool     `json:"mirror,omitempty"`
}

func lineOf(r observe.Record) line {
	v := r.Verdict
	l := line{
		Signal: r.Signal, Name: r.Name, TraceID: r.TraceID, SpanID: r.SpanID, Recognised: r.Recognised,
		Operation: r.Operation, Peer: r.Peer, Method: r.Method, ErrorType: r.ErrorType, OriginalType: r.Original,
		Class: v.Class.String(), Propagated: r.Propagated, Handled: r.Handled, Mirror: r.Mirror,
	}
	if r.Signal != "trace" {
		l.Index = &r.Index
	}
	if v.Code == "" {
		return l
	}
	l.Code, l.Origin, l.Action, l.Evidence, l.Rule = &v.Code, string(v.Origin), v.Action.String(), v.Evidence.String(), v.Rule
	if b, known := v.Retryable.Bool(); known {
		l.Retryable = &b
	}
	if b, known := v.ModelRecoverable.Bool(); known {
		l.ModelRecoverable = &b
	}
	l.CauseCodes = append(l.CauseCodes, v.Causes[:v.NumCauses]...)
	return l
}

// jsonLines prints one JSON object a line.
type jsonLines struct{ w *bufio.Writer }

func (j *jsonLines) record(r observe.Record) error {
	enc := json.NewEncoder(j.w)
	enc.SetEscapeHTML(false)
	return enc.Encode(lineOf(r))
}

func (j *jsonLines) close() error { return j.w.Flush() }
