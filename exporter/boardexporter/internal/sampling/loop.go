package sampling

import (
	"context"
	"time"
)

// Run calls tick at each multiple of the interval until ctx is done. After a pause (a suspended machine) it goes on
// with the present: missed ticks are not made up for.
func (s *Sampler) Run(ctx context.Context, tick func(at time.Time)) {
	timer := time.NewTimer(s.untilNext())
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
			tick(s.opts.Now().Truncate(s.opts.Interval))
			timer.Reset(s.untilNext())
		}
	}
}

func (s *Sampler) untilNext() time.Duration {
	now := s.opts.Now()
	return now.Truncate(s.opts.Interval).Add(s.opts.Interval).Sub(now)
}
