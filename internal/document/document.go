package document

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/registry"
)

// Document is one failure.
type Document struct {
	// Object holds the members of the draft.
	Object problem.Object

	// What the draft has no member for. Empty strings are left out.
	Class       string // task_failure, protocol_error, transport_failure, interrupted, expected
	Action      string // what would help
	Peer        string // remote agent, MCP server, tool, provider or model endpoint
	Service     string // service.name of the resource
	Operation   string // chat, execute_tool, invoke_agent, ...
	Method      string // MCP or A2A method
	SideEffects string // none_expected, possible, unknown

	// Why the record isn't counted, where Config.Include took it all the same.
	Propagated, Mirror, Handled bool

	Time     pcommon.Timestamp // when the operation failed; 0 if the record does not say
	Observed pcommon.Timestamp // when the collector saw the record; not in the JSON
	TraceID  pcommon.TraceID
	SpanID   pcommon.SpanID

	// Ordinal is the place of the record in the batch it came from. It is not
	// part of the document.
	Ordinal int
}

// JSON returns the document on one line. Members come in a fixed order: those
// of problem.Object, then this package's. withStatus adds the status that table
// 3 of the draft recommends; it belongs in HTTP bodies alone (6.2).
func (d *Document) JSON(withStatus bool) ([]byte, error) {
	object := d.Object
	if withStatus {
		object.Status = registry.HTTPStatus(object.Code)
	}
	return object.Encode(d.extensions()...)
}

// extensions are the members beside the draft's, in the order of writing.
func (d *Document) extensions() []problem.Member {
	out := make([]problem.Member, 0, 13)
	text := func(name, value string) {
		if value != "" {
			out = append(out, problem.Member{Name: name, Value: value})
		}
	}
	flag := func(name string, value bool) {
		if value {
			out = append(out, problem.Member{Name: name, Value: true})
		}
	}
	text("class", d.Class)
	text("action", d.Action)
	text("side_effects", d.SideEffects)
	text("peer", d.Peer)
	text("service", d.Service)
	text("operation", d.Operation)
	text("method", d.Method)
	flag("propagated", d.Propagated)
	flag("mirror", d.Mirror)
	flag("handled", d.Handled)
	if d.Time != 0 {
		text("time", d.Time.AsTime().Format(time.RFC3339Nano))
	}
	if !d.TraceID.IsEmpty() {
		text("trace_id", d.TraceID.String())
	}
	if !d.SpanID.IsEmpty() {
		text("span_id", d.SpanID.String())
	}
	return out
}

// Encode returns JSON and the key by which a receiver recognises a document that
// it got before: the first 32 hexadecimal digits of the SHA-256 of
// "trace_id:span_id:code". A record outside a span has no such identity; its key
// is made of the JSON text without status.
func (d *Document) Encode(withStatus bool) (body []byte, key string, err error) {
	identity := []byte(d.TraceID.String() + ":" + d.SpanID.String() + ":" + d.Object.Code)
	if d.TraceID.IsEmpty() || d.SpanID.IsEmpty() {
		if identity, err = d.JSON(false); err != nil {
			return nil, "", err
		}
	}
	sum := sha256.Sum256(identity)
	body, err = d.JSON(withStatus)
	return body, hex.EncodeToString(sum[:16]), err
}

// instance names the occurrence: the span, where there is one.
func instance(trace pcommon.TraceID, span pcommon.SpanID) string {
	switch {
	case trace.IsEmpty():
		return ""
	case span.IsEmpty():
		return "urn:otel:trace:" + trace.String()
	default:
		return "urn:otel:trace:" + trace.String() + ":span:" + span.String()
	}
}
