package harnesserrproc

import (
	"encoding/json"
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/keys"
	"github.com/harnesserr/harnesserr/signal"
)

// gather turns the attributes that one pass found into evidence. Events, status and bodies are added by the signal's own file.
func (r *record) gather(p *normalizer) {
	k, ev := r.keys, &r.ev
	ev.Operation, ev.Protocol, ev.Role = r.operation, r.protocol, r.role
	ev.Method, ev.Provider, ev.Framework = r.method, r.provider, r.framework
	if r.found&lookEvidence == 0 {
		return
	}
	ev.ErrorType = r.text(k.errorType)
	if r.present(k.excType) || r.present(k.excMessage) {
		ev.Exceptions = append(ev.Exceptions, signal.Exception{Type: r.text(k.excType), Message: r.text(k.excMessage), Stack: r.text(k.excStack)})
	}
	for _, id := range k.message {
		if r.has(id) {
			r.addMessage(textOf(r.vals[id]))
		}
	}
	ev.HTTPStatus = r.httpStatus()
	r.rpcStatus()
	for _, id := range k.code {
		if r.has(id) {
			r.addCode(textOf(r.vals[id]))
		}
	}
	ev.TaskState = r.text(k.state)
	if ev.TaskState == "" && r.protocol == signal.ProtocolA2A {
		ev.TaskState = r.text(k.stateScoped)
	}
	for _, id := range k.finish {
		if r.has(id) {
			r.addStops(r.vals[id])
		}
	}
	for _, id := range k.words {
		if r.has(id) {
			ev.Words = append(ev.Words, signal.Word{Key: k.Name(id), Value: textOf(r.vals[id])})
		}
	}
	r.flagged()
	r.contents(p)
}

// realtime reads the error code of a record of the Realtime Agent profile: a field of its own, or the first word of a text.
func (r *record) realtime(e *signal.Engine) {
	if code := r.text(r.keys.rtaCode); code != "" {
		r.ev.RTA = e.RTACode(code)
		return
	}
	if !r.present(r.keys.rta) {
		return
	}
	for _, m := range r.ev.Messages {
		if r.ev.RTA = e.RTACode(m); r.ev.RTA != "" {
			return
		}
	}
	for i := range r.ev.Exceptions {
		if r.ev.RTA = e.RTACode(r.ev.Exceptions[i].Message); r.ev.RTA != "" {
			return
		}
	}
}

// addMessage adds a text of the failure, once.
func (r *record) addMessage(s string) {
	if s == "" || s == "none" || s == "false" || s == "null" || s == "None" {
		return
	}
	for _, m := range r.ev.Messages {
		if m == s {
			return
		}
	}
	r.ev.Messages = append(r.ev.Messages, s)
}

// addCode adds a vendor's code. A status number is a status; other codes stand for an error type of their own, so they
// are read like one.
func (r *record) addCode(s string) {
	if n, err := strconv.Atoi(s); err == nil && 400 <= n && n <= 599 {
		if r.ev.HTTPStatus == 0 {
			r.ev.HTTPStatus = n
		}
		return
	}
	if s != "" && s != "none" {
		r.ev.Exceptions = append(r.ev.Exceptions, signal.Exception{Type: s})
	}
}

// rpcStatus sorts the many spellings of a status: JSON-RPC codes are negative or belong to an agent protocol, gRPC ones are
// names or small numbers.
func (r *record) rpcStatus() {
	r.ev.GRPCStatus = r.text(r.keys.grpc)
	s := r.text(r.keys.rpc)
	if s == "" {
		return
	}
	n, err := strconv.Atoi(s)
	switch {
	case err != nil:
		if r.ev.GRPCStatus == "" {
			r.ev.GRPCStatus = s
		}
	case n < 0 || n > 16 || r.protocol == signal.ProtocolMCP:
		r.ev.RPCCode = s
	case r.ev.GRPCStatus == "":
		r.ev.GRPCStatus = s
	}
}

// addStops adds finish reasons: a string in any encoding, or a slice.
func (r *record) addStops(v pcommon.Value) {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		if s := v.Str(); s != "" {
			r.ev.Stops = append(r.ev.Stops, s)
		}
	case pcommon.ValueTypeInt:
		r.ev.Stops = append(r.ev.Stops, strconv.FormatInt(v.Int(), 10))
	case pcommon.ValueTypeSlice:
		for _, e := range v.Slice().All() {
			if s := textOf(e); s != "" {
				r.ev.Stops = append(r.ev.Stops, s)
			}
		}
	}
}

// flagged reads the attributes that say "failed" in one word.
func (r *record) flagged() {
	k, ev := r.keys, &r.ev
	if v, ok := r.first(k.level); ok && strings.EqualFold(textOf(v), "ERROR") {
		ev.Status = signal.StatusError
	}
	if v, ok := r.first(k.success); ok && strings.EqualFold(textOf(v), "false") {
		if r.operation == signal.OpExecuteTool {
			ev.ToolError = true
		}
		ev.Status = signal.StatusError
	}
	if v, ok := r.first(k.outcome); ok && strings.EqualFold(textOf(v), "ERROR") {
		ev.Status = signal.StatusError
	}
}

// contents reads what a payload says: finish reasons inside messages, error codes inside answers, harness error objects.
func (r *record) contents(p *normalizer) {
	k := r.keys
	for _, id := range k.output {
		if r.has(id) {
			r.outputStops(r.vals[id])
			r.object(p, r.vals[id])
		}
	}
	for _, ids := range [...][]keys.ID{k.result, k.payload, k.response} {
		for _, id := range ids {
			if r.has(id) {
				r.object(p, r.vals[id])
			}
		}
	}
	for _, id := range k.response {
		if r.has(id) {
			r.answer(r.vals[id])
		}
	}
	for _, id := range k.result {
		if r.has(id) {
			r.result(r.vals[id])
			r.envelope(r.vals[id])
		}
	}
}

// object looks for a harness error object in a value.
func (r *record) object(p *normalizer, v pcommon.Value) {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		if s := v.Str(); len(s) <= p.cfg.Payload.MaxBytes && problem.Maybe(s) {
			if f, ok := problem.Find(s); ok {
				r.ev.Found = append(r.ev.Found, f)
			}
		}
	case pcommon.ValueTypeMap, pcommon.ValueTypeSlice:
		if f, ok := problem.FindTree(v.AsRaw()); ok {
			r.ev.Found = append(r.ev.Found, f)
		}
	}
}

// outputStops reads gen_ai.output.messages[].finish_reason from JSON text or a slice of maps. The texts beside it are content
// and never evidence.
func (r *record) outputStops(v pcommon.Value) {
	switch v.Type() {
	case pcommon.ValueTypeSlice:
		for _, m := range v.Slice().All() {
			if m.Type() != pcommon.ValueTypeMap {
				continue
			}
			if s, ok := m.Map().Get("finish_reason"); ok {
				r.addStops(s)
			}
		}
	case pcommon.ValueTypeStr:
		if s := v.Str(); strings.Contains(s, `"finish_reason"`) && len(s) <= maxJSON {
			var messages []struct {
				FinishReason any `json:"finish_reason"`
			}
			if json.Unmarshal([]byte(s), &messages) == nil {
				for _, m := range messages {
					if reason, ok := m.FinishReason.(string); ok && reason != "" {
						r.ev.Stops = append(r.ev.Stops, reason)
					}
				}
			}
		}
	}
}

// maxJSON is the longest text that is decoded as JSON.
const maxJSON = 64 << 10

// answer reads the outer members of a model's answer that an instrumentation keeps as JSON: its error code and reason.
func (r *record) answer(v pcommon.Value) {
	s := v.Str()
	if v.Type() != pcommon.ValueTypeStr || len(s) > maxJSON || s == "" || s == "{}" || s[0] != '{' {
		return
	}
	var a struct {
		ErrorCode    any    `json:"error_code"`
		ErrorMessage string `json:"error_message"`
		FinishReason any    `json:"finish_reason"`
	}
	if json.Unmarshal([]byte(s), &a) != nil {
		return
	}
	if code, ok := a.ErrorCode.(string); ok && code != "" {
		r.ev.Stops = append(r.ev.Stops, code)
		r.addMessage(a.ErrorMessage)
	}
	if reason, ok := a.FinishReason.(string); ok && reason != "" {
		r.ev.Stops = append(r.ev.Stops, reason)
	}
}

// result reads what a tool or peer answered: MCP's isError, an error member, a labby envelope. A result that does not
// declare an error is content.
func (r *record) result(v pcommon.Value) {
	s := v.Str()
	if v.Type() != pcommon.ValueTypeStr || len(s) > maxJSON || len(s) < 8 {
		return
	}
	switch {
	case strings.Contains(s, `"isError":true`), strings.Contains(s, `"isError": true`), strings.Contains(s, `"is_error":true`),
		strings.Contains(s, `"is_error": true`), strings.Contains(s, "isError=True"):
		r.ev.ToolError = true
		r.addMessage(s)
	case s[0] == '{' && strings.Contains(s, `"error"`) && r.operation == signal.OpExecuteTool:
		var a struct {
			Error any `json:"error"`
		}
		if json.Unmarshal([]byte(s), &a) != nil || a.Error == nil || a.Error == false || a.Error == "" {
			return
		}
		if r.ev.ErrorType != "" {
			r.addMessage(s)
		}
	}
}

// httpStatus returns the record's HTTP status, or 0.
func (r *record) httpStatus() int {
	v, ok := r.first(r.keys.http)
	if !ok {
		return 0
	}
	return statusOf(v)
}

// statusOf reads an HTTP status, a number or its text; what is none gives 0.
func statusOf(v pcommon.Value) int {
	code := int64(0)
	switch v.Type() {
	case pcommon.ValueTypeInt:
		code = v.Int()
	case pcommon.ValueTypeStr:
		n, err := strconv.Atoi(v.Str())
		if err != nil {
			return 0
		}
		code = int64(n)
	}
	if code < 100 || code > 599 {
		return 0
	}
	return int(code)
}
