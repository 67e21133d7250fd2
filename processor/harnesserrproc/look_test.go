package harnesserrproc

import (
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
				b.scopes = append(b.scopes, scopeOf(ss.Scope().Name()))
				for _, span := range ss.Spans().All() {
					info := spanInfo{span: span, scope: int32(len(b.scopes) - 1)}
					ours := b.rec.claim(b.scopes[info.scope], span)
					b.rec.scanAny(span.Attributes())
					if !ours {
						require.Zero(t, b.rec.found&lookMarker, span.Name())
						continue
					}
					described++
					b.rec.scan(span.Attributes())
					whole, quiet := b.describe(t.Context(), &info, span.Name()), b.rec.scannedQuiet(p.engine)
					require.Equal(t, quiet, b.rec.quiet(p.engine, span.Attributes()), span.Name())
					b.rec.scanBrief(span.Attributes())
					require.Equal(t, quiet, b.rec.scannedQuiet(p.engine), span.Name())
					require.Equal(t, whole, b.describe(t.Context(), &info, span.Name()), span.Name())
				}
			}
		}
	}
	require.Greater(t, described, 100)
}
