package redact

// Kind says what a string is.
type Kind uint8

const (
	// Text is an error message. Removed: invalid UTF-8, escape sequences and invisible characters, credentials, home
	// directories, PII when configured; what is longer than the bound is cut.
	Text Kind = iota
	// Feedback is text that another party wrote and a model may read. Injection markers and links are neutralised too.
	Feedback
	// Name is one line, such as a span name: line breaks and tabs become spaces.
	Name
	// StackTrace is a Text with four times the bound: the message it ends with is worth keeping.
	StackTrace
	// Payload is a prompt, a completion or the arguments of a tool: a Text without a bound.
	Payload
	numKinds
)

// String returns the lower-case name.
func (k Kind) String() string {
	switch k {
	case Feedback:
		return "feedback"
	case Name:
		return "name"
	case StackTrace:
		return "stacktrace"
	case Payload:
		return "payload"
	default:
		return "text"
	}
}

// ParseKind returns the kind with that name; ok is false when there is none.
func ParseKind(name string) (k Kind, ok bool) {
	for k := range numKinds {
		if k.String() == name {
			return k, true
		}
	}
	return Text, false
}

// bound is the length limit of a kind in bytes, 0 for none.
func (k Kind) bound(maxLength int) int {
	switch k {
	case StackTrace:
		return 4 * maxLength
	case Payload:
		return 0
	default:
		return maxLength
	}
}
