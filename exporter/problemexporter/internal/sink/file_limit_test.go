//go:build linux || darwin

package sink

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A disk that fills up in the middle of a document: the half that was written is
// taken back, and the document is written when there is room.
func TestFileWithoutRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "problems.ndjson")
	docs := documents(10, 100)
	f := newFile(t, path)
	require.Equal(t, Result{}, f.Send(t.Context(), docs[:2]))
	whole := read(t, path)

	limitFileSize(t, uint64(len(whole)+len(docs[0].Body)*5/2))
	got := f.Send(t.Context(), docs[2:])
	require.Equal(t, []int{2, 3, 4, 5, 6, 7}, got.Pending)
	require.ErrorIs(t, got.Err, syscall.EFBIG)
	require.ErrorContains(t, got.Err, "write to "+path)
	require.Equal(t, 4, strings.Count(read(t, path), "\n"))
	require.True(t, strings.HasSuffix(read(t, path), "}\n"), "no half document")

	limitFileSize(t, 0)
	require.Equal(t, Result{}, f.Send(t.Context(), docs[4:]))
	lines := strings.Split(strings.TrimSpace(read(t, path)), "\n")
	require.Len(t, lines, len(docs))
	for i, line := range lines {
		require.Equal(t, string(docs[i].Body), line)
	}
}

// limitFileSize bounds the files of this process, as a full disk would; 0 lifts the bound.
func limitFileSize(t *testing.T, bytes uint64) {
	t.Helper()
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	limit.Cur = limit.Max
	if bytes > 0 {
		limit.Cur = bytes
		t.Cleanup(func() { limitFileSize(t, 0) })
	}
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
}

// A device that never has room.
func TestFileOnAFullDevice(t *testing.T) {
	f, err := NewFile("/dev/full", rotation)
	if err != nil {
		t.Skipf("no such device here: %v", err)
	}
	got := f.Send(t.Context(), documents(2, 10))
	require.Equal(t, []int{0, 1}, got.Pending)
	require.ErrorIs(t, got.Err, syscall.ENOSPC)
	require.NoError(t, f.Close())
}
