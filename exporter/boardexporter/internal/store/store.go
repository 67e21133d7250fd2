// Package store keeps metrics in an embedded Prometheus TSDB and evaluates PromQL over it. It is the only package that
// opens the database, so that a new release of the library is met here first.
package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/util/compression"
)

// LookbackDelta is how far back an instant query looks for a sample, as in a stock Prometheus.
const LookbackDelta = 5 * time.Minute

const (
	// defaultBlockDuration is the time range of one block on disk, as in a stock Prometheus.
	defaultBlockDuration = 2 * time.Hour
	// maxMergedDuration bounds the blocks that compaction merges, as in a stock Prometheus.
	maxMergedDuration = 31 * 24 * time.Hour
	walSegmentSize    = 16 << 20
	// stripeSize is the number of locks over the series map. The library's default of 16384 costs several megabytes
	// and pays off with millions of series only.
	stripeSize = 512
)

// Options of a store. Durations and sizes have been validated by the caller.
type Options struct {
	// Directory holds the blocks and the write-ahead log. One process at a time.
	Directory string
	// Retention drops blocks whose samples are all older.
	Retention time.Duration
	// MaxBytes drops the oldest blocks when blocks, head chunks and write-ahead log are larger; 0 is no limit.
	MaxBytes int64
	// BlockDuration is the time range of the smallest block; 0 is two hours.
	BlockDuration time.Duration
	// OutOfOrderWindow is how much older than the newest sample a sample may be.
	OutOfOrderWindow time.Duration
	// MaxExemplars bounds the ring of exemplars held in memory; 0 keeps none.
	MaxExemplars int64
	// QueryTimeout ends a query.
	QueryTimeout time.Duration
	// QueryMaxSamples bounds the samples one query may hold in memory.
	QueryMaxSamples int
	Logger          *slog.Logger
}

// Store is an open database and the query engine over it. It is safe for concurrent use.
type Store struct {
	*tsdb.DB
	Engine *promql.Engine
	Parser parser.Parser
	// Metadata is the type, unit and help text of each metric received since the start.
	Metadata *Catalog
}

// Open opens or creates the database. It fails when another process holds the directory.
func Open(o Options) (*Store, error) {
	db, err := tsdb.Open(o.Directory, o.Logger, nil, o.tsdb(), nil)
	if err != nil {
		return nil, fmt.Errorf("open the store in %q (is another process using it?): %w", o.Directory, err)
	}
	p := parser.NewParser(parser.Options{})
	return &Store{
		DB:       db,
		Parser:   p,
		Metadata: newCatalog(),
		Engine: promql.NewEngine(promql.EngineOpts{
			Logger:               o.Logger,
			MaxSamples:           o.QueryMaxSamples,
			Timeout:              o.QueryTimeout,
			LookbackDelta:        LookbackDelta,
			EnableAtModifier:     true,
			EnableNegativeOffset: true,
			Parser:               p,
		}),
	}, nil
}

func (o Options) tsdb() *tsdb.Options {
	block := o.BlockDuration
	if block == 0 {
		block = defaultBlockDuration
	}
	t := tsdb.DefaultOptions()
	t.RetentionDuration = o.Retention.Milliseconds()
	t.MaxBytes = o.MaxBytes
	t.MinBlockDuration = block.Milliseconds()
	// The library's default for the largest block is the smallest one: blocks would never be merged.
	t.MaxBlockDuration = max(block, min(o.Retention/10, maxMergedDuration)).Milliseconds()
	t.OutOfOrderTimeWindow = o.OutOfOrderWindow.Milliseconds()
	t.EnableExemplarStorage = o.MaxExemplars > 0
	t.MaxExemplars = o.MaxExemplars
	t.EnableSTAsZeroSample = true
	t.WALSegmentSize = walSegmentSize
	t.WALCompression = compression.Snappy
	t.StripeSize = stripeSize
	return t
}

// Size is what the store occupies on disk, in bytes: finished blocks, and the head with its write-ahead log.
func (s *Store) Size() (blocks, head int64) {
	for _, b := range s.Blocks() {
		blocks += b.Size()
	}
	return blocks, s.Head().Size()
}

// Close ends the query engine and the database. Every sample appended before is on disk afterwards.
func (s *Store) Close() error {
	return errors.Join(s.Engine.Close(), s.DB.Close())
}

// Query evaluates an expression at one time. It serves rules and tests; requests go through the engine itself.
func (s *Store) Query(ctx context.Context, expr string, at time.Time) (promql.Vector, error) {
	q, err := s.Engine.NewInstantQuery(ctx, s.DB, nil, expr, at)
	if err != nil {
		return nil, err
	}
	defer q.Close()
	res := q.Exec(ctx)
	if res.Err != nil {
		return nil, res.Err
	}
	v, err := res.Vector()
	if err != nil {
		return nil, err
	}
	return append(promql.Vector(nil), v...), nil
}

var (
	_ storage.Queryable         = (*Store)(nil)
	_ storage.ExemplarQueryable = (*Store)(nil)
	_ storage.AppendableV2      = (*Store)(nil)
)
