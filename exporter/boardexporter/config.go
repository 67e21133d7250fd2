package boardexporter

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/confighttp"
	"go.opentelemetry.io/collector/confmap"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/scraping"
)

// minMaxBytes is the smallest size bound. The write-ahead log counts, but only blocks can be dropped: a bound below
// the log's usual size would drop every block as soon as it is written.
const minMaxBytes = 256 << 20

// Config of the board exporter.
type Config struct {
	// ServerConfig is the HTTP server of the API and the page. Default endpoint: localhost:9464.
	confighttp.ServerConfig `mapstructure:",squash"`

	// Directory holds the store. Required; created when missing; one process at a time.
	Directory string `mapstructure:"directory"`
	// Retention drops data older than this, a whole block at a time. Default: 360h.
	Retention time.Duration `mapstructure:"retention"`
	// MaxBytes drops the oldest blocks when the store is larger. Default: 2 GiB; 0 is no limit; at least 256 MiB.
	MaxBytes int64 `mapstructure:"max_bytes"`
	// SampleInterval is the time between two samples of a series, however often points arrive. With 0 points are
	// stored as they come, at their own timestamps: that is for replaying old data only. Default: 15s.
	SampleInterval time.Duration `mapstructure:"sample_interval"`
	// SeriesExpiration ends a series that got no point for so long. Default: 1h.
	SeriesExpiration time.Duration `mapstructure:"series_expiration"`
	// MaxSeries bounds the series that are sampled; points of further series are refused. Default: 50000.
	MaxSeries int `mapstructure:"max_series"`
	// OutOfOrderWindow is how much older than the newest sample of the store a point may be. It matters when points
	// are stored as they come. Default: 30m.
	OutOfOrderWindow time.Duration `mapstructure:"out_of_order_window"`
	// MaxExemplars bounds the exemplars, which are kept in memory; 0 keeps none. Default: 10000.
	MaxExemplars int64 `mapstructure:"max_exemplars"`
	// PromoteResourceAttributes become labels of every series. Default: service.name. The job and instance labels
	// are made from service.namespace, service.name and service.instance.id whatever is said here.
	PromoteResourceAttributes []string `mapstructure:"promote_resource_attributes"`
	// Scrape are pages in the Prometheus format that are read every SampleInterval: the collector's own metrics, which
	// can't be sent to a pipeline of the same collector without an error when it stops. Default: none.
	Scrape []string `mapstructure:"scrape"`

	// BuiltInRules evaluates the recording and alert rules that the binary holds. Default: true.
	BuiltInRules bool `mapstructure:"built_in_rules"`
	// RulesFiles are rule files of Prometheus' format; patterns are allowed.
	RulesFiles []string `mapstructure:"rules_files"`
	// EvaluationInterval is the time between two evaluations of a group that doesn't say it itself. Default: 15s.
	EvaluationInterval time.Duration `mapstructure:"evaluation_interval"`

	// Query bounds what one query may cost.
	Query QueryConfig `mapstructure:"query"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// QueryConfig bounds what queries may cost.
type QueryConfig struct {
	// Timeout ends a query. Not longer than write_timeout, which cuts the answer off. Default: 20s.
	Timeout time.Duration `mapstructure:"timeout"`
	// MaxSamples is how many samples one query may hold in memory, 16 bytes each. Default: 10000000.
	MaxSamples int `mapstructure:"max_samples"`
	// MaxConcurrency is how many queries are evaluated at once; others wait. Default: 8.
	MaxConcurrency int `mapstructure:"max_concurrency"`

	// prevent unkeyed literal initialization
	_ struct{}
}

var (
	_ confmap.Validator = (*Config)(nil)
	_ confmap.Validator = (*QueryConfig)(nil)
)

func createDefaultConfig() component.Config {
	server := confighttp.NewDefaultServerConfig()
	server.NetAddr.Endpoint = "localhost:9464"
	return &Config{
		ServerConfig:              server,
		Retention:                 15 * 24 * time.Hour,
		MaxBytes:                  2 << 30,
		SampleInterval:            15 * time.Second,
		SeriesExpiration:          time.Hour,
		MaxSeries:                 50_000,
		OutOfOrderWindow:          30 * time.Minute,
		MaxExemplars:              10_000,
		PromoteResourceAttributes: []string{"service.name"},
		BuiltInRules:              true,
		EvaluationInterval:        15 * time.Second,
		Query:                     QueryConfig{Timeout: 20 * time.Second, MaxSamples: 10_000_000, MaxConcurrency: 8},
	}
}

// Validate checks every option by itself and those that depend on each other.
func (c *Config) Validate() error {
	return errors.Join(
		c.validateServer(),
		c.validateStore(),
		c.validateSampling(),
		c.validateRules(),
	)
}

func (c *Config) validateServer() error {
	var errs error
	if c.NetAddr.Transport != "unix" {
		if _, _, err := net.SplitHostPort(c.NetAddr.Endpoint); err != nil {
			errs = fmt.Errorf("endpoint: must be host:port, got %q: %w", c.NetAddr.Endpoint, err)
		}
	}
	if c.WriteTimeout > 0 && c.Query.Timeout > c.WriteTimeout {
		errs = errors.Join(errs, fmt.Errorf("query::timeout: must not be longer than write_timeout (%s), got %s",
			c.WriteTimeout, c.Query.Timeout))
	}
	return errs
}

func (c *Config) validateStore() error {
	var errs []error
	if c.Directory == "" {
		errs = append(errs, errors.New("directory: must be the path of a folder for the store, got nothing"))
	}
	if c.Retention < time.Hour {
		errs = append(errs, fmt.Errorf("retention: must be at least 1h, got %s", c.Retention))
	}
	if c.MaxBytes != 0 && c.MaxBytes < minMaxBytes {
		errs = append(errs, fmt.Errorf("max_bytes: must be 0 (no limit) or at least %d (256 MiB), got %d", minMaxBytes, c.MaxBytes))
	}
	if c.OutOfOrderWindow < 0 {
		errs = append(errs, fmt.Errorf("out_of_order_window: must not be negative, got %s", c.OutOfOrderWindow))
	}
	if c.MaxExemplars < 0 {
		errs = append(errs, fmt.Errorf("max_exemplars: must not be negative, got %d", c.MaxExemplars))
	}
	for i, name := range c.PromoteResourceAttributes {
		if name == "" {
			errs = append(errs, fmt.Errorf("promote_resource_attributes::%d: must be the name of an attribute, got nothing", i))
		}
	}
	return errors.Join(errs...)
}

func (c *Config) validateSampling() error {
	var errs []error
	// Instant queries look back five minutes; two samples must be there for a rate.
	if s := c.SampleInterval; s != 0 && (s < time.Second || s > 2*time.Minute) {
		errs = append(errs, fmt.Errorf("sample_interval: must be 0s (store points as they come) or between 1s and 2m, got %s", s))
	}
	if c.SeriesExpiration < c.SampleInterval || c.SeriesExpiration <= 0 {
		errs = append(errs, fmt.Errorf("series_expiration: must be positive and not shorter than sample_interval (%s), got %s",
			c.SampleInterval, c.SeriesExpiration))
	}
	if c.MaxSeries <= 0 {
		errs = append(errs, fmt.Errorf("max_series: must be greater than 0, got %d", c.MaxSeries))
	}
	for i, page := range c.Scrape {
		if _, err := scraping.ParseURL(page); err != nil {
			errs = append(errs, fmt.Errorf("scrape::%d: %w", i, err))
		}
	}
	if len(c.Scrape) > 0 && c.SampleInterval == 0 {
		errs = append(errs, errors.New("scrape: needs a sample_interval, got 0s"))
	}
	return errors.Join(errs...)
}

func (c *Config) validateRules() error {
	var errs []error
	for i, p := range c.RulesFiles {
		if _, err := filepath.Match(p, ""); err != nil || p == "" {
			errs = append(errs, fmt.Errorf("rules_files::%d: must be a path or a pattern like rules/*.yaml, got %q", i, p))
		}
	}
	if c.EvaluationInterval < time.Second {
		errs = append(errs, fmt.Errorf("evaluation_interval: must be at least 1s, got %s", c.EvaluationInterval))
	}
	return errors.Join(errs...)
}

// Validate checks the bounds of queries.
func (c *QueryConfig) Validate() error {
	var errs []error
	if c.Timeout <= 0 {
		errs = append(errs, fmt.Errorf("timeout: must be positive, got %s", c.Timeout))
	}
	if c.MaxSamples <= 0 {
		errs = append(errs, fmt.Errorf("max_samples: must be greater than 0, got %d", c.MaxSamples))
	}
	if c.MaxConcurrency <= 0 {
		errs = append(errs, fmt.Errorf("max_concurrency: must be greater than 0, got %d", c.MaxConcurrency))
	}
	return errors.Join(errs...)
}
