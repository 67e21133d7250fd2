package boardexporter

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/confighttp"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/confmaptest"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metadata"
)

func TestValidConfigs(t *testing.T) {
	conf, err := confmaptest.LoadConf(filepath.Join("testdata", "config.yaml"))
	require.NoError(t, err)
	for name, change := range map[string]func(*Config){
		"": func(*Config) {},
		"all": func(c *Config) {
			c.NetAddr.Endpoint = "0.0.0.0:9999"
			auth := confighttp.AuthConfig{}
			auth.AuthenticatorID = component.MustNewID("basicauth")
			c.Auth = configoptional.Some(auth)
			c.Directory = "/var/lib/board"
			c.Retention = 720 * time.Hour
			c.MaxBytes = 256 << 20
			c.SampleInterval = 5 * time.Second
			c.SeriesExpiration = 30 * time.Minute
			c.MaxSeries = 1000
			c.OutOfOrderWindow = 5 * time.Minute
			c.MaxExemplars = 0
			c.PromoteResourceAttributes = []string{"service.name", "deployment.environment.name"}
			c.Scrape = []string{"http://127.0.0.1:8888/metrics"}
			c.BuiltInRules = false
			c.RulesFiles = []string{"rules/*.yaml", "more.yaml"}
			c.EvaluationInterval = 30 * time.Second
			c.Query = QueryConfig{Timeout: 10 * time.Second, MaxSamples: 1000, MaxConcurrency: 2}
		},
		"as_they_come":  func(c *Config) { c.SampleInterval = 0 },
		"no_size_limit": func(c *Config) { c.MaxBytes = 0 },
		"slow_queries": func(c *Config) {
			c.WriteTimeout = 0
			c.Query.Timeout = 10 * time.Minute
		},
		"unix": func(c *Config) {
			c.NetAddr.Endpoint = "/run/board.sock"
			c.NetAddr.Transport = "unix"
		},
	} {
		t.Run(name, func(t *testing.T) {
			want := createDefaultConfig().(*Config)
			want.Directory = "data"
			change(want)
			sub, err := conf.Sub(component.NewIDWithName(metadata.Type, name).String())
			require.NoError(t, err)
			got := createDefaultConfig()
			require.NoError(t, sub.Unmarshal(got))
			require.NoError(t, confmap.Validate(got))
			require.Equal(t, want, got)
		})
	}
}

func TestInvalidConfigs(t *testing.T) {
	conf, err := confmaptest.LoadConf(filepath.Join("testdata", "config_invalid.yaml"))
	require.NoError(t, err)
	for name := range conf.ToStringMap() {
		t.Run(name, func(t *testing.T) {
			section, err := conf.Sub(name)
			require.NoError(t, err)
			sub, err := section.Sub("config")
			require.NoError(t, err)
			cfg := createDefaultConfig()
			err = sub.Unmarshal(cfg)
			if err == nil {
				err = confmap.Validate(cfg)
			}
			require.ErrorContains(t, err, section.Get("want").(string))
		})
	}
}

func TestDefaultsServeLoopbackOnly(t *testing.T) {
	require.Equal(t, "localhost:9464", createDefaultConfig().(*Config).NetAddr.Endpoint)
}
