// Package causality tells which of the failing spans of a batch are one failure, so that it is counted once.
//
// The deepest failing span owns a failure; ancestors that failed for it are propagated. The CLIENT and SERVER halves of
// one exchange are one operation: the SERVER half is a mirror. A failed attempt that was tried again with success under a
// parent that succeeded is handled. All of it is linear in the number of spans of the traces that hold a failure.
package causality

import "strings"

// Role is the side of an exchange over a protocol that a span was made on. A span that is both, or neither, is Internal.
type Role uint8

// The roles.
const (
	Internal Role = iota
	Client
	Server
)

// Span is one span of the batch, failing or not.
type Span struct {
	Trace      [16]byte
	ID, Parent [8]byte
	Start, End uint64
	Role       Role
	// Operation and Peer say what was done to whom; equal ones are attempts at the same thing.
	Operation uint8
	Peer      string
	// Recognised spans are agent telemetry; the others only connect.
	Recognised bool
	// Error says that the status is ERROR.
	Error bool
	// Failure is the index of the span's failure, or -1.
	Failure int32
}

// Failure is one failing span, with what identifies the failure. The result is in the fields from Propagated on.
type Failure struct {
	// Span is the index of the failing span.
	Span int32
	Code string
	// Type, Message and Status are the exception and the status description; equal ones are one failure.
	Type, Message, Status string
	// Causes are codes that the failure names as its causes.
	Causes []string
	// Vague failures have no evidence of their own: they failed for whatever failed below them.
	Vague bool
	// Delegated failures are those of a remote agent, seen from the side that asked.
	Delegated bool

	// Propagated: another failure of the batch, further down, is the cause.
	Propagated bool
	// Mirror: the other half of the exchange represents the operation.
	Mirror bool
	// Handled: tried again with success.
	Handled bool
	// Cause is the index of the failure right below that this one repeats, or -1.
	Cause int32
}

const (
	none    = -1
	unknown = -2
	pending = -3
)

// Relater relates failures; it keeps its memory from batch to batch. Not for concurrent use.
type Relater struct {
	traces  map[[16]byte]struct{}
	index   map[key]int32
	parents []int32
	nearest []int32
	path    []int32
	up      []int32 // per failure: the failure of the nearest failing span above, or none
	above   []int32 // per failure: the same, if both are one
	waiting []int32 // per failure: failures below that are not settled
	queue   []int32
	groups  map[sibling]int32
	tries   map[attempt]uint64
}

type key struct {
	trace [16]byte
	id    [8]byte
}

type sibling struct {
	above         int32
	kind, message string
}

type attempt struct {
	parent    int32
	operation uint8
	peer      string
}

// Relate fills the results of failures.
func (r *Relater) Relate(spans []Span, failures []Failure) {
	r.queue = r.queue[:0]
	if len(failures) == 0 {
		return
	}
	r.connect(spans, failures)
	r.link(spans, failures)
	r.settle(spans, failures)
	r.siblings(spans, failures)
	r.handled(spans, failures)
}

// connect finds the parent of every span of a trace with failures.
func (r *Relater) connect(spans []Span, failures []Failure) {
	if r.traces == nil {
		r.traces, r.index = map[[16]byte]struct{}{}, map[key]int32{}
		r.groups, r.tries = map[sibling]int32{}, map[attempt]uint64{}
	}
	clear(r.traces)
	clear(r.index)
	for i := range failures {
		r.traces[spans[failures[i].Span].Trace] = struct{}{}
		f := &failures[i]
		f.Propagated, f.Mirror, f.Handled, f.Cause = false, false, false, none
	}
	r.parents, r.nearest = resize(r.parents, len(spans), none), resize(r.nearest, len(spans), unknown)
	for i := range spans {
		s := &spans[i]
		if _, ok := r.traces[s.Trace]; !ok || s.ID == ([8]byte{}) {
			continue
		}
		if k := (key{s.Trace, s.ID}); r.missing(k) {
			r.index[k] = int32(i) // of spans that share an id the first counts
		}
	}
	for i := range spans {
		s := &spans[i]
		if s.Parent == ([8]byte{}) || s.Parent == s.ID {
			continue
		}
		if p, ok := r.index[key{s.Trace, s.Parent}]; ok && p != int32(i) {
			r.parents[i] = p
		}
	}
}

func (r *Relater) missing(k key) bool {
	_, ok := r.index[k]
	return !ok
}

func resize(s []int32, n int, fill int32) []int32 {
	if cap(s) < n {
		s = make([]int32, n)
	}
	s = s[:n]
	for i := range s {
		s[i] = fill
	}
	return s
}

// failingAncestor returns the index of the nearest failing span above span i, or none. Every span is walked over once.
func (r *Relater) failingAncestor(spans []Span, i int32) int32 {
	r.path = r.path[:0]
	found := int32(none)
	for at := i; ; {
		if n := r.nearest[at]; n != unknown {
			if n != pending { // pending: a cycle
				found = n
			}
			break
		}
		r.nearest[at] = pending
		r.path = append(r.path, at)
		p := r.parents[at]
		if p < 0 {
			break
		}
		if spans[p].Failure >= 0 {
			found = p
			break
		}
		at = p
	}
	for _, at := range r.path {
		r.nearest[at] = found
	}
	return found
}

// link finds the failing span above every failing span.
func (r *Relater) link(spans []Span, failures []Failure) {
	r.up, r.above = resize(r.up, len(failures), none), resize(r.above, len(failures), none)
	r.waiting = resize(r.waiting, len(failures), 0)
	for i := range failures {
		if up := r.failingAncestor(spans, failures[i].Span); up >= 0 {
			r.up[i] = spans[up].Failure
			r.waiting[r.up[i]]++
		}
	}
}

// same reports whether the failure above is one with the failure below it.
func same(above, below *Failure) bool {
	switch {
	case above.Vague, above.Delegated, above.Code == below.Code,
		above.Status != "" && above.Status == below.Status,
		above.Message != "" && above.Message == below.Message && above.Type == below.Type:
		return true
	case len(below.Message) >= 16 && (strings.Contains(above.Message, below.Message) || strings.Contains(above.Status, below.Message)):
		return true
	}
	for _, c := range above.Causes {
		if c == below.Code {
			return true
		}
	}
	return false
}

// settle walks the failures from the deepest up. A failure is propagated if one below it, other than its own mirror, is
// the same; through a mirror that is itself propagated the cause shows too. A cycle leaves its members as they are.
func (r *Relater) settle(spans []Span, failures []Failure) {
	for i := range failures {
		if r.waiting[i] == 0 {
			r.queue = append(r.queue, int32(i))
		}
	}
	for n := 0; n < len(r.queue); n++ {
		i := r.queue[n]
		f := &failures[i]
		if f.Vague && f.Cause >= 0 {
			f.Code = failures[f.Cause].Code // what it passes on, so that a second look finds the same
		}
		a := r.up[i]
		if a < 0 {
			continue
		}
		r.join(spans, failures, i, a)
		if r.waiting[a]--; r.waiting[a] == 0 {
			r.queue = append(r.queue, a)
		}
	}
}

// join makes failure i one with the failure a above it, if they are the same.
func (r *Relater) join(spans []Span, failures []Failure, i, a int32) {
	f, up := &failures[i], &failures[a]
	f.Mirror = r.parents[f.Span] == up.Span && spans[f.Span].Role == Server && spans[up.Span].Role != Server && spans[up.Span].Recognised
	if !f.Mirror && !same(up, f) {
		return
	}
	r.above[i] = a
	if f.Mirror && !f.Propagated {
		return
	}
	up.Propagated = true
	if up.Cause < 0 || earlier(&spans[f.Span], &spans[failures[up.Cause].Span]) {
		up.Cause = i
	}
}

// Order lists the failures of the last Relate from the deepest up, so that what is passed up arrives.
func (r *Relater) Order() []int32 { return r.queue }

// earlier orders spans by their end, then by id.
func earlier(a, b *Span) bool {
	if a.End != b.End {
		return a.End < b.End
	}
	return string(a.ID[:]) < string(b.ID[:])
}

// siblings finds failures that were recorded on several spans side by side under one failing span: the first to end owns.
func (r *Relater) siblings(spans []Span, failures []Failure) {
	clear(r.groups)
	for i := range failures {
		f := &failures[i]
		if r.above[i] < 0 || f.Mirror || f.Message == "" {
			continue
		}
		k := sibling{r.above[i], f.Type, f.Message}
		first, ok := r.groups[k]
		switch {
		case !ok:
			r.groups[k] = int32(i)
		case earlier(&spans[f.Span], &spans[failures[first].Span]):
			failures[first].Propagated = true
			r.groups[k] = int32(i)
		default:
			f.Propagated = true
		}
	}
}

// handled finds failed attempts: the parent succeeded, and under it the same operation on the same peer ended later
// without failing. Without that proof a failure is never called handled.
func (r *Relater) handled(spans []Span, failures []Failure) {
	clear(r.tries)
	for i := range failures {
		f := &failures[i]
		if p := r.parents[f.Span]; p >= 0 && spans[p].Failure < 0 && !spans[p].Error {
			r.tries[attemptOf(spans, p, f.Span)] = 0
		}
	}
	if len(r.tries) == 0 {
		return
	}
	for i := range spans {
		s := &spans[i]
		if s.Failure >= 0 || s.Error || !s.Recognised || r.parents[i] < 0 {
			continue
		}
		k := attemptOf(spans, r.parents[i], int32(i))
		if end, ok := r.tries[k]; ok && s.End > end {
			r.tries[k] = s.End
		}
	}
	for i := range failures {
		f := &failures[i]
		if p := r.parents[f.Span]; p >= 0 && r.tries[attemptOf(spans, p, f.Span)] > spans[f.Span].End {
			f.Handled = true
		}
	}
}

func attemptOf(spans []Span, parent, i int32) attempt {
	return attempt{parent, spans[i].Operation, spans[i].Peer}
}
