// Package scraping reads pages in the Prometheus format, such as the collector's own metrics, with Prometheus' own scraper.
package scraping

import (
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/config"
	"github.com/prometheus/prometheus/discovery/targetgroup"
	"github.com/prometheus/prometheus/scrape"
	"github.com/prometheus/prometheus/storage"
	"gopkg.in/yaml.v3"
)

// job is the value of the label job on what is read; instance is the host and port of the page.
const job = "scrape"

// maxTimeout ends a scrape; a shorter interval does so earlier.
const maxTimeout = 10 * time.Second

// Scraper reads pages again and again.
type Scraper struct {
	manager *scrape.Manager
	running sync.WaitGroup
}

// ParseURL checks the address of a page: http or https, with a host.
func ParseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("must be a URL like http://127.0.0.1:8888/metrics, got %q", text)
	}
	return u, nil
}

// Start begins to read the pages, once an interval, into a store.
func Start(pages []string, interval time.Duration, into storage.AppendableV2, log *slog.Logger) (*Scraper, error) {
	cfg, targets, err := configure(pages, interval, log)
	if err != nil {
		return nil, err
	}
	// The sampler must know what is a counter, to write a 0 before its first sample.
	o := &scrape.Options{DiscoveryReloadOnStartup: true, AppendMetadata: true}
	m, err := scrape.NewManager(o, log, nil, nil, into, prometheus.NewRegistry())
	if err != nil {
		return nil, err
	}
	if err := m.ApplyConfig(cfg); err != nil {
		return nil, err
	}
	s := &Scraper{manager: m}
	sets := make(chan map[string][]*targetgroup.Group, 1)
	sets <- targets
	s.running.Go(func() { _ = m.Run(sets) }) // nil, once the manager is stopped
	return s, nil
}

// configure writes what Prometheus would be told, a job for each page.
func configure(pages []string, interval time.Duration, log *slog.Logger) (*config.Config, map[string][]*targetgroup.Group, error) {
	var jobs []map[string]any
	targets := map[string][]*targetgroup.Group{}
	for _, page := range pages {
		u, err := ParseURL(page)
		if err != nil {
			return nil, nil, err
		}
		jobs = append(jobs, map[string]any{
			"job_name": page, "scheme": u.Scheme, "metrics_path": u.Path, "params": u.Query(),
			"scrape_interval": interval.String(), "scrape_timeout": min(interval, maxTimeout).String(),
		})
		targets[page] = []*targetgroup.Group{{
			Source:  page,
			Targets: []model.LabelSet{{model.AddressLabel: model.LabelValue(u.Host)}},
			Labels:  model.LabelSet{model.JobLabel: job},
		}}
	}
	text, err := yaml.Marshal(map[string]any{"scrape_configs": jobs})
	if err != nil {
		return nil, nil, err
	}
	cfg, err := config.Load(string(text), log)
	return cfg, targets, err
}

// Stop ends the scrapes, also one that is under way.
func (s *Scraper) Stop() {
	s.manager.Stop()
	s.running.Wait()
}
