package signal

import (
	"fmt"
	"strings"

	"github.com/harnesserr/harnesserr/registry"
)

// Match is the field of evidence that a rule looks at.
type Match uint8

// The fields, as the first column of a table names them.
const (
	MatchType    Match = iota // type: error.type, exception class, provider code
	MatchWord                 // word: a piece of the squashed name of a type nobody listed
	MatchMessage              // message: a piece of a text
	MatchStop                 // stop: finish or stop reason
	MatchHTTP                 // http: HTTP status
	MatchGRPC                 // grpc: gRPC status name
	MatchRPC                  // rpc: JSON-RPC code
	MatchReason               // reason: google.rpc.ErrorInfo reason
	MatchState                // state: task state
	MatchKind                 // kind: labby kind
	MatchRTA                  // rta: RTA error code
	MatchEvent                // event: event name of a log record
	MatchAttr                 // attr.KEY: value of an attribute
	numMatches
)

var matchNames = [numMatches]string{
	MatchType: "type", MatchWord: "word", MatchMessage: "message", MatchStop: "stop", MatchHTTP: "http", MatchGRPC: "grpc",
	MatchRPC: "rpc", MatchReason: "reason", MatchState: "state", MatchKind: "kind", MatchRTA: "rta", MatchEvent: "event",
	MatchAttr: "attr.",
}

// exact reports whether the field belongs to a protocol or source that says what it means in any operation.
func (m Match) exact() bool {
	switch m {
	case MatchRPC, MatchReason, MatchState, MatchKind, MatchRTA, MatchEvent:
		return true
	}
	return false
}

// Rule is one row of a table, compiled.
type Rule struct {
	when *condition // nil for none
	out  *outcome   // shared by the rows of a file that say the same
	file *table
	id   string // file:line, or the place in a configuration
	// key is the attribute of attr rules.
	key, value string
	// qualifier and root of a type's value; root is "" for a bare name.
	qualifier, root string
	// anchor says where in a text a message must stand; rest are the fragments after the first `*`.
	rest   []string
	order  int32
	match  Match
	anchor anchor
}

// ID names the row that a verdict came from: "openai.tsv:12".
func (r *Rule) ID() string { return r.id }

type anchor uint8

const (
	anywhere anchor = iota
	atStart
	whole
)

// outcome is what a rule says happened.
type outcome struct {
	// code is a registry or private code; concept names a row set of the concept table instead. Neither: no failure.
	code, concept string
	// codes are what the concept table makes of either, nil for nothing.
	codes *[8]string
	// unwrap says that the real failure is inside the text.
	unwrap bool
	// control says that this is control flow: no failure whatever the status says.
	control                     bool
	retryable, modelRecoverable Tri
	class                       Class
	origin                      registry.Origin
	action                      Action
	weak                        bool
	sideEffects                 string
	// reason is the ErrorInfo reason that the evidence stands for, where it has none itself.
	reason string
	// repeats: the record repeats a failure that another record reports.
	repeats bool
	// exact: the name of a type counts with its package only.
	exact bool
}

// condition is the `when` column: all parts that are set must hold.
type condition struct {
	groups    Group
	protocols uint8 // bit per Protocol
	roles     uint8 // bit per Role
	statuses  uint8 // bit per Status
	homes     []string
	messages  []phrase // any of them
	without   []phrase // none of them
	http      []int
	types     []string // squashed; any of the record's types
	methods   []string
	attrs     []attrCondition
}

// phrase is a text in lower case, cut where a `*` stood: the pieces must follow each other.
type phrase struct {
	parts []string
	// id is the number under which the scanner of texts knows the phrase; 0 is none.
	id int32
}

// maxPhrases is how many phrases of conditions the scanner looks for; others are looked for one by one.
const maxPhrases = 1024

func phraseOf(s string) phrase {
	parts := strings.Split(strings.ToLower(s), "*")
	if len(parts) > 1 {
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
	}
	return phrase{parts: parts}
}

// in reports whether the phrase stands in a text, ignoring ASCII case.
func (p phrase) in(text string) bool {
	for _, part := range p.parts {
		i := indexFold(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return true
}

// attrCondition asks for the value of an attribute, or for its absence.
type attrCondition struct {
	key    string
	values []string // squashed; any of them
	not    bool
}

// String tells conditions apart.
func (c *condition) String() string {
	if c == nil {
		return ""
	}
	type plain condition
	return fmt.Sprint(plain(*c))
}

// particular reports whether the condition names the operation or protocol.
func (c *condition) particular() bool { return c != nil && (c.groups != 0 || c.protocols != 0) }

// weight is how specific a condition is: a rule with more of it wins over the same value with less.
func (c *condition) weight() int {
	if c == nil {
		return 0
	}
	w := 0
	if c.groups != 0 {
		w += 2
	}
	if c.protocols != 0 {
		w += 2
	}
	if c.roles != 0 || c.statuses != 0 {
		w++
	}
	if len(c.homes) > 0 {
		w += 4
	}
	if len(c.messages) > 0 {
		w += 6
	}
	if len(c.without) > 0 {
		w++
	}
	if len(c.http) > 0 {
		w += 3
	}
	if len(c.types) > 0 {
		w += 4
	}
	if len(c.methods) > 0 {
		w += 3
	}
	return w + 4*len(c.attrs)
}

// holds reports whether the record that d decides fulfils the condition.
func (c *condition) holds(d *decision) bool {
	if c == nil {
		return true
	}
	ev := d.ev
	switch {
	case c.groups != 0 && c.groups&d.groups == 0,
		c.protocols != 0 && c.protocols&(1<<ev.Protocol) == 0,
		c.roles != 0 && c.roles&(1<<ev.Role) == 0,
		c.statuses != 0 && c.statuses&(1<<ev.Status) == 0:
		return false
	case len(c.homes) > 0 && !d.atHome(c.homes),
		len(c.messages) > 0 && !d.anyText(c.messages),
		len(c.without) > 0 && d.anyText(c.without),
		len(c.http) > 0 && !containsInt(c.http, d.http),
		len(c.types) > 0 && !d.anyType(c.types),
		len(c.methods) > 0 && !containsString(c.methods, ev.Method):
		return false
	}
	for i := range c.attrs {
		if a := &c.attrs[i]; d.hasWord(a.key, a.values) == a.not {
			return false
		}
	}
	return true
}

func containsInt(list []int, v int) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

func containsString(list []string, v string) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// matchText reports whether a message rule, whose first fragment stands at [start,end) of text, matches all of it.
func (r *Rule) matchText(text string, start, end int) bool {
	switch r.anchor {
	case atStart:
		if strings.TrimSpace(text[:start]) != "" {
			return false
		}
	case whole:
		if strings.Trim(text[:start], " \t\r\n'\"") != "" || strings.Trim(text[end:], " \t\r\n.'\"") != "" {
			return false
		}
	}
	for _, f := range r.rest {
		i := indexFold(text[end:], f)
		if i < 0 {
			return false
		}
		end += i + len(f)
	}
	return true
}

// length is how much text a message rule fixes.
func (r *Rule) length() int {
	n := len(r.value)
	for _, f := range r.rest {
		n += len(f)
	}
	return n
}
