package problemexporter

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/confighttp"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/config/configretry"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/exporter/exporterhelper"

	"github.com/harnesserr/harnesserr/exporter/problemexporter/internal/sink"
	"github.com/harnesserr/harnesserr/internal/document"
)

// The sinks that Config.Sink names.
const (
	sinkHTTP   = "http"
	sinkFile   = "file"
	sinkStdout = "stdout"
)

var sinks = []string{sinkHTTP, sinkFile, sinkStdout}

const (
	defaultTimeout         = 10 * time.Second
	defaultMaxRequestBytes = 1 << 20
	// minRequestBytes is above the longest document with the default detail.
	minRequestBytes = 64 << 10
	maxRequestBytes = 64 << 20
)

// Config is the configuration of the exporter. README.md describes each key.
type Config struct {
	// ClientConfig configures the HTTP sink: endpoint, TLS, auth, headers, proxy,
	// compression, timeout.
	ClientConfig confighttp.ClientConfig `mapstructure:",squash"`

	// QueueConfig configures the queue in front of the sink, which a storage
	// extension makes persistent.
	QueueConfig configoptional.Optional[exporterhelper.QueueBatchConfig] `mapstructure:"sending_queue"`

	// RetryConfig configures the pauses between attempts. Unlike other exporters
	// this one never gives up by default (max_elapsed_time is 0).
	RetryConfig configretry.BackOffConfig `mapstructure:"retry_on_failure"`

	// Document says which records become documents.
	Document document.Config `mapstructure:",squash"`

	// Sink is where documents go: http, file or stdout. Default: http.
	Sink string `mapstructure:"sink"`

	// Format is the shape of an HTTP body: single, ndjson or array. Default: single.
	Format sink.Format `mapstructure:"format"`

	// MaxRequestBytes bounds an HTTP body of format ndjson or array before
	// compression, in bytes, from 65536 to 67108864; 0 is no limit. Default: 1 MiB.
	MaxRequestBytes int `mapstructure:"max_request_bytes"`

	// File configures the file sink.
	File FileConfig `mapstructure:"file"`

	// DeadLetter is a file for the documents that an HTTP receiver refuses for
	// good. Without it they are logged, counted and dropped.
	DeadLetter FileConfig `mapstructure:"dead_letter"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// FileConfig names a file of NDJSON and says when it is rotated.
type FileConfig struct {
	// Path of the file. Its directory is created where it is missing.
	Path string `mapstructure:"path"`

	// Rotation says when the file is put aside.
	Rotation RotationConfig `mapstructure:"rotation"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// RotationConfig says when a file is put aside and how long it is kept.
type RotationConfig struct {
	// MaxMegabytes is the size at which the file is put aside, in MiB; at least 1. Default: 100.
	MaxMegabytes int `mapstructure:"max_megabytes"`
	// MaxDays is the age at which an old file is deleted; 0: never. Default: 0.
	MaxDays int `mapstructure:"max_days"`
	// MaxBackups is the number of old files that are kept; 0: all of them. Default: 100.
	MaxBackups int `mapstructure:"max_backups"`
	// LocalTime puts the local time instead of UTC into the names of old files. Default: false.
	LocalTime bool `mapstructure:"localtime"`

	// prevent unkeyed literal initialization
	_ struct{}
}

var _ confmap.Validator = (*Config)(nil)

func createDefaultConfig() component.Config {
	client := confighttp.NewDefaultClientConfig()
	client.Timeout = defaultTimeout
	retry := configretry.NewDefaultBackOffConfig()
	retry.MaxElapsedTime = 0
	file := FileConfig{Rotation: RotationConfig{MaxMegabytes: 100, MaxBackups: 100}}
	return &Config{
		ClientConfig:    client,
		QueueConfig:     configoptional.Some(exporterhelper.NewDefaultQueueConfig()),
		RetryConfig:     retry,
		Document:        document.NewDefaultConfig(),
		Sink:            sinkHTTP,
		Format:          sink.FormatSingle,
		MaxRequestBytes: defaultMaxRequestBytes,
		File:            file,
		DeadLetter:      file,
	}
}

// Validate names the key, the value it got and what is allowed.
func (c *Config) Validate() error {
	if !slices.Contains(sink.Formats, c.Format) {
		return fmt.Errorf("format: got %q, allowed: single, ndjson, array", c.Format)
	}
	if c.MaxRequestBytes != 0 && (c.MaxRequestBytes < minRequestBytes || c.MaxRequestBytes > maxRequestBytes) {
		return fmt.Errorf("max_request_bytes: got %d, allowed: 0 (no limit) or %d to %d",
			c.MaxRequestBytes, minRequestBytes, maxRequestBytes)
	}
	switch c.Sink {
	case sinkHTTP:
		return c.validateHTTP()
	case sinkFile:
		if c.File.Path == "" {
			return errors.New(`file::path: got "", allowed with sink "file": the path of a file`)
		}
		return c.validateNoHTTP()
	case sinkStdout:
		if c.File.Path != "" {
			return fmt.Errorf(`file::path: got %q, allowed with sink "stdout": none`, c.File.Path)
		}
		return c.validateNoHTTP()
	default:
		return fmt.Errorf("sink: got %q, allowed: %s", c.Sink, strings.Join(sinks, ", "))
	}
}

func (c *Config) validateHTTP() error {
	const allowed = "an absolute URL with scheme http or https"
	u, err := url.Parse(c.ClientConfig.Endpoint)
	if err != nil {
		// The parser's own message repeats the URL, which may hold a password.
		return errors.New("endpoint: got a string that is no URL, allowed: " + allowed)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		u.RawQuery, u.Fragment = "", ""
		return fmt.Errorf("endpoint: got %q, allowed: %s", u.Redacted(), allowed)
	}
	if c.ClientConfig.Timeout <= 0 {
		return fmt.Errorf("timeout: got %s, allowed: a positive duration", c.ClientConfig.Timeout)
	}
	if c.File.Path != "" {
		return fmt.Errorf(`file::path: got %q, allowed with sink "http": none (see dead_letter)`, c.File.Path)
	}
	return nil
}

func (c *Config) validateNoHTTP() error {
	if c.ClientConfig.Endpoint != "" {
		return fmt.Errorf(`endpoint: got a value with sink %q, allowed with sink "http" only`, c.Sink)
	}
	if c.Format == sink.FormatArray {
		return fmt.Errorf(`format: got %q, allowed with sink %q: ndjson, which is what it writes`, c.Format, c.Sink)
	}
	if c.DeadLetter.Path != "" {
		return fmt.Errorf(`dead_letter::path: got %q with sink %q, allowed with sink "http" only`, c.DeadLetter.Path, c.Sink)
	}
	return nil
}

// Validate names the key, the value it got and what is allowed.
func (c *RotationConfig) Validate() error {
	switch {
	case c.MaxMegabytes < 1:
		return fmt.Errorf("max_megabytes: got %d, allowed: 1 or more", c.MaxMegabytes)
	case c.MaxDays < 0:
		return fmt.Errorf("max_days: got %d, allowed: 0 (never) or more", c.MaxDays)
	case c.MaxBackups < 0:
		return fmt.Errorf("max_backups: got %d, allowed: 0 (all) or more", c.MaxBackups)
	}
	return nil
}

func (c *FileConfig) open() (*sink.File, error) {
	return sink.NewFile(c.Path, sink.Rotation{
		MaxMegabytes: c.Rotation.MaxMegabytes,
		MaxDays:      c.Rotation.MaxDays,
		MaxBackups:   c.Rotation.MaxBackups,
		LocalTime:    c.Rotation.LocalTime,
	})
}
