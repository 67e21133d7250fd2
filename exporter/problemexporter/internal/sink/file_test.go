package sink

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var rotation = Rotation{MaxMegabytes: 1}

func newFile(t *testing.T, path string) *File {
	t.Helper()
	f, err := NewFile(path, rotation)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

func TestFileAppends(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "dir", "problems.ndjson")
	docs := documents(3, 1)
	f := newFile(t, path)
	require.Equal(t, Result{}, f.Send(t.Context(), docs[:2]))
	require.NoError(t, f.Close())
	f = newFile(t, path)
	require.Equal(t, Result{}, f.Send(t.Context(), docs[2:]))
	require.Equal(t, "{\"n\":0,\"pad\":\"x\"}\n{\"n\":1,\"pad\":\"x\"}\n{\"n\":2,\"pad\":\"x\"}\n", read(t, path))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestFileStartsANewLineBehindATornOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "problems.ndjson")
	require.NoError(t, os.WriteFile(path, []byte("{\"n\":0}\n{\"n\":"), 0o600))
	f := newFile(t, path)
	require.Equal(t, Result{}, f.Send(t.Context(), documents(2, 1)))
	require.Equal(t, "{\"n\":0}\n{\"n\":\n{\"n\":0,\"pad\":\"x\"}\n{\"n\":1,\"pad\":\"x\"}\n", read(t, path))
}

func TestFileRotates(t *testing.T) {
	dir := t.TempDir()
	f := newFile(t, filepath.Join(dir, "problems.ndjson"))
	docs := documents(30, 100_000) // 3 MB into files of 1 MiB
	require.Equal(t, Result{}, f.Send(t.Context(), docs))
	files, err := filepath.Glob(filepath.Join(dir, "problems*.ndjson"))
	require.NoError(t, err)
	require.Len(t, files, 3)
	lines := 0
	for _, path := range files {
		text := read(t, path)
		require.True(t, strings.HasSuffix(text, "\n"), "no line is torn by a rotation")
		lines += strings.Count(text, "\n")
	}
	require.Equal(t, len(docs), lines)
}

func TestFileReportsAPathThatItCannotOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "problems.ndjson")
	require.NoError(t, os.Mkdir(path, 0o700))
	_, err := NewFile(path, rotation)
	require.ErrorContains(t, err, path)
}

// tornWriter takes some bytes, then has no room for a while.
type tornWriter struct {
	bytes.Buffer
	room int
}

var errNoSpace = errors.New("no space left on device")

func (w *tornWriter) Write(p []byte) (int, error) {
	if len(p) > w.room {
		n, _ := w.Buffer.Write(p[:w.room])
		w.room = 0
		return n, errNoSpace
	}
	w.room -= len(p)
	return w.Buffer.Write(p)
}

func TestStreamSendsPendingAgain(t *testing.T) {
	docs := documents(3, 1)
	w := &tornWriter{room: len(docs[0].Body) + 5}
	s := NewStream(w)
	got := s.Send(t.Context(), docs)
	require.Equal(t, []int{1, 2}, got.Pending)
	require.ErrorIs(t, got.Err, errNoSpace)
	require.Equal(t, []int{0, 1}, s.Send(t.Context(), docs[1:]).Pending, "still no room")
	w.room = 1000
	require.Equal(t, Result{}, s.Send(t.Context(), docs[1:]))
	require.Equal(t, "{\"n\":0,\"pad\":\"x\"}\n{\"n\"\n{\"n\":1,\"pad\":\"x\"}\n{\"n\":2,\"pad\":\"x\"}\n", w.String())
	require.NoError(t, s.Close())
}
