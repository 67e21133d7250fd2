// Package ruling evaluates recording and alert rules over the store.
package ruling

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/rules"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/store"
)

const (
	// outageTolerance is the longest stop after which the `for` clock of an alert goes on.
	outageTolerance = time.Hour
	// forGracePeriod is the shortest `for` whose clock is restored. Stock Prometheus takes ten minutes, which forgets
	// every shorter alert at a restart.
	forGracePeriod = time.Minute
	resendDelay    = time.Minute
)

// Manager evaluates rule groups. There is no notifier: firing alerts are read from the API and from ALERTS.
type Manager struct {
	*rules.Manager
	done chan struct{}
}

// Start loads the rule files and begins to evaluate them. A name that begins with [BuiltIn] is read from the loader's
// built-in files. The error names the file and the rule that is wrong.
func Start(ctx context.Context, s *store.Store, l Loader, files []string, every time.Duration, log *slog.Logger) (*Manager, error) {
	l.parser = s.Parser
	// The manager only logs what is wrong, so the files are read here first.
	for _, f := range files {
		if _, errs := l.Load(f, false, model.UTF8Validation); len(errs) > 0 {
			return nil, fmt.Errorf("rules in %s: %w", f, errors.Join(errs...))
		}
	}
	m := &Manager{done: make(chan struct{}), Manager: rules.NewManager(&rules.ManagerOptions{
		Appendable:             s,
		Queryable:              s,
		QueryFunc:              rules.EngineQueryFunc(s.Engine, s),
		Context:                ctx,
		ExternalURL:            &url.URL{},
		NotifyFunc:             func(context.Context, string, ...*rules.Alert) {},
		Logger:                 log,
		OutageTolerance:        outageTolerance,
		ForGracePeriod:         forGracePeriod,
		ResendDelay:            resendDelay,
		DefaultRuleQueryOffset: func() time.Duration { return 0 },
		GroupLoader:            l,
		Parser:                 s.Parser,
	})}
	if err := m.Update(every, files, labels.EmptyLabels(), "", nil); err != nil {
		return nil, fmt.Errorf("load rules: %w", err)
	}
	go func() {
		defer close(m.done)
		m.Run()
	}()
	return m, nil
}

// Stop waits for the evaluations under way and ends.
func (m *Manager) Stop() {
	m.Manager.Stop()
	<-m.done
}

// Failing is the number of rules whose last evaluation failed.
func (m *Manager) Failing() (n int) {
	for _, r := range m.Rules() {
		if r.Health() == rules.HealthBad {
			n++
		}
	}
	return n
}
