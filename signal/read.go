package signal

import (
	"strings"

	"github.com/harnesserr/harnesserr/registry"
)

// BenignStop reports whether a finish reason, in any encoding, can't be a failure at any vendor: the cheap first look at
// healthy telemetry.
func (e *Engine) BenignStop(raw string) bool {
	var buf [64]byte
	benign := true
	eachStop(raw, func(word string) bool {
		if len(word) > len(buf) {
			return true
		}
		key := stopKey(buf[:0], word)
		rules := e.index[MatchStop][string(key)]
		for _, r := range rules {
			benign = benign && r.out.control
		}
		if len(rules) == 0 { // a word that nobody listed: does it name a limit or a filter?
			e.names.scan(string(key), func(id int32, _, _ int) { benign = benign && !believed(e.words[id]) })
		}
		return benign
	})
	return benign
}

// registered handles error.type that is a code already: the second pass over a record changes nothing.
func (d *decision) registered() *candidate {
	t := d.ev.ErrorType
	if t == "" || !registry.Valid(t) {
		return nil
	}
	if !registry.IsPrivate(t) && !registry.KnownCategory(registry.Category(t)) {
		return nil
	}
	d.hard = true
	d.push(candidate{code: t, rank: rankCode, kind: KindCode, raw: t})
	return &d.list[d.n-1]
}

// hardEvidence gathers the facts that stand for a failure whatever the status of the record is.
func (d *decision) hardEvidence() {
	ev := d.ev
	if ev.ErrorType != "" && !benignType(ev.ErrorType) {
		d.hard = true
	}
	if ev.Reason != "" {
		d.lookup(MatchReason, ev.Reason, rankReason, KindA2AReason)
	}
	if ev.RPCCode != "" {
		d.rpc(ev.RPCCode)
	}
	if ev.TaskState != "" {
		d.state(ev.TaskState)
	}
	for i := range ev.Words {
		d.word(&ev.Words[i])
	}
	if ev.Event != "" {
		d.lookup(MatchEvent, ev.Event, rankState, KindProviderCode)
	}
	if ev.ToolError {
		d.toolError()
	}
	if ev.Labby.Kind != "" {
		d.labby()
	}
	if ev.RTA != "" && ev.TaskState == "" {
		d.lookup(MatchRTA, ev.RTA, rankState, KindRTA)
	}
	for _, raw := range ev.Stops {
		eachStop(raw, func(w string) bool {
			d.stop(w)
			return true
		})
	}
	if ev.HTTPStatus != 0 {
		d.httpStatus(ev.HTTPStatus, KindHTTPStatus)
	}
	if ev.GRPCStatus != "" {
		d.grpc(ev.GRPCStatus)
	}
	for i := 0; i < d.n; i++ {
		if d.list[i].code != "" && d.list[i].rank > rankSuccess || d.list[i].rule.out.class != ClassNone {
			d.hard = true
		}
	}
}

// benignType are values of error.type that instrumentations write for success.
func benignType(t string) bool {
	switch t {
	case "none", "false", "None", "null", "ok", "OK", "success":
		return true
	}
	return false
}

// softEvidence reads names and texts, which mean a failure only on a record that failed.
func (d *decision) softEvidence() {
	ev := d.ev
	d.readTexts()
	if d.http == 0 {
		d.http = d.in.status
	}
	if ev.ErrorType != "" && !benignType(ev.ErrorType) {
		d.typed(ev.ErrorType, rankClass, KindException)
	}
	for i := len(ev.Exceptions) - 1; i >= 0; i-- {
		d.typed(ev.Exceptions[i].Type, rankClass, KindException)
	}
	for _, c := range d.in.codes[:d.in.nCodes] {
		d.typed(c, rankBody, KindProviderCode)
	}
	for _, c := range d.in.classes[:d.in.nClasses] {
		if !d.recorded(c) {
			d.typed(c, rankInner, KindException)
		}
	}
	if d.in.reason != "" {
		if ev.Protocol == ProtocolA2A {
			d.lookup(MatchReason, d.in.reason, rankReason, KindA2AReason)
		}
		d.typed(d.in.reason, rankBody, KindProviderCode)
	}
	if d.in.status != 0 && ev.HTTPStatus == 0 {
		d.httpStatus(d.in.status, KindHTTPStatus)
	}
	if d.in.grpc != "" && ev.GRPCStatus == "" {
		d.grpc(d.in.grpc)
	}
	if code := d.rpcInText(); code != "" {
		d.rpc(code)
	}
	// Conditions on a message may only be judged once all texts are known, so message rules come last.
	d.fired()
	d.eachText(d.messages)
	if d.unwrap || d.vague() {
		d.causes()
	}
}

// recorded reports whether a class in a text is one that the record names as its type, and so has been read.
func (d *decision) recorded(class string) bool {
	if class == d.ev.ErrorType {
		return true
	}
	for i := range d.ev.Exceptions {
		if class == d.ev.Exceptions[i].Type {
			return true
		}
	}
	return false
}

// vague reports whether all that is known so far is general.
func (d *decision) vague() bool {
	for i := 0; i < d.n; i++ {
		if d.list[i].rank > rankWeak {
			return false
		}
	}
	return true
}

// causes reads the failures behind an exception that says nothing itself, out of its stack trace.
func (d *decision) causes() {
	known := d.in.nClasses
	for i := range d.ev.Exceptions {
		d.in.stackCause(d.ev.Exceptions[i].Stack)
	}
	for _, c := range d.in.classes[known:d.in.nClasses] {
		d.typed(c, rankInner, KindException)
	}
	if d.in.status != 0 && d.http == 0 {
		d.http = d.in.status
		d.httpStatus(d.in.status, KindHTTPStatus)
	}
}

// rpcInText is the code that an SDK of MCP put into the text alone. The text of a tool's result is the tool's, whatever it
// quotes.
func (d *decision) rpcInText() string {
	if d.ev.RPCCode != "" || d.ev.Protocol != ProtocolMCP || d.ev.ToolError {
		return ""
	}
	return d.in.rpc
}

func (d *decision) rpc(code string) {
	kind := KindProviderCode
	switch d.ev.Protocol {
	case ProtocolMCP:
		kind = KindMCPCode
	case ProtocolA2A:
		kind = KindA2ACode
	default:
		return // the number alone says nothing
	}
	if d.best(MatchRPC, append(d.buf[:0], code...), rankProtocol, kind, &typeName{}) {
		return
	}
	d.best(MatchRPC, append(d.buf[:0], "0"...), rankProtocol, kind, &typeName{}) // the rows for any other code
}

func (d *decision) state(s string) {
	kind := KindA2AState
	if d.ev.Protocol == ProtocolMCP {
		kind = KindMCPCode
	}
	d.best(MatchState, stateKey(d.buf[:0], s), rankState, kind, &typeName{})
}

// stateKey appends the normal form of a task state.
func stateKey(dst []byte, s string) []byte {
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		s = s[i+1:]
	}
	start := len(dst)
	dst = squash(dst, s)
	const prefix = "taskstate"
	if rest := dst[start:]; len(rest) > len(prefix) && string(rest[:len(prefix)]) == prefix {
		dst = append(dst[:start], rest[len(prefix):]...)
	}
	if string(dst[start:]) == "cancelled" {
		dst = append(dst[:start], "canceled"...)
	}
	return dst
}

func (d *decision) word(w *Word) {
	key := append(append(d.buf[:0], w.Key...), '=')
	if len(w.Value) < 64 {
		key = squash(key, w.Value)
		if d.best(MatchAttr, key, rankState, attrKind(w.Key), &typeName{}) {
			return
		}
	}
	key = append(append(d.buf[:0], w.Key...), '=')
	d.best(MatchAttr, append(key, "any"...), rankState, attrKind(w.Key), &typeName{})
}

func attrKind(key string) Kind {
	if strings.HasPrefix(key, "gen_ai.tool.") {
		return KindMCPToolError
	}
	return KindProviderCode
}

func (d *decision) toolError() {
	d.best(MatchType, append(d.buf[:0], "toolerror"...), rankState, KindMCPToolError, &typeName{last: "tool_error"})
}

func (d *decision) httpStatus(status int, kind Kind) {
	if status < 100 || status >= len(d.e.http) {
		return
	}
	if !d.bestOf(d.e.http[status], rankHTTP, kind, &typeName{}) {
		d.bestOf(d.e.http[status/100], rankHTTP, kind, &typeName{})
	}
}

func (d *decision) grpc(s string) {
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		s = s[i+1:]
	}
	d.grpcName(s)
}

func (d *decision) grpcName(s string) bool {
	return d.best(MatchGRPC, squash(d.buf[:0], s), rankGRPC, KindGRPCStatus, &typeName{})
}

func (d *decision) lookup(m Match, s string, rank int16, kind Kind) {
	key := d.buf[:0]
	if m == MatchEvent || m == MatchMessage {
		if len(s) > len(d.buf) {
			return
		}
		key = append(key, s...)
	} else {
		key = squash(key, s)
	}
	d.best(m, key, rank, kind, &typeName{last: s})
}
