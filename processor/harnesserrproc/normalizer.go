package harnesserrproc

import (
	"context"
	"fmt"
	"time"

	"go.opentelemetry.io/collector/processor"
	"go.uber.org/zap"

	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/keys"
	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/metadata"
	"github.com/harnesserr/harnesserr/processor/harnesserrproc/internal/peers"
	"github.com/harnesserr/harnesserr/redact"
	"github.com/harnesserr/harnesserr/signal"
)

// normalizer is the processor of all three signals: what the configuration amounts to, compiled once.
type normalizer struct {
	cfg     *Config
	log     *zap.Logger
	tel     *telemetry
	engine  *signal.Engine
	keys    *roles
	names   *peers.Names
	peers   *peers.Bound
	cleaner *redact.Cleaner
	payload map[keys.ID]string // configured payload attributes and what becomes of them
	pool    batches
}

func newNormalizer(set processor.Settings, cfg *Config) (*normalizer, error) {
	rules, err := cfg.userRules()
	if err != nil {
		return nil, err
	}
	p := &normalizer{cfg: cfg, log: set.Logger}
	if p.engine, err = engineOf(rules); err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	if p.names, err = peers.Load(); err != nil {
		return nil, err
	}
	if p.cleaner, err = redact.New(cfg.Redact); err != nil {
		return nil, err
	}
	p.peers = peers.NewBound(peers.Config{Max: cfg.Peers.Max, Allow: cfg.Peers.Allow, Rename: cfg.Peers.Rename, Clean: p.cleanName})
	if p.keys, err = newRoles(p.engine, cfg); err != nil {
		return nil, err
	}
	p.payload = map[keys.ID]string{}
	for key, choice := range cfg.Redact.PayloadKeys {
		if choice != redact.PayloadKeep {
			p.payload[p.keys.Find(key)] = choice
		}
	}
	builder, err := metadata.NewTelemetryBuilder(set.TelemetrySettings)
	if err != nil {
		return nil, err
	}
	p.tel = newTelemetry(builder)
	return p, nil
}

// cleanName cleans a name that is taken from telemetry, as span names are cleaned.
func (p *normalizer) cleanName(s string) string { return p.cleaner.Clean(s, redact.Name, nil) }

// engineOf compiles the tables; without own rules all processors share one engine.
func engineOf(rules []signal.UserRule) (*signal.Engine, error) {
	if len(rules) == 0 {
		return signal.Default(), nil
	}
	return signal.New(rules)
}

func (p *normalizer) shutdown(context.Context) error {
	p.tel.shutdown()
	return nil
}

// batch is the working memory of one call. It is reused, so a healthy batch allocates nothing.
type batch struct {
	p      *normalizer
	now    time.Time
	obs    observer
	rec    record
	scope  *scope   // of the log records or data points at hand
	scopes []*scope // of the spans of the batch
	named  memo[*scope]
	fails  []failing
	spans  []spanInfo
	trace  causalityScratch
	clean  redact.Report
	texts  *redact.Memory
	seen   int
	// sparing: a healthy record gets nothing, so it is only looked at.
	sparing bool
	// counts of failures by code and evidence, told to the telemetry once a batch.
	counts map[classified]int
	err    error
}

// classified is what failures are counted by.
type classified struct {
	code     string
	evidence signal.Kind
}

func newBatch(p *normalizer) *batch {
	return &batch{p: p, counts: map[classified]int{}, texts: redact.NewMemory(), rec: record{keys: p.keys, decider: p.engine.NewDecider(), vals: newValues(p.keys.Len()), spellings: map[string]providerName{}}}
}

func (p *normalizer) begin(ctx context.Context) *batch {
	b := p.pool.get()
	if b == nil {
		b = newBatch(p)
	}
	b.now, b.obs = time.Now(), observerOf(ctx)
	b.sparing = p.cfg.Annotate == annotateFailures && len(p.payload) == 0 && b.obs == nil
	return b
}

// end hands the working memory back and returns what is to become of the batch: with error_mode propagate the first
// record that could not be processed fails it.
func (p *normalizer) end(ctx context.Context, b *batch, sig string) error {
	p.tel.seen(ctx, sig, b.seen)
	for c, n := range b.counts {
		p.tel.classified(ctx, c.code, c.evidence.String(), n)
	}
	clear(b.counts)
	err := b.err
	clear(b.fails[:min(len(b.fails)+1, cap(b.fails))]) // the one behind the last was tried too
	clear(b.spans)
	b.fails, b.spans, b.scopes, b.err, b.obs, b.seen = b.fails[:0], b.spans[:0], b.scopes[:0], nil, nil, 0
	b.rec.drop()
	p.pool.put(b)
	if p.cfg.ErrorMode != modePropagate {
		return nil
	}
	return err
}

// guard runs f, which does something to one record. A panic leaves the record as it is: deciding comes before writing, and
// writing does not depend on content.
func (b *batch) guard(ctx context.Context, sig string, f func()) {
	defer b.caught(ctx, sig)
	f()
}

// each runs f on the records 0 to n-1. One that panics is passed over, and the next has its turn; healthy records do not
// pay for that.
func (b *batch) each(ctx context.Context, sig string, n int, f func(i int)) {
	for i := 0; i < n; {
		func() {
			defer b.caught(ctx, sig)
			for i < n {
				i++ // before f, so that a panic passes over the record
				f(i - 1)
			}
		}()
	}
}

// caught is deferred: it takes note of a panic and ends it.
func (b *batch) caught(ctx context.Context, sig string) {
	r := recover()
	if r == nil {
		return
	}
	if b.err == nil {
		b.err = fmt.Errorf("a record of %s could not be processed", sig)
	}
	b.p.tel.recordError(ctx, sig)
	if b.p.cfg.ErrorMode == modeIgnore {
		// What went wrong may quote content, so only its kind is logged.
		b.p.log.Warn("record passed on untouched", zap.String("signal", sig), zap.String("panic", fmt.Sprintf("%T", r)))
	}
}
