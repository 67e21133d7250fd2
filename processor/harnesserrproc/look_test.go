package harnesserrproc

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor/processortest"
)

// What a span did, and to whom, does not depend on how much of it was read first; and what the first look passes over has
// nothing to say.
func TestABriefLookSaysTheSame(t *testing.T) {
	fac := NewFactory()
	p, err := newNormalizer(processortest.NewNopSettings(fac.Type()), fac.CreateDefaultConfig().(*Config))
	require.NoError(t, err)
	b := p.begin(t.Context())
	described := 0
	for _, data := range fixtures(t, "resourceSpans") {
		td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(data)
		require.NoError(t, err)
		for _, rs := range td.ResourceSpans().All() {
			for _, ss := range rs.ScopeSpans().All() {
				b.scopes = append(b.scopes, b.scopeNamed(ss.Scope().Name()))
				for _, span := range ss.Spans().All() {
					info := spanInfo{span: span, scope: int32(len(b.scopes) - 1)}
					attrs := span.Attributes()
					ours := b.rec.claim(b.scopes[info.scope], span)
					b.rec.scanAny(attrs)
					if !ours {
						require.Zero(t, b.rec.found&lookMarker, span.Name())
						continue
					}
					described++
					b.rec.scan(attrs)
					whole, quiet := b.describe(t.Context(), &info, span.Name()), b.rec.scannedQuiet(p.engine)
					require.Equal(t, quiet, b.rec.quiet(p.engine, attrs), span.Name())
					b.rec.scanBrief(attrs)
					require.Equal(t, quiet, b.rec.scannedQuiet(p.engine), span.Name())
					require.Equal(t, whole, b.describe(t.Context(), &info, span.Name()), span.Name())
				}
			}
		}
	}
	require.Greater(t, described, 100)
}

// The last of many attributes, or of short ones, is seen like the first.
func TestWhereverAnAttributeStands(t *testing.T) {
	fac := NewFactory()
	for _, annotate := range []string{annotateAll, annotateFailures} {
		cfg := fac.CreateDefaultConfig().(*Config)
		cfg.Annotate = annotate
		p, err := newNormalizer(processortest.NewNopSettings(fac.Type()), cfg)
		require.NoError(t, err)
		for _, before := range []int{0, 1, 61, 62, 63, 64, 65, 200} {
			for _, filler := range []string{"acme.attribute.%d", "k%d"} {
				td := ptrace.NewTraces()
				attrs := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty().Attributes()
				for i := range before {
					attrs.PutStr(fmt.Sprintf(filler, i), "x")
				}
				attrs.PutStr("gen_ai.operation.name", "chat")
				attrs.PutStr("error", "") // a short one that says nothing
				attrs.PutEmptySlice("gen_ai.response.finish_reasons").AppendEmpty().SetStr("length")
				_, err = p.traces(t.Context(), td)
				require.NoError(t, err)
				require.Equal(t, "output.truncated", get(attrs, attrErrorType), "%d before, %s", before, annotate)
				require.Equal(t, "chat", get(attrs, attrOperation))
			}
		}
	}
}
