package document

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// textAttributes are all attributes from which a document takes text.
var textAttributes = []string{
	attrOperation, attrPeer, attrMethod, attrCode, attrClass, attrOrigin, attrAction, attrSideEffects,
	attrLimitName, attrLimitUnit,
	attrLocationRunID, attrLocationToolName, attrLocationToolCallID, attrLocationPointer,
	attrUpstreamProvider, attrUpstreamCode, attrUpstreamReason, attrUpstreamStopReason, attrUpstreamTaskState,
	attrRootCauseCode, attrRootCauseOrigin,
	attrErrorType,
	attrConversationID, attrSessionID, attrToolName, attrToolCallID,
}

// secrets are credentials of several makers, put together at run time so that
// none stands in a repository. None was ever issued.
func secrets() map[string]string {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) string {
		const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
		var b strings.Builder
		for range n {
			b.WriteByte(letters[r.IntN(len(letters))])
		}
		return b.String()
	}
	return map[string]string{
		"github":    "gh" + "p_" + random(36),
		"aws":       "AK" + "IA" + strings.ToUpper(random(16)),
		"anthropic": "sk-" + "ant-api03-" + random(80),
		"openai":    "sk-" + "proj-" + random(60),
		"slack":     "xo" + "xb-" + "123456789012-123456789012-" + random(24),
		"jwt":       "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0." + random(43),
	}
}

// What a document can hold of a record, all of it set to s.
func plant(attrs pcommon.Map, s string) {
	for _, key := range slices.Concat(messageAttributes, textAttributes) {
		attrs.PutStr(key, s)
	}
	attrs.PutEmptySlice(attrCauseCodes).AppendEmpty().SetStr(s)
	attrs.PutDouble(attrLimitValue, 1)
}

// A credential that stands in any member, alone or in a sentence, never leaves:
// neither in a document nor in the body of an event.
func TestSecretsNeverLeave(t *testing.T) {
	builder, err := NewBuilder(NewDefaultConfig())
	require.NoError(t, err)
	for maker, secret := range secrets() {
		for _, frame := range []string{"%s", "/%s", "got 401 for key %s, check it", "{\"token\":\"%s\"}", "x-acme.%s"} {
			planted := fmt.Sprintf(frame, secret)
			resource := pcommon.NewResource()
			resource.Attributes().PutStr(attrServiceName, planted)

			span := ptrace.NewSpan()
			span.SetTraceID(pcommon.TraceID{1})
			span.SetSpanID(pcommon.SpanID{1})
			plant(span.Attributes(), planted)
			span.Status().SetMessage(planted)
			requireNoSecret(t, builder.FromSpan(resource, span), maker, secret)

			span.Status().SetMessage("")
			event := span.Events().AppendEmpty()
			event.SetName(eventException)
			event.Attributes().PutStr(attrExceptionMessage, planted)
			requireNoSecret(t, builder.FromSpan(resource, span), maker, secret)

			record := plog.NewLogRecord()
			plant(record.Attributes(), planted)
			requireNoSecret(t, builder.FromLog(resource, record), maker, secret)
			record.Attributes().Clear()
			record.Body().SetStr(planted)
			requireNoSecret(t, builder.FromLog(resource, record), maker, secret)
			require.NotContains(t, builder.Clean(planted), secret)
		}
	}
}

func requireNoSecret(t *testing.T, d Document, maker, secret string) {
	t.Helper()
	text, err := d.JSON(true)
	require.NoError(t, err)
	require.NotContains(t, strings.ToLower(string(text)), strings.ToLower(secret), maker)
	body := pcommon.NewMap()
	require.NoError(t, d.PutMap(body))
	value := pcommon.NewValueMap()
	body.CopyTo(value.Map())
	require.NotContains(t, strings.ToLower(value.AsString()), strings.ToLower(secret), maker)
}

// Text that is longer than a document may hold is cut, with a mark.
func TestTextIsBounded(t *testing.T) {
	cfg := NewDefaultConfig()
	cfg.MaxDetailBytes = 100
	builder, err := NewBuilder(cfg)
	require.NoError(t, err)
	long := strings.Repeat("lang und länger ", 1000)
	span := ptrace.NewSpan()
	plant(span.Attributes(), long)
	span.Status().SetMessage(long)
	d := builder.FromSpan(pcommon.NewResource(), span)
	require.LessOrEqual(t, len(d.Object.Detail), 100)
	require.True(t, strings.HasSuffix(d.Object.Detail, "…[truncated]"), d.Object.Detail)
	require.LessOrEqual(t, len(d.Peer), maxText)
	text, err := d.JSON(true)
	require.NoError(t, err)
	require.LessOrEqual(t, len(text), 8000, "no document of this configuration is longer")
}
