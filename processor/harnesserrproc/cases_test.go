package harnesserrproc

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor/processortest"
	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"
)

// TestCases runs testdata/cases/*.txtar. A case is a trace told line by line and what every failing span of it should say
// afterwards; testdata/cases/README.md has the format. Each case also runs twice: the second pass changes nothing.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := readCase(t, file)
			once := runTraces(t, c.config, c.spans)
			if *update {
				rewrite(t, file, tell(once))
				return
			}
			require.Equal(t, c.want, tell(once))
			before := marshal(t, once)
			require.Equal(t, before, marshal(t, runTraces(t, c.config, once)), "a second pass changes nothing")
		})
	}
}

type testCase struct {
	config *Config
	spans  ptrace.Traces
	want   string
}

func readCase(t *testing.T, file string) testCase {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	require.NoError(t, err)
	c := testCase{config: createDefaultConfig().(*Config)}
	for _, f := range archive.Files {
		switch f.Name {
		case "config.yaml":
			var m map[string]any
			require.NoError(t, yaml.Unmarshal(f.Data, &m))
			require.NoError(t, confmap.NewFromStringMap(m).Unmarshal(c.config))
		case "spans":
			c.spans = parseSpans(t, string(f.Data))
		case "want":
			c.want = string(f.Data)
		default:
			t.Fatalf("%s: section %q", file, f.Name)
		}
	}
	return c
}

func runTraces(t *testing.T, cfg *Config, td ptrace.Traces) ptrace.Traces {
	t.Helper()
	f := NewFactory()
	sink := &consumertest.TracesSink{}
	p, err := f.CreateTraces(t.Context(), processortest.NewNopSettings(f.Type()), cfg, sink)
	require.NoError(t, err)
	in := ptrace.NewTraces()
	td.CopyTo(in)
	require.NoError(t, p.ConsumeTraces(t.Context(), in))
	require.NoError(t, p.Shutdown(t.Context()))
	return sink.AllTraces()[0]
}

func marshal(t *testing.T, td ptrace.Traces) string {
	t.Helper()
	b, err := (&ptrace.JSONMarshaler{}).MarshalTraces(td)
	require.NoError(t, err)
	return string(b)
}

// parseSpans reads lines such as
//
//	2 < 1 @7 chat gpt CLIENT gen_ai.provider.name=openai status=ERROR:text exception=openai.RateLimitError:text
//
// id, parent, trace and kind may be left out; what holds spaces is quoted. Spans end in the order of their lines.
func parseSpans(t *testing.T, text string) ptrace.Traces {
	t.Helper()
	td := ptrace.NewTraces()
	rs := td.ResourceSpans().AppendEmpty()
	rs.Resource().Attributes().PutStr("service.name", "case")
	ss := rs.ScopeSpans().AppendEmpty()
	ss.Scope().SetName("case")
	for n, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		words := fields(t, line)
		s := ss.Spans().AppendEmpty()
		s.SetTraceID(pcommon.TraceID{15: 1})
		s.SetSpanID(spanID(t, words[0]))
		s.SetStartTimestamp(pcommon.Timestamp(1_700_000_000_000_000_000 + n*1_000_000))
		s.SetEndTimestamp(s.StartTimestamp() + 500_000)
		words = words[1:]
		if words[0] == "<" {
			s.SetParentSpanID(spanID(t, words[1]))
			words = words[2:]
		}
		if strings.HasPrefix(words[0], "@") {
			s.SetTraceID(pcommon.TraceID{15: spanID(t, words[0][1:])[7]})
			words = words[1:]
		}
		s.SetName(words[0])
		for _, w := range words[1:] {
			parseWord(t, s, w)
		}
	}
	return td
}

func parseWord(t *testing.T, s ptrace.Span, w string) {
	t.Helper()
	key, value, ok := strings.Cut(w, "=")
	head, tail, _ := strings.Cut(value, ":")
	switch {
	case !ok && w == "CLIENT":
		s.SetKind(ptrace.SpanKindClient)
	case !ok && w == "SERVER":
		s.SetKind(ptrace.SpanKindServer)
	case !ok:
		t.Fatalf("word %q", w)
	case key == "status":
		s.Status().SetCode(map[string]ptrace.StatusCode{"ERROR": ptrace.StatusCodeError, "OK": ptrace.StatusCodeOk}[head])
		s.Status().SetMessage(tail)
	case key == "exception":
		e := s.Events().AppendEmpty()
		e.SetName("exception")
		e.Attributes().PutStr("exception.type", head)
		e.Attributes().PutStr("exception.message", tail)
	case strings.HasPrefix(value, "["):
		list := s.Attributes().PutEmptySlice(key)
		for _, v := range strings.Split(strings.Trim(value, "[]"), ",") {
			list.AppendEmpty().SetStr(v)
		}
	default:
		s.Attributes().PutStr(key, value)
	}
}

// fields cuts a line at spaces outside double quotes.
func fields(t *testing.T, line string) []string {
	t.Helper()
	var words []string
	for rest := strings.TrimSpace(line); rest != ""; rest = strings.TrimLeft(rest, " ") {
		end, quoted := 0, false
		for end < len(rest) && (quoted || rest[end] != ' ') {
			if rest[end] == '"' && (end == 0 || rest[end-1] != '\\') {
				quoted = !quoted
			}
			end++
		}
		words = append(words, strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(rest[:end], `\"`, "\x00"), `"`, ""), "\x00", `"`))
		rest = rest[end:]
	}
	require.GreaterOrEqual(t, len(words), 2, "line %q", line)
	return words
}

func spanID(t *testing.T, s string) pcommon.SpanID {
	t.Helper()
	n, err := strconv.Atoi(s)
	require.NoError(t, err)
	return pcommon.SpanID{6: byte(n >> 8), 7: byte(n)}
}

// tell writes a line for every span that the processor said something about: its id, error.type, then harness.error.* in
// order of the name, without what is implied by the code.
func tell(td ptrace.Traces) string {
	var out strings.Builder
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				tellSpan(&out, s)
			}
		}
	}
	return out.String()
}

var told = []string{attrCode, attrClass, attrEvidence, attrPeer, attrOriginal, attrCauseCodes, attrRootCode, attrPropagated, attrHandled, attrMirror,
	attrAction, attrRetryable, attrRetryAfter, attrSideEffects, attrUpReason, attrUpTaskState, attrUpCode}

func tellSpan(out *strings.Builder, s ptrace.Span) {
	if _, ok := s.Attributes().Get(attrClass); !ok {
		return
	}
	id := s.SpanID()
	fmt.Fprintf(out, "%d", int(id[6])<<8|int(id[7]))
	if v, ok := s.Attributes().Get(attrErrorType); ok {
		fmt.Fprintf(out, " error.type=%s", v.AsString())
	}
	for _, k := range told {
		if v, ok := s.Attributes().Get(k); ok {
			fmt.Fprintf(out, " %s=%s", strings.TrimPrefix(strings.TrimPrefix(k, "harness.error."), "harness."), v.AsString())
		}
	}
	fmt.Fprintln(out)
}

var update = flag.Bool("update", false, "write what the cases say now into their want sections")

// rewrite replaces the want section of a case.
func rewrite(t *testing.T, file, want string) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	require.NoError(t, err)
	for i := range archive.Files {
		if archive.Files[i].Name == "want" {
			archive.Files[i].Data = []byte(want)
		}
	}
	require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
}
