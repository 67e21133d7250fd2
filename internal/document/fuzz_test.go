package document

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/problem"
)

// requireDocument checks what holds for every document, whatever it was made of.
func requireDocument(t *testing.T, d Document) {
	t.Helper()
	body, key, err := d.Encode(true)
	require.NoError(t, err, "a document can always be written")
	require.Len(t, key, 32)
	require.NotContains(t, string(body), "\n", "one line")
	require.True(t, json.Valid(body))
	object, err := problem.ParseStrict(body)
	require.NoError(t, err, "%s", body)
	require.Equal(t, d.Object.Code, object.Code)
	again, key2, err := d.Encode(true)
	require.NoError(t, err)
	require.Equal(t, string(body), string(again))
	require.Equal(t, key, key2)

	m := pcommon.NewMap()
	require.NoError(t, d.PutMap(m))
	plain, err := d.JSON(false)
	require.NoError(t, err)
	fromMap, err := json.Marshal(m.AsRaw())
	require.NoError(t, err)
	require.JSONEq(t, string(plain), string(fromMap), "an event holds the document")
}

// Any span with any members gives a document.
func FuzzMembers(f *testing.F) {
	f.Add("upstream.overloaded", "busy", "/a/0", 1.5, int64(3), []byte{1})
	f.Add("x-a.b", "\x00\x1b[31m\xff\u202e", "/~2", math.Inf(1), int64(-1), []byte{})
	f.Add("", strings.Repeat("ä", 5000), "", math.NaN(), int64(math.MaxInt64), []byte{2, 3, 4, 5})
	builder, err := NewBuilder(NewDefaultConfig())
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, code, text, pointer string, number float64, integer int64, ids []byte) {
		span := ptrace.NewSpan()
		attrs := span.Attributes()
		plant(attrs, text)
		attrs.PutStr(attrCode, code)
		attrs.PutStr(attrRootCauseCode, code)
		attrs.PutStr(attrLocationPointer, pointer)
		attrs.PutStr(attrOrigin, "tool")
		attrs.PutStr(attrRootCauseOrigin, "model")
		for _, key := range []string{attrRetryAfter, attrLimitValue, attrLimitObserved} {
			attrs.PutDouble(key, number)
		}
		for _, key := range []string{attrAttempts, attrMaxAttempts, attrLocationTurn, attrUpstreamStatus} {
			attrs.PutInt(key, integer)
		}
		causes := attrs.PutEmptySlice(attrCauseCodes)
		for range integer % 40 {
			causes.AppendEmpty().SetStr(code)
		}
		span.Status().SetMessage(text)
		span.SetEndTimestamp(pcommon.Timestamp(integer))
		var trace pcommon.TraceID
		copy(trace[:], ids)
		span.SetTraceID(trace)
		resource := pcommon.NewResource()
		resource.Attributes().PutStr(attrServiceName, text)
		requireDocument(t, builder.FromSpan(resource, span))
	})
}

// Any OTLP/JSON that the collector reads gives documents, the same before and
// behind the selection.
func FuzzTraces(f *testing.F) {
	for _, path := range goldenFiles(f) {
		if g := readGolden(f, path); !g.isLogs {
			f.Add(g.archive.Files[0].Data)
		}
	}
	cfg := NewDefaultConfig()
	cfg.Include = includable
	builder, err := NewBuilder(cfg)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, data []byte) {
		td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(data)
		if err != nil {
			return
		}
		docs := builder.FromTraces(td)
		for _, d := range docs {
			requireDocument(t, d)
		}
		selected, found := builder.Traces(td)
		require.Equal(t, len(docs) > 0, found)
		if found {
			require.Equal(t, len(docs), selected.SpanCount())
		}
	})
}
