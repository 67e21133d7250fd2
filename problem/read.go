package problem

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/harnesserr/harnesserr/registry"
)

// ErrNotHarnessError says that a JSON text is not a harness error object: its
// type is another one.
var ErrNotHarnessError = errors.New("not a harness error object")

// Parse reads the JSON text of one object leniently: unknown members are
// ignored and members with a wrong type or an illegal value are dropped, each by
// itself. It fails only if text is not JSON, is larger than MaxText, or has
// another type (ErrNotHarnessError).
func Parse(text []byte) (Object, error) {
	m, err := decodeObject(string(text))
	if err != nil {
		return Object{}, err
	}
	if !hasType(m) {
		return Object{}, ErrNotHarnessError
	}
	return read(m), nil
}

// ParseStrict reads the JSON text of one object and reports everything that is
// not as the draft wants it: members that Parse would drop and what Validate
// finds. The error joins one error a finding, each beginning with its path. The
// object is returned in any case where Parse returns one.
func ParseStrict(text []byte) (Object, error) {
	m, err := decodeObject(string(text))
	if err != nil {
		return Object{}, err
	}
	if !hasType(m) {
		return Object{}, ErrNotHarnessError
	}
	var f findings
	inspect(m, "", 0, &f)
	return read(m), errors.Join(f.errs...)
}

// UnmarshalJSON reads leniently, like Parse; beside the type a well-formed code
// alone makes an object, as under the keys that the MCP and A2A bindings define.
func (o *Object) UnmarshalJSON(text []byte) error {
	m, err := decodeObject(string(text))
	if err != nil {
		return err
	}
	if !hasType(m) && !hasCode(m) {
		return ErrNotHarnessError
	}
	*o = read(m)
	return nil
}

func decodeObject(text string) (map[string]any, error) {
	if len(text) > MaxText {
		return nil, fmt.Errorf("%d bytes of JSON, at most %d are read", len(text), MaxText)
	}
	v, err := decode(text)
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%w: got %s, want a JSON object", ErrNotHarnessError, kindOf(v))
	}
	return m, nil
}

// decode reads text that is one JSON value.
func decode(text string) (any, error) {
	v, d, err := decodeFirst(text)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the JSON value")
	}
	return v, nil
}

// decodeFirst reads the JSON value that text begins with. Numbers stay text, so
// that one beyond the range of a float64 costs its member and not the document.
func decodeFirst(text string) (any, *json.Decoder, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, d, err
}

func hasType(m map[string]any) bool {
	t, _ := m["type"].(string)
	return IsType(t)
}

// IsType reports whether uri is one of the two type URIs. They are compared
// exactly; a problem details object without a type is another problem.
func IsType(uri string) bool { return uri == TypeURI || uri == TypeURIPreRegistration }

// hasCode reports whether m has the one member without which an object is not
// well-formed. In causes and under the keys of the bindings it takes the place of
// the type.
func hasCode(m map[string]any) bool {
	code, _ := m["code"].(string)
	return validCode(code)
}

func validCode(code string) bool { return len(code) <= MaxCode && registry.Valid(code) }

// read builds an object from decoded JSON, or from the raw form of a pdata map.
func read(m map[string]any) Object {
	t := trimmer[map[string]any]{
		causes: causesOf,
		build: func(m map[string]any, causes []Object) Object {
			o := (&members{m: m}).object()
			o.Causes = causes
			return o
		},
	}
	return t.trim(m)
}

func causesOf(m map[string]any) []map[string]any {
	list, _ := m["causes"].([]any)
	var causes []map[string]any
	for _, v := range list {
		if c, ok := v.(map[string]any); ok && hasCode(c) {
			causes = append(causes, c)
		}
	}
	return causes
}

// inspect reports what is wrong with m and its causes.
func inspect(m map[string]any, path string, depth int, f *findings) {
	if depth > MaxCauses {
		f.report(path+"causes", "a nesting beyond what is read", strconv.Itoa(MaxCauses)+" levels at most")
		return
	}
	o := (&members{m: m, path: path, findings: f}).object()
	o.validate(path, f)
	causes, ok := m["causes"].([]any)
	if v, present := m["causes"]; present && !ok {
		f.report(path+"causes", kindOf(v), "an array")
	}
	for i, v := range causes {
		at := path + "causes[" + strconv.Itoa(i) + "]"
		c, ok := v.(map[string]any)
		if !ok {
			f.report(at, kindOf(v), "an object")
			continue
		}
		if !hasType(c) {
			f.report(at+".type", kindOf(c["type"]), "the type of a harness error")
		}
		inspect(c, at+".", depth+1, f)
	}
}

// members reads the members of one JSON object. What does not fit is dropped,
// and reported if findings is set.
type members struct {
	m        map[string]any
	path     string
	findings *findings
}

func (r *members) object() Object {
	o := Object{
		Title:            r.text("title"),
		Status:           r.status(),
		Detail:           r.text("detail"),
		Instance:         r.text("instance"),
		Code:             r.text("code"),
		Origin:           registry.Origin(r.text("origin")),
		Retryable:        r.boolean("retryable"),
		ModelRecoverable: r.boolean("model_recoverable"),
		ModelFeedback:    r.text("model_feedback"),
		RetryAfter:       r.number("retry_after", 0),
		Attempts:         r.integer("attempts", 0),
		MaxAttempts:      r.integer("max_attempts", 0),
	}
	if o.Code != "" && !validCode(o.Code) {
		r.drop("code", strconv.Quote(clip(o.Code)), wantCode)
		o.Code = ""
	}
	if !isReference(o.Instance) {
		r.drop("instance", strconv.Quote(clip(o.Instance)), wantReference)
		o.Instance = ""
	}
	if o.Origin != "" && !o.Origin.Known() {
		r.drop("origin", strconv.Quote(clip(string(o.Origin))), wantOrigin)
		o.Origin = ""
	}
	if in := r.nested("limit"); in != nil {
		o.Limit = orNil(Limit{
			Name: in.text("name"), Unit: in.text("unit"),
			Value: in.number("value", math.Inf(-1)), Observed: in.number("observed", math.Inf(-1)),
		})
	}
	if in := r.nested("location"); in != nil {
		l := Location{
			RunID: in.text("run_id"), ToolName: in.text("tool_name"),
			ToolCallID: in.text("tool_call_id"), Pointer: in.text("pointer"),
		}
		if !isPointer(l.Pointer) {
			in.drop("pointer", strconv.Quote(clip(l.Pointer)), wantPointer)
			l.Pointer = ""
		}
		if turn := in.integer("turn", 1); turn != nil {
			l.Turn = *turn
		}
		o.Location = orNil(l)
	}
	if in := r.nested("upstream"); in != nil {
		o.Upstream = orNil(Upstream{
			Provider: in.text("provider"), Status: in.status(), Code: in.text("code"),
			Reason: in.text("reason"), StopReason: in.text("stop_reason"),
			Message: in.text("message"), TaskState: in.text("task_state"),
		})
	}
	return o
}

// orNil spares consumers an object of which nothing was left.
func orNil[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

func (r *members) text(key string) string {
	v, present := r.m[key]
	s, ok := v.(string)
	if present && !ok {
		r.drop(key, kindOf(v), "a string")
	}
	return s
}

func (r *members) boolean(key string) *bool {
	v, present := r.m[key]
	b, ok := v.(bool)
	if !ok {
		if present {
			r.drop(key, kindOf(v), "true or false")
		}
		return nil
	}
	return &b
}

func (r *members) number(key string, least float64) *float64 {
	v, present := r.m[key]
	n, ok := toFloat(v)
	if !ok || n < least {
		if present {
			want := "a number"
			if least == 0 {
				want = "a number of at least 0"
			}
			r.drop(key, show(v), want)
		}
		return nil
	}
	return &n
}

func (r *members) integer(key string, least int64) *int64 {
	v, present := r.m[key]
	n, ok := toInt(v)
	if !ok || n < least {
		if present {
			r.drop(key, show(v), fmt.Sprintf("an integer of at least %d", least))
		}
		return nil
	}
	return &n
}

func (r *members) status() int {
	v, present := r.m["status"]
	n, ok := toInt(v)
	if !ok || !isStatus(n) {
		if present {
			r.drop("status", show(v), wantStatus)
		}
		return 0
	}
	return int(n)
}

func (r *members) nested(key string) *members {
	v, present := r.m[key]
	m, ok := v.(map[string]any)
	if !ok {
		if present {
			r.drop(key, kindOf(v), "an object")
		}
		return nil
	}
	in := &members{m: m, findings: r.findings}
	if r.findings != nil {
		in.path = r.path + key + "."
	}
	return in
}

func (r *members) drop(key, got, want string) {
	if r.findings != nil {
		r.findings.report(r.path+key, got, want)
	}
}
