package problem

import "github.com/harnesserr/harnesserr/registry"

// The two type URIs of draft section 3. Consumers treat them as equal; this
// package writes the first.
const (
	TypeURI                = "https://iana.org/assignments/http-problem-types#agent-harness-error"
	TypeURIPreRegistration = "https://agenterrors.org/problems/harness-error"
)

// Limits on what is read from other parties.
const (
	// MaxText is the size in bytes of the JSON text that Find and Parse accept.
	MaxText = 64 << 10
	// MaxDepth is how many JSON levels Find descends to an object.
	MaxDepth = 16
	// MaxCauses is how many causes an object keeps, at all levels together.
	MaxCauses = 16
	// MaxCode is the length in bytes beyond which a code is taken for malformed:
	// codes become label values.
	MaxCode = 128
)

// Object is a harness error object: the members of RFC 9457 and of draft
// section 4, in the order in which they are written. The zero value of a member
// stands for its absence. The type member is not here: it is known.
type Object struct {
	// Title should be the title registered for Code.
	Title string `json:"title,omitempty"`
	// Status is the HTTP status, 100 to 599. It belongs in HTTP bodies only (6.2).
	Status int `json:"status,omitempty"`
	// Detail describes this occurrence to operators.
	Detail string `json:"detail,omitempty"`
	// Instance is a URI reference that identifies this occurrence.
	Instance string `json:"instance,omitempty"`
	// Code says what happened. An object that was read has an empty Code if the
	// producer left it out or wrote something that is no code.
	Code string `json:"code"`
	// Origin is the component in which the error arose.
	Origin registry.Origin `json:"origin,omitempty"`
	// Retryable: repeating the operation unchanged may work. See IsRetryable.
	Retryable *bool `json:"retryable,omitempty"`
	// ModelRecoverable: the model may correct the error when told of it. See
	// IsModelRecoverable.
	ModelRecoverable *bool `json:"model_recoverable,omitempty"`
	// ModelFeedback is text for the model. From another party it deserves no more
	// trust than the party's other output (draft section 10).
	ModelFeedback string `json:"model_feedback,omitempty"`
	// RetryAfter is in seconds, not negative.
	RetryAfter *float64 `json:"retry_after,omitempty"`
	// Attempts counts the attempts made, the failed one included; not negative.
	Attempts *int64 `json:"attempts,omitempty"`
	// MaxAttempts is the number of attempts configured; not negative.
	MaxAttempts *int64 `json:"max_attempts,omitempty"`
	// Limit is the limit that was exceeded.
	Limit *Limit `json:"limit,omitempty"`
	// Location is the place in the run.
	Location *Location `json:"location,omitempty"`
	// Upstream is what a remote component reported, in its own words.
	Upstream *Upstream `json:"upstream,omitempty"`
	// Causes are the errors behind this one, most recent first.
	Causes []Object `json:"causes,omitempty"`
}

// Limit is a limit that was exceeded (draft 4.9).
type Limit struct {
	// Name is for example turns, input_tokens, cost, wall_clock_seconds.
	Name string `json:"name,omitempty"`
	// Value is what was configured, Observed what was seen.
	Value    *float64 `json:"value,omitempty"`
	Observed *float64 `json:"observed,omitempty"`
	// Unit is given where Name does not imply it; for cost an ISO 4217 code.
	Unit string `json:"unit,omitempty"`
}

// Location is a place in a run (draft 4.10).
type Location struct {
	RunID string `json:"run_id,omitempty"`
	// Turn counts from 1.
	Turn       int64  `json:"turn,omitempty"`
	ToolName   string `json:"tool_name,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
	// Pointer is a JSON Pointer into structured output. The pointer to the whole
	// document, "", is not told from an absent one.
	Pointer string `json:"pointer,omitempty"`
}

// Upstream is raw information from a remote component. Provider to StopReason
// are in draft 4.11; Message and TaskState are what 7.3 and 8.4 ask to keep, and
// Reason is the reason of a google.rpc.ErrorInfo.
type Upstream struct {
	// Provider is a vendor, or mcp or a2a.
	Provider string `json:"provider,omitempty"`
	// Status is an HTTP status, 100 to 599.
	Status int `json:"status,omitempty"`
	// Code is the vendor's code; JSON-RPC codes as decimal text.
	Code       string `json:"code,omitempty"`
	Reason     string `json:"reason,omitempty"`
	StopReason string `json:"stop_reason,omitempty"`
	Message    string `json:"message,omitempty"`
	TaskState  string `json:"task_state,omitempty"`
}

// New returns an object with the code and what the registry says of it: title
// and origin. Defaults for retryable and model_recoverable stay absent, which
// means the same to a consumer.
func New(code, detail string) Object {
	e, _ := registry.Lookup(code)
	return Object{Title: e.Title, Detail: detail, Code: code, Origin: e.Origin}
}

// IsRetryable returns the member retryable, else the registry's default for
// the code (draft 4.3). Private and unknown codes have no default: known is false.
func (o *Object) IsRetryable() (value, known bool) {
	if o.Retryable != nil {
		return *o.Retryable, true
	}
	e, ok := registry.Lookup(o.Code)
	return e.Retryable, ok
}

// IsModelRecoverable is IsRetryable for the member model_recoverable (draft 4.4).
func (o *Object) IsModelRecoverable() (value, known bool) {
	if o.ModelRecoverable != nil {
		return *o.ModelRecoverable, true
	}
	e, ok := registry.Lookup(o.Code)
	return e.ModelRecoverable, ok
}

// EffectiveOrigin returns the member origin, else the registry's origin of the
// code, else "".
func (o *Object) EffectiveOrigin() registry.Origin {
	if o.Origin != "" {
		return o.Origin
	}
	e, _ := registry.Lookup(o.Code)
	return e.Origin
}
