package problem_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/registry"
)

// cases returns the files of a txtar archive, grouped by the name before the
// last dot; the part after it names the role of the file in its case.
func cases(t testing.TB, archive string) (names []string, files map[string]map[string]string) {
	a, err := txtar.ParseFile("testdata/" + archive)
	require.NoError(t, err)
	files = make(map[string]map[string]string)
	for _, f := range a.Files {
		i := strings.LastIndexByte(f.Name, '.')
		require.Positive(t, i, f.Name)
		name, role := f.Name[:i], f.Name[i+1:]
		if files[name] == nil {
			files[name] = make(map[string]string)
			names = append(names, name)
		}
		files[name][role] = string(f.Data)
	}
	return names, files
}

func TestFind(t *testing.T) {
	names, files := cases(t, "carriers.txtar")
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			text, want := files[name]["json"], strings.TrimSpace(files[name]["want"])
			require.NotEmpty(t, want)

			got, ok := problem.Find(text)
			require.Equal(t, want, line(got, ok))
			got, ok = problem.Find([]byte(text))
			require.Equal(t, want, line(got, ok))

			// The same as pdata's raw form: numbers are float64 or int64.
			var tree any
			if json.Unmarshal([]byte(text), &tree) == nil {
				got, ok = problem.FindTree(ints(tree))
				require.Equal(t, want, line(got, ok))
			}
		})
	}
}

func line(f problem.Found, ok bool) string {
	if !ok {
		return "none"
	}
	return strings.TrimSpace(f.Carrier.String() + " " + f.Object.Code)
}

// ints turns whole numbers into int64, as pcommon.Value.AsRaw has them.
func ints(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = ints(v[k])
		}
	case []any:
		for i := range v {
			v[i] = ints(v[i])
		}
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	}
	return v
}

func TestFindLimits(t *testing.T) {
	object := `{"type":"` + problem.TypeURI + `","code":"tool.timeout"}`
	pad := strings.Repeat(" ", problem.MaxText-len(object))
	_, ok := problem.Find(object + pad)
	require.True(t, ok)
	_, ok = problem.Find(object + pad + " ")
	require.False(t, ok, "a byte more than MaxText")

	nested := func(levels int) string {
		return strings.Repeat(`{"result":`, levels-1) + object + strings.Repeat("}", levels-1)
	}
	_, ok = problem.Find(nested(problem.MaxDepth))
	require.True(t, ok)
	_, ok = problem.Find(nested(problem.MaxDepth + 1))
	require.False(t, ok, "a level more than MaxDepth")
	_, ok = problem.Find(strings.Repeat("[", problem.MaxText-20) + `"harness-error"`)
	require.False(t, ok)

	for levels, want := range []bool{true, true, true, false} {
		text := object
		for range levels {
			quoted, err := json.Marshal(text)
			require.NoError(t, err)
			text = `{"result":` + string(quoted) + `}`
		}
		_, ok = problem.Find(text)
		require.Equal(t, want, ok, "JSON in JSON, %d times", levels)
	}
}

func TestFindEmbedded(t *testing.T) {
	object := `{"type":"` + problem.TypeURI + `","code":"tool.timeout"}`
	for message, want := range map[string]string{
		object: "bare tool.timeout",
		"HTTP Error 504: " + object + "\nRequest id 7":                          "bare tool.timeout",
		"[Errno 1] in {name}: " + object:                                        "bare tool.timeout",
		`failed: {"error":{"code":-32603,"message":"m","data":` + object + `}}`: "jsonrpc.data tool.timeout",
		"{{{{{" + object:  "none",
		"harness-error":   "none",
		"nothing {} here": "none",
		strings.Repeat("x", problem.MaxText) + object: "none",
	} {
		got, ok := problem.FindEmbedded(message)
		require.Equal(t, want, line(got, ok), "%.60s", message)
	}
	require.Zero(t, testing.AllocsPerRun(100, func() { problem.FindEmbedded("connection refused: {host}") }))
}

func TestFindTreeOfBytes(t *testing.T) {
	got, ok := problem.FindTree([]byte(`{"type":"` + problem.TypeURIPreRegistration + `","code":"tool.timeout"}`))
	require.Equal(t, "bare tool.timeout", line(got, ok))
}

func TestMaybe(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                   false,
		"   ":                                false,
		"harness-error":                      false,
		`"harness-error"`:                    false,
		"{}":                                 false,
		"{harness-error":                     true,
		"\t\r\n [\"harness-error":            true,
		`{"https://agenterrors.org/ext/a2a"`: true,
		"\v{harness-error":                   false,
	} {
		require.Equal(t, want, problem.Maybe(text), "%q", text)
	}
	healthy := `{"content":"` + strings.Repeat("all is well ", 100) + `"}`
	require.Zero(t, testing.AllocsPerRun(100, func() {
		problem.Maybe(healthy)
		problem.Find(healthy)
	}))
}

func TestReceived(t *testing.T) {
	bare := problem.Object{Code: registry.ToolTimeout, Retryable: new(true)}
	mcp := bare
	mcp.Origin = registry.OriginTool
	for c := problem.CarrierBare; c <= problem.CarrierA2AMetadata; c++ {
		for _, otherwise := range []problem.Protocol{problem.ProtocolUnknown, problem.ProtocolMCP, problem.ProtocolA2A} {
			t.Run(fmt.Sprint(c, otherwise), func(t *testing.T) {
				protocol := c.Protocol()
				if protocol == problem.ProtocolUnknown {
					protocol = otherwise
				}
				got := problem.Found{Object: bare, Carrier: c}.Received(otherwise)
				switch protocol {
				case problem.ProtocolMCP:
					require.Equal(t, mcp, got)
				case problem.ProtocolA2A:
					require.Equal(t, registry.UpstreamAgentFailed, got.Code)
					require.Equal(t, registry.OriginUpstream, got.Origin)
					require.Equal(t, new(true), got.Retryable)
					require.Equal(t, []problem.Object{bare}, got.Causes)
				default:
					require.Equal(t, bare, got)
				}
			})
		}
	}
	own := problem.Object{Code: registry.OutputInvalidToolArguments, Origin: registry.OriginModel}
	got := problem.Found{Object: own, Carrier: problem.CarrierMCPMeta}.Received(problem.ProtocolUnknown)
	require.Equal(t, own, got, "an origin that is there stays")
}

func TestCarriersAreNamed(t *testing.T) {
	seen := map[string]bool{}
	for c := problem.CarrierBare; c <= problem.CarrierA2AMetadata; c++ {
		require.NotEqual(t, "none", c.String())
		require.False(t, seen[c.String()])
		seen[c.String()] = true
	}
	require.Equal(t, "none", problem.Carrier(0).String())
	require.True(t, problem.CarrierJSONRPCData.IsProtocolError())
	require.False(t, problem.CarrierA2AStatus.IsProtocolError())
}

func BenchmarkMaybe(b *testing.B) {
	text := `{"content":"` + strings.Repeat("all is well, no error here ", 40) + `"}`
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		problem.Maybe(text)
	}
}

func BenchmarkFind(b *testing.B) {
	_, files := cases(b, "carriers.txtar")
	text := files["a2a 1.0 task"]["json"]
	for b.Loop() {
		problem.Find(text)
	}
}

// Shapes that cost the most at the size limit; the time is per MaxText bytes.
func BenchmarkFindHostile(b *testing.B) {
	fill := func(prefix, unit, suffix string) string {
		n := (problem.MaxText - len(prefix) - len(suffix)) / len(unit)
		return prefix + strings.Repeat(unit, n) + suffix
	}
	object := `"type":"` + problem.TypeURI + `","code":"a.b"`
	for name, text := range map[string]string{
		"causes wide":  fill(`{`+object+`,"causes":[`, `{"code":"a.b"},`, `{"code":"a.b"}]}`),
		"causes deep":  `{` + object + `,"causes":[` + strings.Repeat(`{"code":"a.b","causes":[`, 2300) + strings.Repeat("]}", 2301),
		"arrays":       fill(`["harness-error"`, ",[]", "]"),
		"deep arrays":  fill(`{"x":"harness-error","y":`, "[", ""),
		"empty errors": fill(`["harness-error"`, `,{"error":{}}`, "]"),
		"embedded":     fill(`{{{`, `{"a":[`, `harness-error`),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				problem.Find(text)
				problem.FindEmbedded(text)
			}
		})
	}
}
