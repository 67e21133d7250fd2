package problemexporter

import (
	"context"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/exporter"
)

// factory hands the same exporter to the traces and the logs pipelines of one
// configuration: two writers to one rotated file would tear it.
type factory struct {
	mu     sync.Mutex
	shared map[*Config]*problemExporter
}

func (f *factory) get(set exporter.Settings, cfg *Config) (*problemExporter, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := f.shared[cfg]; ok {
		return e, nil
	}
	e, err := newProblemExporter(set, cfg, func() { f.forget(cfg) })
	if err != nil {
		return nil, err
	}
	f.shared[cfg] = e
	return e, nil
}

func (f *factory) forget(cfg *Config) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.shared, cfg)
}

// users counts the pipelines that have started an exporter, so that the first
// opens its sinks and the last closes them.
type users struct {
	mu sync.Mutex
	n  int
}

func (u *users) start(ctx context.Context, host component.Host, open component.StartFunc) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.n == 0 {
		if err := open(ctx, host); err != nil {
			return err
		}
	}
	u.n++
	return nil
}

func (u *users) stop(ctx context.Context, closeAll component.ShutdownFunc) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.n > 1 {
		u.n--
		return nil
	}
	u.n = 0
	return closeAll(ctx) // also what never started
}
