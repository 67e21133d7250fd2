package signal

import "strings"

// Texts of failures have regular shapes: an HTTP status after fixed words, the members of an error body in JSON or in the
// repr of a dictionary, a class name in front of a colon. trigger names what stands behind a fixed piece of text.
type trigger uint8

const (
	triggerStatus trigger = iota // an HTTP status follows
	triggerMember                // a member of an error body follows: a code, a type or a status
	triggerParen                 // a code follows up to the closing parenthesis
	triggerGRPC                  // a gRPC status name follows
	triggerCause                 // the text of the real failure follows
	triggerReason                // the reason of an ErrorInfo follows
	triggerRPC                   // the code of a JSON-RPC error follows
)

// triggers are looked for in the same pass as the messages of the rules.
var triggers = []struct {
	text string
	what trigger
}{
	{"error code", triggerStatus}, {"status code", triggerStatus}, {"status_code", triggerStatus}, {"statuscode", triggerStatus},
	{"status: ", triggerStatus}, {"status=", triggerStatus}, {"status ", triggerStatus}, {"http ", triggerStatus}, {"http error ", triggerStatus},
	{"http/1.1 ", triggerStatus}, {"http_status", triggerStatus}, {"httpstatus", triggerStatus}, {"error ", triggerStatus},
	{"code: ", triggerMember}, {"code=", triggerMember}, {"code:", triggerMember}, {"client error '", triggerStatus}, {"server error '", triggerStatus}, {"returned ", triggerStatus},
	{"code':", triggerMember}, {`code":`, triggerMember}, {`code\":`, triggerMember}, {"type':", triggerMember}, {`type":`, triggerMember},
	{`type\":`, triggerMember}, {"status':", triggerMember}, {`status":`, triggerMember}, {`error":`, triggerMember}, {"error':", triggerMember},
	{"error_code", triggerMember}, {"error type: ", triggerMember},
	{"reason':", triggerReason}, {`reason":`, triggerReason}, {`reason\":`, triggerReason},
	{"error occurred (", triggerParen},
	{"statuscode.", triggerGRPC}, {"code = ", triggerGRPC}, {"mcp error", triggerRPC},
	{"last error: ", triggerCause}, {"last error was: ", triggerCause}, {"last exception: ", triggerCause}, {"<last_exception>", triggerCause},
	{"caused by: ", triggerCause}, {"caused by ", triggerCause}, {"raised ", triggerCause}, {"original error: ", triggerCause},
	{"underlying error: ", triggerCause}, {"inner exception: ", triggerCause}, {"original exception: ", triggerCause}, {"--> ", triggerCause},
}

// maxNames bounds the codes and classes taken out of the texts of one record.
const maxNames = 12

// inner is what the texts of a record say beyond the messages that rules name.
type inner struct {
	status int
	reason string
	// codes stand in error bodies, classes in front of a colon or behind "caused by".
	codes, classes   [maxNames]string
	nCodes, nClasses int
	grpc, rpc        string
}

func (in *inner) addCode(s string) {
	if in.nCodes < maxNames && len(s) > 2 {
		in.codes[in.nCodes] = s
		in.nCodes++
	}
}

func (in *inner) addClass(s string) {
	if in.nClasses < maxNames && len(s) > 2 {
		in.classes[in.nClasses] = s
		in.nClasses++
	}
}

// read takes what stands behind a trigger that ends at end.
func (in *inner) read(what trigger, text string, end int) {
	rest := text[end:]
	switch what {
	case triggerStatus:
		if s := statusAt(rest); s != 0 && in.status == 0 {
			in.status = s
			in.bracketed(rest)
		}
	case triggerMember:
		in.member(tokenAt(rest))
	case triggerReason:
		if t := tokenAt(rest); t != "" && in.reason == "" {
			in.reason = t
		} else if t != "" {
			in.addCode(t)
		}
	case triggerParen:
		if i := strings.IndexByte(rest, ')'); i > 0 && i < 80 {
			in.addCode(rest[:i])
		}
	case triggerGRPC:
		if t := tokenAt(rest); t != "" && in.grpc == "" {
			in.grpc = t
		}
	case triggerRPC:
		if t := tokenAt(rest); in.rpc == "" && numeric(t) && t[0] == '-' {
			in.rpc = t
		}
	case triggerCause:
		in.leading(rest)
	}
}

// bracketed reads the code in brackets that some clients put behind the status: `HTTP 429 (RateLimitReached)`.
func (in *inner) bracketed(s string) {
	open := strings.IndexByte(s, '(')
	if open < 0 || open > 16 {
		return
	}
	end := strings.IndexByte(s[open:], ')')
	if end < 0 || end > 80 {
		return
	}
	for _, part := range strings.Split(s[open+1:open+end], ":") {
		in.addCode(tokenAt(part))
	}
}

// member sorts the value of a body's member: a number is a status if it can be one, a word is a code.
func (in *inner) member(token string) {
	if numeric(token) {
		if s := httpStatus(token); s >= 400 && in.status == 0 {
			in.status = s
			return
		}
	}
	in.addCode(token)
}

// statusAt reads a status of 400 or more that begins within the next few bytes, behind punctuation only.
func statusAt(s string) int {
	i := 0
	for i < len(s) && i < 12 && strings.IndexByte(" :=\"'([<\\{", s[i]) >= 0 {
		i++
	}
	if i+3 > len(s) || (i+3 < len(s) && isWordByte(s[i+3])) {
		return 0
	}
	if n := httpStatus(s[i : i+3]); n >= 400 {
		return n
	}
	return 0
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// tokenAt reads the word at the start of s, behind spaces and quotation marks.
func tokenAt(s string) string {
	i := 0
	for i < len(s) && i < 8 && strings.IndexByte(" :=\"'\\", s[i]) >= 0 {
		i++
	}
	j := i
	for j < len(s) && j-i < 80 && (isWordByte(s[j]) || s[j] == '.' || s[j] == '-' || s[j] == '#' || s[j] == '/') {
		j++
	}
	return strings.TrimRight(s[i:j], ".-/#")
}

// The bytes that may stand before a class or status at the beginning of a text, and behind the status.
var opening, closing = setOf(" \t\r\n'\"(["), setOf(" )]:-")

func setOf(chars string) (set [256]bool) {
	for i := range len(chars) {
		set[chars[i]] = true
	}
	return set
}

// skip cuts the bytes of the set off the beginning of s.
func skip(s string, set *[256]bool) string {
	for s != "" && set[s[0]] {
		s = s[1:]
	}
	return s
}

// leading reads what a text begins with: class names in front of colons (`a.B: C: text`), a repr (`B('text')`), a status
// (`429 text`, `(401) text`), a gRPC status name.
func (in *inner) leading(text string) {
	for depth := 0; depth < 5; depth++ {
		text = skip(text, &opening)
		if s := statusAt(text); s != 0 {
			if in.status == 0 {
				in.status = s
			}
			text = skip(text[3:], &closing)
			if t := tokenAt(text); upperWord(t) && in.grpc == "" {
				in.grpc = t
			}
			return
		}
		if t := numberedStatus(text); t != "" {
			if in.grpc == "" {
				in.grpc = t
			}
			return
		}
		name, rest, ok := leadingName(text)
		if !ok {
			return
		}
		in.addClass(name)
		text = rest
	}
}

// numberedStatus reads the gRPC status that grpc-js writes in front of a text: `14 UNAVAILABLE: text`.
func numberedStatus(text string) string {
	number, rest, ok := strings.Cut(text, " ")
	if !ok || len(number) > 2 || !numeric(number) {
		return ""
	}
	if name, _, ok := strings.Cut(rest, ":"); ok && upperWord(name) {
		return name
	}
	return ""
}

// leadingName cuts `Name: rest`, `Name(rest` and `Name - rest`, where Name could be a class or a code.
func leadingName(text string) (name, rest string, ok bool) {
	i := 0
	for i < len(text) && i < 160 && (isWordByte(text[i]) || strings.IndexByte(".$*/", text[i]) >= 0) {
		i++
	}
	if i < 4 || i >= len(text) {
		return "", "", i >= 4 && i == len(text) && classLike(text[:i])
	}
	name, rest = text[:i], text[i:]
	switch {
	case strings.HasPrefix(rest, ": "), strings.HasPrefix(rest, ":\n"), rest == ":":
		return name, rest[1:], classLike(name) || upperWord(name)
	case rest[0] == '(':
		return name, rest[1:], classLike(name)
	case strings.HasPrefix(rest, " - "):
		return name, rest[3:], classLike(name)
	case vague(name):
	case rest[0] == '>', rest[0] == ' ', rest[0] == ',', rest[0] == ')', rest[0] == '\n':
		return name, "", classLike(name)
	}
	return "", "", false
}

// classLike reports whether a name looks like that of an error class.
func classLike(name string) bool {
	for _, suffix := range [...]string{"Error", "Exception", "Exceeded", "Timeout", "Interrupt", "Failure", "Triggered", "Group",
		"Refused", "Denied", "Cancelled", "Canceled", "Filtered", "Expired", "Fault", "errorString", "wrapError"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

// upperWord reports whether s is a constant's name, as gRPC statuses and many provider codes are.
func upperWord(s string) bool {
	if len(s) < 4 {
		return false
	}
	letters := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'A' <= c && c <= 'Z':
			letters++
		case c == '_' || '0' <= c && c <= '9':
		default:
			return false
		}
	}
	return letters >= 4
}

// stackCause reads the innermost failure of a stack trace: the last "Caused by" (Java, .NET's arrow), or the end of the
// first block of a Python chain.
func (in *inner) stackCause(stack string) {
	if i := strings.LastIndex(stack, "Caused by: "); i >= 0 {
		in.leading(stack[i+len("Caused by: "):])
		return
	}
	if i := strings.LastIndex(stack, "---> "); i >= 0 {
		in.leading(stack[i+len("---> "):])
		return
	}
	for _, mark := range [...]string{"\nThe above exception was the direct cause", "\n    +---"} {
		if i := strings.Index(stack, mark); i > 0 {
			block := strings.TrimRight(stack[:i], " \t\r\n|")
			line := strings.TrimLeft(block[strings.LastIndexByte(block, '\n')+1:], " |+-")
			if class, rest, ok := leadingName(line); ok {
				in.addClass(class)
				in.leading(rest)
			}
			return
		}
	}
}
