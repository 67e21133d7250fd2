package store

import (
	"context"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
)

// maxAhead is how far in the future a point may be, as in a stock Prometheus. The newest sample decides which others are
// too old, so that one wrong clock would keep everything of the present out.
const maxAhead = 10 * time.Minute

// DirectAppender stores points at their own timestamps.
func (s *Store) DirectAppender(ctx context.Context) storage.AppenderV2 {
	return direct{s.AppenderV2(ctx), time.Now().Add(maxAhead).UnixMilli()}
}

type direct struct {
	storage.AppenderV2
	latest int64 // ms
}

func (d direct) Append(ref storage.SeriesRef, ls labels.Labels, st, t int64, v float64,
	h *histogram.Histogram, fh *histogram.FloatHistogram, o storage.AOptions,
) (storage.SeriesRef, error) {
	if t > d.latest {
		return 0, ErrTooNew
	}
	return d.AppenderV2.Append(ref, ls, st, t, v, h, fh, o)
}
