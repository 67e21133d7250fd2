package signal

import (
	"math/bits"
	"strings"

	"github.com/harnesserr/harnesserr/registry"
)

// The ranks of evidence: the more specific beats the more general, whatever its place on the record.
const (
	rankStatus      = 10 // the status alone
	rankSuccess     = 12 // a status that says "ok" under an ERROR without any other evidence
	rankWeak        = 30 // generic classes and codes, catch-alls
	rankWordMessage = 38 // general phrases in a text
	rankWord        = 45 // a telling word in the name of an unlisted class
	rankStop        = 50
	rankGRPC        = 54
	rankHTTP        = 55
	rankInner       = 62 // a class inside a text or a stack trace
	rankClass       = 65
	rankBody        = 68 // a provider's code in an error body
	rankMessage     = 70
	rankState       = 75
	rankProtocol    = 80
	rankReason      = 85
	rankCode        = 90
	rankUser        = 100
)

// maxText is how much of one text is read; errors say what happened at their beginning.
const maxText = 8 << 10

// candidate is one reading of one piece of evidence.
type candidate struct {
	code   string // empty: control flow
	rank   int16
	kind   Kind
	weight int // how well the rule fits, among candidates of one rank
	rule   *Rule
	raw    string
}

const maxCandidates = 16

func (c *candidate) beats(o *candidate) bool {
	return c.rank > o.rank || c.rank == o.rank && c.weight > o.weight
}

// decision is the working memory of one Decide.
type decision struct {
	e      *Engine
	ev     *Evidence
	groups Group
	http   int // the status that stands on the record or in a text
	in     inner
	list   [maxCandidates]candidate
	n      int
	unwrap bool // a wrapper was met: look inside
	hard   bool // evidence that is a failure whatever the status says
	buf    [128]byte
}

// Decide reads the evidence into v and reports whether there is anything to say: a failure, or a class that is none
// (Verdict.Class.Failure tells them apart).
func (e *Engine) Decide(ev *Evidence, v *Verdict) bool {
	v.Reset()
	if len(ev.Found) > 0 && e.object(ev, v) {
		return true
	}
	d := decision{e: e, ev: ev, groups: ev.groups(), http: ev.HTTPStatus}
	d.hardEvidence()
	if !d.hard && ev.Status != StatusError {
		return false
	}
	if best := d.registered(); best == nil {
		d.softEvidence()
	}
	return d.settle(v)
}

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
	for i := len(ev.Exceptions) - 1; i >= 0; i-- {
		d.text(ev.Exceptions[i].Message)
	}
	for _, m := range ev.Messages {
		d.text(m)
	}
	for _, m := range ev.Payloads {
		d.text(m)
	}
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
		d.typed(c, rankInner, KindException)
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
	// Conditions on a message may only be judged once all texts are known, so message rules come last.
	for i := len(ev.Exceptions) - 1; i >= 0; i-- {
		d.messages(ev.Exceptions[i].Message)
	}
	for _, m := range ev.Messages {
		d.messages(m)
	}
	for _, m := range ev.Payloads {
		d.messages(m)
	}
	if d.unwrap || d.vague() {
		d.causes()
	}
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

func clip(s string) string {
	if len(s) > maxText {
		return s[:maxText]
	}
	return s
}

// text takes status, codes and classes out of a text.
func (d *decision) text(s string) {
	if s == "" {
		return
	}
	s = clip(s)
	d.in.leading(s)
	base := int32(len(d.e.messages))
	d.e.text.scan(s, func(id int32, _, end int) {
		if id >= base {
			d.in.read(triggers[id-base].what, s, end)
		}
	})
}

// messages tries the message rules on a text.
func (d *decision) messages(s string) {
	if s == "" {
		return
	}
	s = clip(s)
	base := int32(len(d.e.messages))
	d.e.text.scan(s, func(id int32, start, end int) {
		if id >= base {
			return
		}
		r := d.e.messages[id]
		if !r.matchText(s, start, end) {
			return
		}
		if fit := d.score(r, typeName{}); fit >= 0 {
			d.take(r, rankMessage, KindMessage, s, fit+r.length())
		}
	})
	if len(s) < 16 {
		d.lookup(MatchMessage, strings.ToLower(strings.Trim(s, " .'\"\r\n\t")), rankMessage, KindMessage)
	}
	for i := range d.e.regexps {
		if r := &d.e.regexps[i]; r.re.MatchString(s) && r.when.holds(d) {
			d.take(r.Rule, rankMessage, KindRule, s, 1<<20-int(r.order))
		}
	}
}

// typed reads the name of a class or code.
func (d *decision) typed(s string, rank int16, kind Kind) {
	if s == "" || len(s) > 512 {
		return
	}
	if numeric(s) {
		d.number(s, rank, kind)
		return
	}
	n := parseType(s)
	if d.best(MatchType, squash(d.buf[:0], n.full), rank, kind, n) {
		return
	}
	if len(n.last) != len(n.full) && d.best(MatchType, squash(d.buf[:0], n.last), rank, kind, n) {
		return
	}
	if upperWord(n.last) && d.grpcName(n.last) {
		return
	}
	if strings.IndexByte(s, ' ') > 0 {
		d.sentence(s)
		return
	}
	d.wordIn(n.last, rank)
}

// sentence handles an error.type that is a text (SDKs that write the message there).
func (d *decision) sentence(s string) {
	if d.in.nClasses == 0 {
		d.in.leading(s)
	}
	d.messages(s)
}

// number reads a type that is a number: a JSON-RPC code, an HTTP status or a listed code.
func (d *decision) number(s string, rank int16, kind Kind) {
	if d.best(MatchType, append(d.buf[:0], s...), rank, kind, typeName{full: s, last: s}) {
		return
	}
	if status := httpStatus(s); status >= 400 {
		if d.ev.HTTPStatus == 0 {
			d.http = status
			d.httpStatus(status, KindHTTPStatus)
		}
		return
	}
	if d.ev.RPCCode == "" {
		d.rpc(s)
	}
}

// wordIn reads the name of a class that no table lists: a telling word in it.
func (d *decision) wordIn(name string, rank int16) {
	if r, length := d.telling(string(squash(d.buf[:0], name))); r != nil {
		d.take(r, min(rank, rankWord), KindException, name, length)
	}
}

// telling finds the longest telling word in a squashed name.
func (d *decision) telling(key string) (found *Rule, length int) {
	d.e.names.scan(key, func(id int32, start, end int) {
		r := d.e.words[id]
		if end-start > length && r.when.holds(d) {
			found, length = r, end-start
		}
	})
	return found, length
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
	if d.best(MatchRPC, append(d.buf[:0], code...), rankProtocol, kind, typeName{}) {
		return
	}
	d.best(MatchRPC, append(d.buf[:0], "0"...), rankProtocol, kind, typeName{}) // the rows for any other code
}

func (d *decision) state(s string) {
	kind := KindA2AState
	if d.ev.Protocol == ProtocolMCP {
		kind = KindMCPCode
	}
	d.best(MatchState, stateKey(d.buf[:0], s), rankState, kind, typeName{})
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

func (d *decision) stop(word string) {
	key := stopKey(d.buf[:0], word)
	if d.best(MatchStop, key, rankStop, KindStopReason, typeName{last: word}) || len(d.e.index[MatchStop][string(key)]) > 0 {
		return
	}
	if r, length := d.telling(string(key)); r != nil && believed(r) {
		d.take(r, rankStop, KindStopReason, word, length)
	}
}

// believed reports whether a telling word is believed in a reason that nobody listed: one that names a limit or a filter.
func believed(r *Rule) bool { return precedes(r.out.code) || r.out.code == registry.OutputMalformed }

func (d *decision) word(w *Word) {
	key := append(append(d.buf[:0], w.Key...), '=')
	if len(w.Value) < 64 {
		key = squash(key, w.Value)
		if d.best(MatchAttr, key, rankState, attrKind(w.Key), typeName{}) {
			return
		}
	}
	key = append(append(d.buf[:0], w.Key...), '=')
	d.best(MatchAttr, append(key, "any"...), rankState, attrKind(w.Key), typeName{})
}

func attrKind(key string) Kind {
	if strings.HasPrefix(key, "gen_ai.tool.") {
		return KindMCPToolError
	}
	return KindProviderCode
}

func (d *decision) toolError() {
	d.best(MatchType, append(d.buf[:0], "toolerror"...), rankState, KindMCPToolError, typeName{last: "tool_error"})
}

func (d *decision) httpStatus(status int, kind Kind) {
	b := append(d.buf[:0], byte('0'+status/100), byte('0'+status/10%10), byte('0'+status%10))
	if !d.best(MatchHTTP, b, rankHTTP, kind, typeName{}) {
		d.best(MatchHTTP, append(d.buf[:0], byte('0'+status/100), 'x', 'x'), rankHTTP, kind, typeName{})
	}
}

func (d *decision) grpc(s string) {
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		s = s[i+1:]
	}
	d.grpcName(s)
}

func (d *decision) grpcName(s string) bool {
	return d.best(MatchGRPC, squash(d.buf[:0], s), rankGRPC, KindGRPCStatus, typeName{})
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
	d.best(m, key, rank, kind, typeName{last: s})
}

// best finds the rule for a key that fits the record best and takes it as a candidate.
func (d *decision) best(m Match, key []byte, rank int16, kind Kind, n typeName) bool {
	rules := d.e.index[m][string(key)]
	var win *Rule
	score := -1
	for _, r := range rules {
		s := d.score(r, n)
		if s > score {
			win, score = r, s
		}
	}
	if win == nil {
		return false
	}
	d.take(win, rank, kind, n.last, score)
	return true
}

// score says how well a rule fits: -1 not at all. A user's own rules beat all; then the full name of a class, the home of
// the words, and how much of the record the rule's condition names.
func (d *decision) score(r *Rule, n typeName) int {
	if !r.when.holds(d) {
		return -1
	}
	s := r.when.weight() * 4
	if r.file.user {
		return s + 1<<20 - int(r.order)
	}
	switch d.foreign(r) {
	case apart:
		return -1
	case atHome:
		s += 300
	case general:
		s += 200
	}
	if r.match == MatchType && n.qualifier == "" && r.qualifier == "" {
		s += 50
	}
	if n.qualifier != "" && r.qualifier != "" {
		switch {
		case strings.EqualFold(n.qualifier, r.qualifier):
			s += 2000
		case strings.EqualFold(rootOf(n.qualifier), r.root):
			s += 1000
		default:
			s -= 100
		}
	}
	return max(s, 0)
}

// distinctive is how long a text must be to mean the same on the records of another vendor or framework.
const distinctive = 16

// relation of a rule's file to a record.
type relation uint8

const (
	abroad  relation = iota // words of another vendor
	apart                   // words of another vendor that mean nothing here
	general                 // a protocol or the general tables
	atHome
)

func (d *decision) foreign(r *Rule) relation {
	switch {
	case len(r.file.homes) == 0:
		return general
	case d.atHome(r.file.homes):
		return atHome
	case r.match == MatchMessage && r.length() < distinctive, r.file.private, r.match == MatchHTTP, r.match == MatchStop && r.value[0] >= '0' && r.value[0] <= '9':
		return apart
	}
	return abroad
}

func (d *decision) atHome(homes []string) bool {
	for _, h := range homes {
		if h == d.ev.Provider && h != "" || h == d.ev.Framework && h != "" {
			return true
		}
	}
	return false
}

func (d *decision) anyText(phrases []phrase) bool {
	for _, p := range phrases {
		for i := range d.ev.Exceptions {
			if p.in(clip(d.ev.Exceptions[i].Message)) {
				return true
			}
		}
		for _, m := range d.ev.Messages {
			if p.in(clip(m)) {
				return true
			}
		}
		for _, m := range d.ev.Payloads {
			if p.in(clip(m)) {
				return true
			}
		}
	}
	return false
}

// hasWord reports whether an attribute has one of the values; "any" stands for every value.
func (d *decision) hasWord(key string, values []string) bool {
	var buf [64]byte
	for i := range d.ev.Words {
		w := &d.ev.Words[i]
		if w.Key != key || len(w.Value) > len(buf) {
			continue
		}
		got := squash(buf[:0], w.Value)
		for _, v := range values {
			if string(got) == v || v == "any" {
				return true
			}
		}
	}
	return false
}

func (d *decision) anyType(keys []string) bool {
	var buf [96]byte
	is := func(s string) bool {
		if s == "" || len(s) > 200 {
			return false
		}
		key := squash(buf[:0], parseType(s).last)
		for _, k := range keys {
			if string(key) == k {
				return true
			}
		}
		return false
	}
	for i := range d.ev.Exceptions {
		if is(d.ev.Exceptions[i].Type) {
			return true
		}
	}
	for _, c := range d.in.classes[:d.in.nClasses] {
		if is(c) {
			return true
		}
	}
	for _, c := range d.in.codes[:d.in.nCodes] {
		if is(c) {
			return true
		}
	}
	return is(d.ev.ErrorType)
}

// conceptGeneric is the concept of classes that say nothing (RuntimeError): whatever else is known wins.
const conceptGeneric = "generic"

// take turns a rule that fits into a candidate.
func (d *decision) take(r *Rule, rank int16, kind Kind, raw string, weight int) {
	if r.out.unwrap {
		d.unwrap = true
		return
	}
	switch {
	case r.file.user:
		rank, kind = rankUser, KindRule
	case r.out.weak && r.match == MatchMessage:
		rank = rankWordMessage
	case r.out.weak, r.out.concept == conceptGeneric:
		rank = rankWeak
	case r.match == MatchHTTP && r.out.control:
		rank = rankSuccess
	}
	d.push(candidate{code: d.e.resolve(r, d.groups), rank: rank, kind: kind, weight: weight, rule: r, raw: raw})
}

func (d *decision) push(c candidate) {
	if d.n < maxCandidates {
		d.list[d.n] = c
		d.n++
	}
}

// resolve gives the code of a rule in the record's groups of operations. A concept, and a code that means something else
// inside a tool, go through the concept table; a rule that names the operation or protocol itself stands as it is.
func (e *Engine) resolve(r *Rule, groups Group) string {
	name := r.out.concept
	if name == "" {
		if r.when.groups != 0 || r.when.protocols != 0 || r.file.user || r.match.exact() {
			return r.out.code
		}
		name = r.out.code
	}
	codes, ok := e.concepts[name]
	if !ok {
		return r.out.code
	}
	for _, g := range [...]Group{GroupMCP, GroupA2A, GroupTool, GroupModel, GroupAgent, GroupRetrieval, GroupGuardrail, GroupOther} {
		if groups&g != 0 {
			if c := codes[bits.TrailingZeros8(uint8(g))]; c != "" {
				return c
			}
		}
	}
	if r.out.code != "" {
		return r.out.code
	}
	return codes[bits.TrailingZeros8(uint8(GroupOther))]
}

// settle chooses among the candidates and fills the verdict.
func (d *decision) settle(v *Verdict) bool {
	win := -1
	for i := 0; i < d.n; i++ {
		if win < 0 || d.list[i].beats(&d.list[win]) {
			win = i
		}
	}
	if win < 0 || d.list[win].rank <= rankStatus {
		return d.fallback(v)
	}
	win = d.overrule(win)
	c := &d.list[win]
	v.Evidence, v.Vague = c.kind, c.rank <= rankWeak
	if c.rule != nil {
		v.Rule = c.rule.id
		d.apply(&c.rule.out, v)
	}
	v.Code = c.code
	d.details(v)
	if c.rule != nil && v.Upstream.Reason == "" {
		v.Upstream.Reason = c.rule.out.reason
	}
	if v.Code == "" {
		return v.Class != ClassNone
	}
	for i := 0; i < d.n; i++ {
		if o := &d.list[i]; i != win && o.rank >= rankStop && !catchAll(o.code) && (o.kind != KindHTTPStatus || precedes(v.Code)) {
			v.addCause(o.code)
		}
	}
	if v.Evidence == KindA2AState && d.ev.RTA != "" {
		d.rtaCause(v)
	}
	if v.Evidence == KindLabby {
		d.ev.Labby.advise(v)
	}
	d.complete(v)
	return true
}

// rtaCause is the view of the side that asked: the task failed, and what the agent said of it is the cause, which also
// says whether asking again makes sense.
func (d *decision) rtaCause(v *Verdict) {
	for _, r := range d.e.index[MatchRTA][string(squash(d.buf[:0], d.ev.RTA))] {
		entry, _ := registry.Lookup(r.out.code)
		v.addCause(r.out.code)
		v.Upstream.Code, v.RootOrigin = d.ev.RTA, entry.Origin
		if v.Retryable = r.out.retryable; v.Retryable == Unknown {
			v.Retryable = TriOf(entry.Retryable)
		}
		return
	}
}

// overrule applies draft section 5.4: what cut the output short, filtered it or overflowed the context is the failure that
// the consumer has to act on; output that doesn't parse and requests refused for it are only its consequence. And a text
// that says why beats a bare status.
func (d *decision) overrule(win int) int {
	w := &d.list[win]
	status := w.kind == KindHTTPStatus || w.kind == KindGRPCStatus
	if !consequence(w.code) && !status {
		return win
	}
	best := win
	for i := 0; i < d.n; i++ {
		c := &d.list[i]
		switch {
		case i == win:
			continue
		case c.rank >= rankWord && precedes(c.code) && consequence(w.code):
		case status && c.rank >= rankWordMessage && d.explains(c):
		default:
			continue
		}
		if best == win || c.beats(&d.list[best]) {
			best = i
		}
	}
	return best
}

// explains reports whether a telling word says more than the status beside it.
func (d *decision) explains(c *candidate) bool {
	switch {
	case precedes(c.code), c.code == registry.UpstreamOverloaded:
		return true
	case c.code == registry.UpstreamRateLimited:
		return c.rule.out.retryable == False || d.http == 400 || d.http == 403
	case c.code == registry.UpstreamAuthenticationFailed:
		return d.http == 400
	}
	return false
}

// catchAll codes say nothing as a cause.
func catchAll(code string) bool {
	return code == "" || code == registry.HarnessInternalError || code == registry.ToolExecutionFailed
}

func precedes(code string) bool {
	switch code {
	case registry.OutputTruncated, registry.PolicyContentFiltered, registry.PolicyModelRefusal, registry.ContextWindowExceeded:
		return true
	}
	return false
}

func consequence(code string) bool {
	switch code {
	case registry.OutputMalformed, registry.OutputSchemaViolation, registry.OutputInvalidToolArguments, registry.OutputEmpty,
		registry.UpstreamInvalidRequest, registry.UpstreamInvalidResponse, registry.HarnessInternalError:
		return true
	}
	return false
}

// apply copies what a row says beside its code.
func (d *decision) apply(o *outcome, v *Verdict) {
	v.Retryable, v.ModelRecoverable = o.retryable, o.modelRecoverable
	v.Class, v.Origin, v.Action, v.SideEffects = o.class, o.origin, o.action, o.sideEffects
}

// details keeps the raw vendor detail (draft section 4.11).
func (d *decision) details(v *Verdict) {
	ev := d.ev
	v.Upstream = Upstream{Provider: ev.Provider, Status: d.http, Code: ev.RPCCode, Reason: ev.Reason}
	switch ev.Protocol {
	case ProtocolMCP:
		v.Upstream.Provider = "mcp"
	case ProtocolA2A:
		v.Upstream.Provider = "a2a"
		if v.Upstream.Reason == "" && len(d.e.index[MatchReason][string(squash(d.buf[:0], d.in.reason))]) > 0 {
			v.Upstream.Reason = d.in.reason
		}
	}
	var coded *candidate // the vendor's most telling code
	for i := 0; i < d.n; i++ {
		c := &d.list[i]
		v.Repeats = v.Repeats || c.rule != nil && c.rule.out.repeats
		switch {
		case c.kind == KindStopReason && v.Upstream.StopReason == "":
			v.Upstream.StopReason = c.raw
		case c.kind == KindProviderCode && ev.RPCCode == "" && c.code != "" && (coded == nil || c.beats(coded)):
			v.Upstream.Code, coded = c.raw, c
		case c.kind == KindA2AState && c.rule != nil:
			v.Upstream.TaskState = canonicalState(c.rule.value)
		}
	}
}

// canonicalState spells a task state as A2A 0.3 does, with underscores.
func canonicalState(s string) string {
	switch s {
	case "input-required":
		return "input_required"
	case "auth-required":
		return "auth_required"
	}
	return s
}

// complete fills in what the code implies.
func (d *decision) complete(v *Verdict) {
	if entry, ok := registry.Lookup(v.Code); ok {
		if v.Origin == "" {
			v.Origin = entry.Origin
		}
		if v.Retryable == Unknown {
			v.Retryable = TriOf(entry.Retryable)
		}
		if v.ModelRecoverable == Unknown {
			v.ModelRecoverable = TriOf(entry.ModelRecoverable)
		}
	}
	if v.Class == ClassNone {
		v.Class = classOf(v.Evidence, v.Code, d.groups)
	}
	v.RPCTask = v.Evidence == KindA2AState
	v.Action = d.e.action(v)
}

// classOf is the class of a failure by the kind of its evidence, then by its code.
func classOf(kind Kind, code string, groups Group) Class {
	class := classOfCode(code, groups)
	switch kind {
	case KindA2AReason, KindA2ACode, KindMCPCode:
		if class == ClassTask {
			return ClassProtocol
		}
	}
	return class
}

// fallback names a failure that nothing explains, so that codes stay a closed set and the gap is visible.
func (d *decision) fallback(v *Verdict) bool {
	if d.ev.Status != StatusError && !d.hard {
		return false
	}
	v.Code = registry.HarnessInternalError
	if d.groups&(GroupTool|GroupMCP) != 0 {
		v.Code = registry.ToolExecutionFailed
	}
	v.Evidence, v.Vague = KindFallback, true
	d.details(v)
	d.complete(v)
	return true
}
