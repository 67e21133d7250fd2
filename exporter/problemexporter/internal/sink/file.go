package sink

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"
)

// Rotation says when a file is put aside and how long it is kept.
type Rotation struct {
	MaxMegabytes int  // size at which a file is put aside
	MaxDays      int  // age at which an old file is deleted; 0: never
	MaxBackups   int  // number of old files kept; 0: all
	LocalTime    bool // local time instead of UTC in the names of old files
}

// File appends NDJSON to a file and rotates it.
type File struct {
	mu   sync.Mutex
	log  *lumberjack.Logger
	torn bool // the file ends inside a line
}

// NewFile opens the file for appending, creating it and its directory where
// they are missing, so that a wrong path is known at start.
func NewFile(path string, rotation Rotation) (*File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, err
	}
	torn, err := endsTorn(path)
	if err != nil {
		return nil, err
	}
	return &File{
		torn: torn,
		log: &lumberjack.Logger{
			Filename:   path,
			MaxSize:    rotation.MaxMegabytes,
			MaxAge:     rotation.MaxDays,
			MaxBackups: rotation.MaxBackups,
			LocalTime:  rotation.LocalTime,
		},
	}, nil
}

// Send appends a line per document. A write that fails half way is taken back,
// and the documents from there on are pending.
func (f *File) Send(_ context.Context, docs []Document) Result {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, doc := range docs {
		if err := f.write(appendLine(make([]byte, 0, len(doc.Body)+2), doc, f.torn)); err != nil {
			return Result{Pending: indices(i, len(docs)), Err: err}
		}
	}
	return Result{}
}

func (f *File) write(line []byte) error {
	n, err := f.log.Write(line)
	if err == nil {
		f.torn = false
		return nil
	}
	if n > 0 && f.takeBack(n) != nil {
		f.torn = true
	}
	return fmt.Errorf("write to %s: %w", f.log.Filename, err)
}

// takeBack cuts the last n bytes off the file. The logger has to let go of it
// first: it would go on writing at its old offset and leave a hole.
func (f *File) takeBack(n int) error {
	if err := f.log.Close(); err != nil {
		return err
	}
	info, err := os.Stat(f.log.Filename)
	if err != nil {
		return err
	}
	return os.Truncate(f.log.Filename, info.Size()-int64(n))
}

// Close closes the file.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.log.Close()
}

// endsTorn reports whether the file ends inside a line, which is what a process
// leaves that dies while it writes.
func endsTorn(path string) (torn bool, err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil || end == 0 {
		return false, err
	}
	last := make([]byte, 1)
	if _, err := file.ReadAt(last, end-1); err != nil {
		return false, err
	}
	return last[0] != '\n', nil
}
