package signal

import (
	"hash/maphash"

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

// hit is a message rule's text that stands in a text of the record.
type hit struct {
	find
	text string
}

const maxHits = 16

func (c *candidate) beats(o *candidate) bool {
	return c.rank > o.rank || c.rank == o.rank && c.weight > o.weight
}

// decision is the working memory of one Decide.
type decision struct {
	*Decider
	ev     *Evidence
	groups Group
	home   fileSet // the files of the record's provider and framework
	http   int     // the status that stands on the record or in a text
	in     inner
	list   [maxCandidates]candidate
	n      int
	unwrap bool // a wrapper was met: look inside
	hard   bool // evidence that is a failure whatever the status says
	// hits are the message rules that the texts fired; overflow says that there were more.
	hits     [maxHits]hit
	nHits    int
	overflow bool
	read     bool                    // the texts were read
	phrases  [maxPhrases / 64]uint64 // of conditions, that stand in a text; a bit each
	buf      [128]byte
}

// Decider decides one record after the other by the tables of an [Engine]. It remembers words that it met, and is not safe
// for concurrent use.
type Decider struct {
	e     *Engine
	seed  maphash.Seed
	homes recall[fileSet]
	stops recall[stopWord]
	names recall[named]
	codes recall[fact]
	texts recall[[]find]
	found []find // in the text at hand
}

// NewDecider returns a Decider that has met nothing yet.
func (e *Engine) NewDecider() *Decider { return &Decider{e: e, seed: maphash.MakeSeed()} }

// Decide reads the evidence into v and reports whether there is anything to say: a failure, or a class that is none
// (Verdict.Class.Failure tells them apart).
func (dc *Decider) Decide(ev *Evidence, v *Verdict) bool {
	v.Reset()
	if len(ev.Found) > 0 && dc.object(ev, v) {
		return true
	}
	d := decision{Decider: dc, ev: ev, groups: ev.groups(), http: ev.HTTPStatus}
	d.settleHome()
	d.hardEvidence()
	if !d.hard && ev.Status != StatusError {
		return false
	}
	if best := d.registered(); best == nil {
		d.softEvidence()
	}
	return d.settle(v)
}

// settleHome finds the files of rules that speak of the record's own provider and framework.
func (d *decision) settleHome() {
	for _, home := range [...]string{d.ev.Provider, d.ev.Framework} {
		if home == "" {
			continue
		}
		files := d.homes.get(d.seed, home, d.e.home)
		for i := range files {
			d.home[i] |= files[i]
		}
	}
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
		d.apply(c.rule.out, v)
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
	if code := d.rpcInText(); code != "" {
		v.Upstream.Code = code
	}
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
	fromProtocol := v.Upstream.Code != ""
	for i := 0; i < d.n; i++ {
		c := &d.list[i]
		v.Repeats = v.Repeats || c.rule != nil && c.rule.out.repeats
		switch {
		case c.kind == KindStopReason && v.Upstream.StopReason == "":
			v.Upstream.StopReason = c.raw
		case c.kind == KindProviderCode && !fromProtocol && c.code != "" && (coded == nil || c.beats(coded)):
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
	f := d.codes.get(d.seed, v.Code, d.e.fact)
	if v.Origin == "" {
		v.Origin = f.origin
	}
	if v.Retryable == Unknown {
		v.Retryable = f.retryable
	}
	if v.ModelRecoverable == Unknown {
		v.ModelRecoverable = f.modelRecoverable
	}
	if v.Class == ClassNone {
		v.Class = classOf(v.Evidence, v.Code, d.groups)
	}
	v.RPCTask = v.Evidence == KindA2AState
	v.Action = d.action(v)
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
