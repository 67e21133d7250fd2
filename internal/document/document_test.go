package document

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/registry"
)

// The key is what the README tells receivers to compute.
func TestKey(t *testing.T) {
	d := Document{
		Object:  problem.New(registry.UpstreamOverloaded, "busy"),
		TraceID: pcommon.TraceID{0x5b, 15: 0x0c},
		SpanID:  pcommon.SpanID{0xab, 7: 0x01},
	}
	_, key, err := d.Encode(true)
	require.NoError(t, err)
	sum := sha256.Sum256([]byte("5b00000000000000000000000000000c:ab00000000000001:upstream.overloaded"))
	require.Equal(t, hex.EncodeToString(sum[:])[:32], key)

	d.Object.Detail = "still busy"
	_, again, err := d.Encode(false)
	require.NoError(t, err)
	require.Equal(t, key, again, "one failure of one span, whatever its text")
}

// Without a span the text is the identity; the status that HTTP bodies have is
// not part of it.
func TestKeyWithoutASpan(t *testing.T) {
	d := Document{Object: problem.New(registry.UpstreamOverloaded, "busy"), TraceID: pcommon.TraceID{1}}
	plain, key, err := d.Encode(false)
	require.NoError(t, err)
	sum := sha256.Sum256(plain)
	require.Equal(t, hex.EncodeToString(sum[:])[:32], key)
	_, withStatus, err := d.Encode(true)
	require.NoError(t, err)
	require.Equal(t, key, withStatus)
	d.Object.Detail = "another one"
	_, other, err := d.Encode(false)
	require.NoError(t, err)
	require.NotEqual(t, key, other)
}

func TestEncodeRefusesWhatIsNoObject(t *testing.T) {
	d := Document{Object: problem.Object{Code: "no code"}}
	_, _, err := d.Encode(false)
	require.ErrorContains(t, err, "code: got")
	require.Error(t, d.PutMap(pcommon.NewMap()))
}

func TestSeverity(t *testing.T) {
	for _, tc := range []struct {
		code, action string
		want         plog.SeverityNumber
	}{
		{"upstream.rate_limited", "retry", plog.SeverityNumberWarn},
		{"output.schema_violation", "repair", plog.SeverityNumberWarn},
		{"loop.max_turns_exceeded", "", plog.SeverityNumberWarn},
		{"policy.model_refusal", "none", plog.SeverityNumberWarn},
		{"upstream.agent_failed", "reconcile", plog.SeverityNumberWarn},
		{"tool.execution_failed", "escalate", plog.SeverityNumberError},
		{"upstream.authentication_failed", "", plog.SeverityNumberError},
		{"upstream.unavailable", "reauthenticate", plog.SeverityNumberError},
		{"upstream.invalid_response", "retry", plog.SeverityNumberError},
		{"harness.internal_error", "", plog.SeverityNumberError},
		{"x-acme.quota_frozen", "", plog.SeverityNumberError},
		{"x-acme.quota_frozen", "retry", plog.SeverityNumberWarn},
		{"upstream.melted", "", plog.SeverityNumberError},
	} {
		d := Document{Object: problem.Object{Code: tc.code}, Action: tc.action}
		require.Equal(t, tc.want, d.Severity(), "%s %s", tc.code, tc.action)
	}
	require.Len(t, forOperator, 6)
}

func TestKeepSpans(t *testing.T) {
	td := ptrace.NewTraces()
	for _, names := range [][]string{{"0", "1"}, {"2"}, {"3", "4", "5"}} {
		spans := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans()
		for _, name := range names {
			spans.AppendEmpty().SetName(name)
		}
	}
	for _, tc := range []struct {
		ordinals []int
		want     []string
	}{
		{nil, nil},
		{[]int{0}, []string{"0"}},
		{[]int{1, 2, 5}, []string{"1", "2", "5"}},
		{[]int{0, 1, 2, 3, 4, 5}, []string{"0", "1", "2", "3", "4", "5"}},
	} {
		var got []string
		out := KeepSpans(td, tc.ordinals)
		for _, rs := range out.ResourceSpans().All() {
			for _, span := range rs.ScopeSpans().At(0).Spans().All() {
				got = append(got, span.Name())
			}
		}
		require.Equal(t, tc.want, got)
	}
	require.Equal(t, 6, td.SpanCount(), "the input stays as it is")
}

// The selection of a batch without failures allocates nothing, and what it lets
// through has lost what no document holds.
func TestSelection(t *testing.T) {
	td := ptrace.NewTraces()
	spans := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans()
	healthy := spans.AppendEmpty()
	healthy.Attributes().PutStr("gen_ai.input.messages", "a prompt")
	require.Zero(t, testing.AllocsPerRun(10, func() {
		if _, found := (Selector{}).Traces(td); found {
			t.Error("a healthy span was selected")
		}
	}))

	failing := spans.AppendEmpty()
	failing.Attributes().PutStr("gen_ai.input.messages", "a prompt")
	failing.Attributes().PutStr(attrClass, classTaskFailure)
	failing.Attributes().PutStr(attrCode, registry.OutputEmpty)
	failing.Links().AppendEmpty()
	failing.Events().AppendEmpty().SetName("gen_ai.choice")
	event := failing.Events().AppendEmpty()
	event.SetName(eventException)
	event.Attributes().PutStr(attrExceptionMessage, "nothing came")
	event.Attributes().PutStr("exception.stacktrace", "at main.go:1")

	out, found := (Selector{}).Traces(td)
	require.True(t, found)
	require.Equal(t, 1, out.SpanCount())
	got := out.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0)
	require.Equal(t, map[string]any{attrClass: classTaskFailure, attrCode: registry.OutputEmpty}, got.Attributes().AsRaw())
	require.Zero(t, got.Links().Len())
	require.Equal(t, 1, got.Events().Len())
	require.Equal(t, map[string]any{attrExceptionMessage: "nothing came"}, got.Events().At(0).Attributes().AsRaw())
	require.Equal(t, 2, td.SpanCount(), "the input stays as it is")
}
