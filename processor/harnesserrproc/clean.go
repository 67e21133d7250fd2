package harnesserrproc

import (
	"context"
	"encoding/json"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/redact"
)

// The places that redactions are counted under.
const (
	placeStatus    = "status"
	placeName      = "name"
	placeAttribute = "attribute"
	placeEvent     = "event"
	placeLink      = "link"
	placeBody      = "body"
	placePayload   = "payload"
)

// feedbackKey is the member of a harness error object that is meant for a model. From another party it deserves no more
// trust than the party's other output (draft section 10).
const feedbackKey = "model_feedback"

// maxNesting is how deep values are cleaned; what is deeper is dropped, because it can't be vouched for.
const maxNesting = 32

// text cleans one string and counts what was replaced.
func (b *batch) text(ctx context.Context, s string, k redact.Kind, place string) string {
	if s == "" {
		return s
	}
	out := b.p.cleaner.CleanAgain(b.texts, s, k, &b.clean)
	b.p.tel.redactions(ctx, &b.clean, place)
	return out
}

// cleanName returns the name of a span or event as it will be written if the record failed; nothing is counted yet.
func (b *batch) cleanName(name string) string {
	return b.p.cleaner.CleanAgain(b.texts, name, redact.Name, nil)
}

// cleanSpan cleans every text of a failing span; its name only where that is known to need it.
func (b *batch) cleanSpan(ctx context.Context, span ptrace.Span, renamed bool) {
	if s := span.Status().Message(); s != "" {
		if c := b.text(ctx, s, redact.Text, placeStatus); c != s {
			span.Status().SetMessage(c)
		}
	}
	if renamed {
		span.SetName(b.text(ctx, span.Name(), redact.Name, placeName))
	}
	b.cleanAttributes(ctx, span.Attributes(), placeAttribute)
	for _, e := range span.Events().All() {
		if c := b.text(ctx, e.Name(), redact.Name, placeEvent); c != e.Name() {
			e.SetName(c)
		}
		b.cleanAttributes(ctx, e.Attributes(), placeEvent)
	}
	for _, l := range span.Links().All() {
		for _, v := range l.Attributes().All() {
			b.value(ctx, v, redact.Text, placeLink, 0)
		}
	}
}

// cleanLog cleans every text of a failing log record.
func (b *batch) cleanLog(ctx context.Context, lr plog.LogRecord) {
	b.cleanAttributes(ctx, lr.Attributes(), placeAttribute)
	b.value(ctx, lr.Body(), redact.Text, placeBody, 0)
	if s := lr.EventName(); s != "" {
		if c := b.text(ctx, s, redact.Name, placeName); c != s {
			lr.SetEventName(c)
		}
	}
}

// cleanAttributes cleans the attributes that hold text of a failure, and those in which it may stand inside an answer.
func (b *batch) cleanAttributes(ctx context.Context, attrs pcommon.Map, place string) {
	if b.rec.weigh(attrs)&traitText == 0 {
		return
	}
	i := 0
	for k, v := range attrs.All() {
		if b.rec.traits.at(i)&traitText != 0 {
			if text := b.p.keys.texts[b.rec.id(i, k)]; text.is {
				b.value(ctx, v, text.kind, place, 0)
			}
		}
		i++
	}
}

// cleanPayload treats the configured payload attributes of a recognised record, failing or not.
func (b *batch) cleanPayload(ctx context.Context, attrs pcommon.Map) {
	r := &b.rec
	for id, choice := range b.p.payload {
		if !r.has(id) {
			continue
		}
		v, ok := attrs.Get(r.keys.Name(id)) // not r.vals: removing moves attributes
		switch {
		case !ok:
		case choice == redact.PayloadDrop:
			b.p.tel.redacted(ctx, "payload_drop", placePayload)
			if !b.p.cfg.Redact.DryRun {
				attrs.Remove(r.keys.Name(id))
			}
		default:
			b.value(ctx, v, redact.Payload, placePayload, 0)
		}
	}
}

// value cleans a string, or every string inside a map or slice; types and order stay.
func (b *batch) value(ctx context.Context, v pcommon.Value, k redact.Kind, place string, depth int) {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		s := v.Str()
		if c := b.text(ctx, b.feedback(ctx, s, place), k, place); c != s {
			v.SetStr(c)
		}
	case pcommon.ValueTypeSlice:
		if depth > maxNesting {
			v.SetStr("[REDACTED_unscanned]")
			return
		}
		for _, e := range v.Slice().All() {
			b.value(ctx, e, k, place, depth+1)
		}
	case pcommon.ValueTypeMap:
		if depth > maxNesting {
			v.SetStr("[REDACTED_unscanned]")
			return
		}
		b.members(ctx, v.Map(), k, place, depth)
	case pcommon.ValueTypeBytes:
		raw := string(v.Bytes().AsRaw())
		if c := b.text(ctx, raw, k, place); c != raw {
			v.Bytes().FromRaw([]byte(c))
		}
	}
}

func (b *batch) members(ctx context.Context, m pcommon.Map, k redact.Kind, place string, depth int) {
	if _, ok := m.Get(feedbackKey); ok && b.p.cfg.Redact.Feedback == redact.FeedbackDrop && !b.p.cfg.Redact.DryRun {
		m.Remove(feedbackKey)
		b.p.tel.redacted(ctx, "feedback_drop", place)
	}
	for name, e := range m.All() {
		kind := k
		if name == feedbackKey {
			kind = redact.Feedback
		}
		b.value(ctx, e, kind, place, depth+1)
	}
}

// feedback cleans or empties the model feedback of harness error objects inside JSON text. Only the member's value is
// touched, so the text stays valid JSON.
func (b *batch) feedback(ctx context.Context, s, place string) string {
	const member = `"` + feedbackKey + `"`
	// The underscore is rarer in error text than the quotation mark, so it is looked for first.
	if !strings.Contains(s, feedbackKey[len("model"):]) || !strings.Contains(s, member) {
		return s
	}
	var out strings.Builder
	rest := s
	for {
		i := strings.Index(rest, member)
		if i < 0 {
			out.WriteString(rest)
			return out.String()
		}
		i += len(member)
		out.WriteString(rest[:i])
		rest = rest[i:]
		literal, before := stringLiteral(rest)
		if literal == "" {
			continue
		}
		out.WriteString(rest[:before])
		out.WriteString(b.feedbackLiteral(ctx, literal, place))
		rest = rest[before+len(literal):]
	}
}

func (b *batch) feedbackLiteral(ctx context.Context, literal, place string) string {
	if b.p.cfg.Redact.Feedback == redact.FeedbackDrop && !b.p.cfg.Redact.DryRun {
		b.p.tel.redacted(ctx, "feedback_drop", place)
		return `""`
	}
	var text string
	if json.Unmarshal([]byte(literal), &text) != nil {
		return literal
	}
	clean := b.text(ctx, text, redact.Feedback, place)
	if clean == text {
		return literal
	}
	encoded, err := json.Marshal(clean)
	if err != nil {
		return `""`
	}
	return string(encoded)
}

// stringLiteral returns the JSON string that stands behind a colon at the start of s, and what comes before it.
func stringLiteral(s string) (literal string, before int) {
	i := 0
	for i < len(s) && (s[i] == ':' || s[i] == ' ' || s[i] == '\n' || s[i] == '\t') {
		i++
	}
	if i == 0 || i >= len(s) || s[i] != '"' {
		return "", 0
	}
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case '"':
			return s[i : j+1], i
		}
	}
	return "", 0
}
