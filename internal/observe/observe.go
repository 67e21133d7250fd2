// Package observe lets a caller in the same process see what the processor decided of every record, beside what it wrote:
// the command line explains telemetry through the very code that a collector runs.
package observe

import (
	"context"

	"github.com/harnesserr/harnesserr/signal"
)

// Record is the decision on one span, log record or data point.
type Record struct {
	// Signal is trace, log or metric.
	Signal string
	// Name is the span's name, the log record's event name or the metric's name.
	Name string
	// Index is the position of a log record in its payload, or of a data point in its metric.
	Index int
	// TraceID and SpanID are in hexadecimal, empty if the record has none.
	TraceID, SpanID string
	// Recognised says that the record is GenAI or agent telemetry.
	Recognised              bool
	Operation, Peer, Method string
	// Verdict is valid during the call only. Its code is empty where nothing failed.
	Verdict *signal.Verdict
	// ErrorType is what the record carries afterwards, Original what it carried before the code.
	ErrorType, Original         string
	Propagated, Handled, Mirror bool
	// Message is the first text of the failure, for reports about what no rule explains.
	Message string
}

type key struct{}

// With returns a context under which the processor calls f for every record, in order. f is called on the caller's goroutine.
func With(ctx context.Context, f func(Record)) context.Context {
	return context.WithValue(ctx, key{}, f)
}

// From returns the function of With, or nil.
func From(ctx context.Context) func(Record) {
	f, _ := ctx.Value(key{}).(func(Record))
	return f
}
