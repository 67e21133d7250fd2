package sink

import (
	"context"
	"io"
	"sync"
)

// Stream writes NDJSON to a writer that it does not own, such as standard output.
type Stream struct {
	mu   sync.Mutex
	w    io.Writer
	torn bool // the last write ended inside a line
}

// NewStream returns a sink that writes to w.
func NewStream(w io.Writer) *Stream { return &Stream{w: w} }

// Send writes a line per document and reports those that were not written whole as pending.
func (s *Stream) Send(_ context.Context, docs []Document) Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, doc := range docs {
		line := appendLine(make([]byte, 0, len(doc.Body)+2), doc, s.torn)
		n, err := s.w.Write(line)
		if err != nil {
			s.torn = s.torn || n > 0
			return Result{Pending: indices(i, len(docs)), Err: err}
		}
		s.torn = false
	}
	return Result{}
}

// Close does nothing: the writer belongs to the caller.
func (*Stream) Close() error { return nil }

// appendLine appends the document and a line feed. After a torn line, the line
// feed that is missing there comes first, so that a reader loses the torn line alone.
func appendLine(dst []byte, doc Document, torn bool) []byte {
	if torn {
		dst = append(dst, '\n')
	}
	dst = append(dst, doc.Body...)
	return append(dst, '\n')
}

func indices(from, to int) []int {
	out := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}
