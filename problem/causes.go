package problem

import "github.com/harnesserr/harnesserr/registry"

// Wrap returns the error that a harness reports when a remote agent sent it
// received (draft 8.4 and 8.5): upstream.agent_failed, retryable as the agent
// said, the received object unchanged in causes. If that makes more than
// MaxCauses, causes between the recent ones and the innermost one go. An object
// without a code is no cause to show; what it was caused by takes its place.
//
// model_recoverable is false: the draft wants it true only where the harness
// knows that its model could do something about it. Set it then.
func Wrap(received Object) Object {
	outer := New(registry.UpstreamAgentFailed, "")
	if retryable, known := received.IsRetryable(); known {
		outer.Retryable = new(retryable)
	}
	outer.ModelRecoverable = new(false)
	outer.Causes = []Object{received}
	if received.Code == "" {
		outer.Causes = received.Causes
	}
	return Trim(outer)
}

// Trim returns o with at most MaxCauses causes, counted over all levels. The
// most recent stay, and the innermost always does (draft 8.5).
func Trim(o Object) Object {
	t := trimmer[*Object]{
		causes: func(o *Object) []*Object {
			list := make([]*Object, len(o.Causes))
			for i := range o.Causes {
				list[i] = &o.Causes[i]
			}
			return list
		},
		build: func(o *Object, causes []Object) Object {
			c := *o
			c.Causes = causes
			return c
		},
	}
	return t.trim(&o)
}

// Innermost returns the error at the bottom of the causes: the last cause of the
// last cause and so on; o itself if it has none.
func (o *Object) Innermost() *Object {
	for len(o.Causes) > 0 {
		o = &o.Causes[len(o.Causes)-1]
	}
	return o
}

// CauseCodes returns the codes of all causes, most recent first, the innermost
// last. Causes without a code are left out.
func (o *Object) CauseCodes() []string { return appendCodes(nil, o.Causes) }

func appendCodes(codes []string, causes []Object) []string {
	for i := range causes {
		if causes[i].Code != "" {
			codes = append(codes, causes[i].Code)
		}
		codes = appendCodes(codes, causes[i].Causes)
	}
	return codes
}

// trimmer builds an Object from a tree of N, be it Objects or decoded JSON,
// without ever holding more than MaxCauses causes. Each cause it descends into
// takes room, so its recursion is no deeper than that.
type trimmer[N any] struct {
	causes func(N) []N
	build  func(N, []Object) Object
	room   int // for causes other than the innermost, whose place is kept free
}

func (t *trimmer[N]) trim(root N) Object {
	t.room = MaxCauses - 1
	return t.object(root, true)
}

// object builds the error n. On the spine, the way from the root to the
// innermost error, nothing may be lost for want of room.
func (t *trimmer[N]) object(n N, spine bool) Object {
	var kept []Object
	list := t.causes(n)
	for i, c := range list {
		last := spine && i == len(list)-1
		switch {
		case last && t.room == 0:
			c = t.innermost(c)
		case last && len(t.causes(c)) == 0:
			// The innermost itself.
		case t.room == 0:
			continue
		default:
			t.room--
		}
		kept = append(kept, t.object(c, last))
	}
	return t.build(n, kept)
}

func (t *trimmer[N]) innermost(n N) N {
	for list := t.causes(n); len(list) > 0; list = t.causes(n) {
		n = list[len(list)-1]
	}
	return n
}
