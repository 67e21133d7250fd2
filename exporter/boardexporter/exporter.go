package boardexporter

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/prometheus/storage"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.uber.org/zap"
	"go.uber.org/zap/exp/zapslog"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metadata"
	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/ruling"
	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/sampling"
	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/scraping"
	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/store"
)

// board ties the parts together: points go through the writer into the sampler (or the store), ticks from the sampler
// into the store; rules and the API read the store.
type board struct {
	cfg       *Config
	set       component.TelemetrySettings
	assets    assets
	telemetry *metadata.TelemetryBuilder

	store   *store.Store
	writer  *store.Writer
	sampler *sampling.Sampler // nil when points are stored as they come
	scraper *scraping.Scraper // nil when nothing is scraped
	rules   *ruling.Manager
	server  *http.Server
	address string // where the server listens

	cancel     context.CancelFunc
	background sync.WaitGroup
}

func newBoard(cfg *Config, set component.TelemetrySettings, a assets) (*board, error) {
	tb, err := metadata.NewTelemetryBuilder(set)
	if err != nil {
		return nil, err
	}
	return &board{cfg: cfg, set: set, assets: a, telemetry: tb}, nil
}

func (b *board) start(ctx context.Context, host component.Host) error {
	if err := b.open(ctx, host); err != nil {
		return errors.Join(err, b.shutdown(ctx))
	}
	return nil
}

func (b *board) open(ctx context.Context, host component.Host) (err error) {
	log := slog.New(zapslog.NewHandler(b.set.Logger.Core()))
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	b.cancel = cancel
	if b.store, err = store.Open(store.Options{
		Directory: b.cfg.Directory, Retention: b.cfg.Retention, MaxBytes: b.cfg.MaxBytes,
		OutOfOrderWindow: b.cfg.OutOfOrderWindow, MaxExemplars: b.cfg.MaxExemplars,
		QueryTimeout: b.cfg.Query.Timeout, QueryMaxSamples: b.cfg.Query.MaxSamples, Logger: log,
	}); err != nil {
		return fmt.Errorf("directory: %w", err)
	}
	b.writer = b.store.NewWriter(b.cfg.PromoteResourceAttributes)
	loader := ruling.Loader{BuiltIn: b.assets.rules}
	files, err := loader.Files(b.cfg.BuiltInRules, b.cfg.RulesFiles)
	if err != nil {
		return fmt.Errorf("rules_files: %w", err)
	}
	if b.rules, err = ruling.Start(running, b.store, loader, files, b.cfg.EvaluationInterval, log); err != nil {
		return err
	}
	if b.cfg.SampleInterval > 0 {
		b.startSampling(running)
	}
	if len(b.cfg.Scrape) > 0 {
		if b.scraper, err = scraping.Start(b.cfg.Scrape, b.cfg.SampleInterval, scraped{b.sampler}, log); err != nil {
			return fmt.Errorf("scrape: %w", err)
		}
	}
	if err := b.observe(); err != nil {
		return err
	}
	return b.serve(running, host)
}

func (b *board) startSampling(ctx context.Context) {
	b.sampler = sampling.New(b.store, sampling.Options{
		Interval: b.cfg.SampleInterval, Expiration: b.cfg.SeriesExpiration, MaxSeries: b.cfg.MaxSeries,
	})
	b.background.Go(func() {
		b.sampler.Run(ctx, func(at time.Time) { b.sample(ctx, at) })
	})
}

// scraped takes what is scraped like points that are pushed.
type scraped struct{ sampler *sampling.Sampler }

func (s scraped) AppenderV2(context.Context) storage.AppenderV2 { return s.sampler.Appender() }

// sample writes one sample of every series. What could not be written is logged: the points were accepted long ago.
func (b *board) sample(ctx context.Context, at time.Time) {
	if err := b.tick(context.WithoutCancel(ctx), at); err != nil {
		b.set.Logger.Error("Could not write all samples", zap.Error(err))
	}
}

func (b *board) tick(ctx context.Context, at time.Time) error {
	began := time.Now()
	t, err := b.sampler.Tick(ctx, at)
	b.record(ctx, t, time.Since(began))
	if n := len(t.Refused); n > 0 {
		err = errors.Join(err, fmt.Errorf("%d samples refused, the first: %w", n, t.Refused[0]))
	}
	return err
}

// push takes a batch. A point that can't be stored now can't be stored later either, so the error is permanent; the
// rest of the batch is kept.
func (b *board) push(ctx context.Context, md pmetric.Metrics) error {
	var app storage.AppenderV2
	if b.sampler != nil {
		app = b.sampler.Appender()
	} else {
		app = b.store.DirectAppender(ctx)
	}
	refusals, err := b.writer.Write(ctx, app, md)
	b.refused(ctx, refusals.ByReason)
	if err != nil {
		return err
	}
	if err := refusals.Err(); err != nil {
		return consumererror.NewPermanent(err)
	}
	return nil
}

// shutdown ends what was started, in the reverse order. What came since the last tick is written. The collector calls it
// again after a start that failed.
func (b *board) shutdown(ctx context.Context) error {
	var errs []error
	if b.cancel != nil {
		b.cancel()
	}
	if b.server != nil {
		errs = append(errs, b.server.Shutdown(ctx))
	}
	b.telemetry.Shutdown()
	if b.scraper != nil {
		b.scraper.Stop()
	}
	if b.rules != nil {
		b.rules.Stop()
	}
	b.background.Wait()
	if b.sampler != nil {
		errs = append(errs, b.tick(context.WithoutCancel(ctx), time.Now()))
	}
	if b.store != nil {
		errs = append(errs, b.store.Close())
	}
	b.server, b.scraper, b.rules, b.sampler, b.store = nil, nil, nil, nil, nil
	return errors.Join(errs...)
}
