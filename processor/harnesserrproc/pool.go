package harnesserrproc

import (
	"runtime"
	"sync"
)

// batches keeps the working memory of calls that have ended for those to come. Unlike a sync.Pool it survives the garbage
// collector, because what is remembered in it is dear; it holds as many as can be at work at a time.
type batches struct {
	mu   sync.Mutex
	free []*batch
}

// maxKept is how many spans' worth of working memory is kept; a batch beyond it was an exception.
const maxKept = 1 << 16

// get returns working memory, or nil.
func (s *batches) get() *batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.free)
	if n == 0 {
		return nil
	}
	b := s.free[n-1]
	s.free[n-1] = nil
	s.free = s.free[:n-1]
	return b
}

func (s *batches) put(b *batch) {
	if cap(b.spans) > maxKept {
		b.spans, b.fails, b.trace = nil, nil, causalityScratch{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) < runtime.GOMAXPROCS(0) {
		s.free = append(s.free, b)
	}
}
