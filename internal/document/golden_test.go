package document

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"golang.org/x/tools/txtar"

	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/registry"
)

var update = flag.Bool("update", false, "rewrite the expected documents in testdata")

// golden is one file of testdata: OTLP/JSON in, a document a line out. A line
// "include: ..." of its comment is the option include.
type golden struct {
	path    string
	archive *txtar.Archive
	cfg     Config
	traces  ptrace.Traces
	logs    plog.Logs
	isLogs  bool
}

func readGolden(t testing.TB, path string) golden {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	require.Len(t, archive.Files, 2, "input and documents.ndjson")
	g := golden{path: path, archive: archive, cfg: NewDefaultConfig()}
	for line := range strings.Lines(string(archive.Comment)) {
		if list, ok := strings.CutPrefix(line, "include: "); ok {
			g.cfg.Include = strings.Fields(list)
		}
	}
	require.NoError(t, g.cfg.Validate())
	input := archive.Files[0]
	if g.isLogs = input.Name == "logs.json"; g.isLogs {
		g.logs, err = (&plog.JSONUnmarshaler{}).UnmarshalLogs(input.Data)
	} else {
		g.traces, err = (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(input.Data)
	}
	require.NoError(t, err)
	return g
}

func (g golden) documents(t testing.TB) []Document {
	t.Helper()
	b, err := NewBuilder(g.cfg)
	require.NoError(t, err)
	if g.isLogs {
		return b.FromLogs(g.logs)
	}
	return b.FromTraces(g.traces)
}

func goldenFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func TestGolden(t *testing.T) {
	for _, path := range goldenFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			g := readGolden(t, path)
			var got bytes.Buffer
			for _, d := range g.documents(t) {
				body, err := d.JSON(false)
				require.NoError(t, err)
				got.Write(body)
				got.WriteByte('\n')
			}
			if *update {
				g.archive.Files[1].Data = got.Bytes()
				require.NoError(t, os.WriteFile(path, txtar.Format(g.archive), 0o600))
			}
			require.Equal(t, string(g.archive.Files[1].Data), got.String())
		})
	}
}

// Every golden document is a well-formed harness error object, and its key and
// status are what the draft and the README say.
func TestGoldenDocumentsAreHarnessErrors(t *testing.T) {
	for _, path := range goldenFiles(t) {
		for _, d := range readGolden(t, path).documents(t) {
			body, key, err := d.Encode(true)
			require.NoError(t, err)
			object, err := problem.ParseStrict(body)
			require.NoError(t, err, "%s", body)
			require.Equal(t, registry.HTTPStatus(object.Code), object.Status)
			require.Len(t, key, 32)

			var members map[string]any
			require.NoError(t, json.Unmarshal(body, &members))
			require.Contains(t, members, "class")
			plain, err := d.JSON(false)
			require.NoError(t, err)
			require.NotContains(t, string(plain), `"status":`+statusText(object.Status), "status is for HTTP bodies alone")
		}
	}
}

func statusText(n int) string {
	text, _ := json.Marshal(n)
	return string(text) + `,"detail"`
}

// What the selector lets through gives the documents that the whole batch gives.
func TestSelectionLosesNothingOfADocument(t *testing.T) {
	for _, path := range goldenFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			g := readGolden(t, path)
			want := g.documents(t)
			s := NewSelector(g.cfg)
			var found bool
			if g.isLogs {
				g.logs, found = s.Logs(g.logs)
			} else {
				g.traces, found = s.Traces(g.traces)
			}
			require.Equal(t, len(want) > 0, found)
			got := g.documents(t)
			for i := range want {
				require.Equal(t, i, got[i].Ordinal)
				got[i].Ordinal = want[i].Ordinal
			}
			require.Equal(t, want, got)
		})
	}
}
