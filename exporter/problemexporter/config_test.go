package problemexporter

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"gopkg.in/yaml.v3"

	"github.com/harnesserr/harnesserr/exporter/problemexporter/internal/sink"
)

func TestConfig(t *testing.T) {
	text, err := os.ReadFile("testdata/config.yaml")
	require.NoError(t, err)
	var cases []struct {
		Name   string
		Config map[string]any
		Error  string
	}
	require.NoError(t, yaml.Unmarshal(text, &cases))
	require.NotEmpty(t, cases)
	for _, tc := range cases {
		t.Run(tc.Name, func(t *testing.T) {
			cfg := createDefaultConfig()
			err := confmap.NewFromStringMap(tc.Config).Unmarshal(cfg)
			if err == nil {
				err = confmap.Validate(cfg)
			}
			if tc.Error == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tc.Error)
			}
		})
	}
}

func TestConfigValuesReachTheirFields(t *testing.T) {
	cfg := config(t, map[string]any{
		"endpoint":          "https://tickets.example/problems",
		"timeout":           "3s",
		"format":            "ndjson",
		"max_request_bytes": 70000,
		"include":           []any{"handled"},
		"max_detail_bytes":  100,
		"dead_letter": map[string]any{"path": "dead.ndjson", "rotation": map[string]any{
			"max_megabytes": 2, "max_days": 3, "max_backups": 4, "localtime": true,
		}},
		"sending_queue": map[string]any{"queue_size": 7},
	})
	require.Equal(t, "https://tickets.example/problems", cfg.ClientConfig.Endpoint)
	require.Equal(t, 3*time.Second, cfg.ClientConfig.Timeout)
	require.Equal(t, sink.FormatNDJSON, cfg.Format)
	require.Equal(t, 70000, cfg.MaxRequestBytes)
	require.Equal(t, []string{"handled"}, cfg.Document.Include)
	require.Equal(t, 100, cfg.Document.MaxDetailBytes)
	require.Equal(t, "dead.ndjson", cfg.DeadLetter.Path)
	require.Equal(t, RotationConfig{MaxMegabytes: 2, MaxDays: 3, MaxBackups: 4, LocalTime: true}, cfg.DeadLetter.Rotation)
	require.Equal(t, int64(7), cfg.QueueConfig.Get().QueueSize)
}

func TestDefaults(t *testing.T) {
	cfg := createDefaultConfig().(*Config)
	require.NoError(t, componenttest.CheckConfigStruct(cfg))
	require.Equal(t, sinkHTTP, cfg.Sink)
	require.Equal(t, sink.FormatSingle, cfg.Format)
	require.Equal(t, 10*time.Second, cfg.ClientConfig.Timeout)
	require.Equal(t, time.Duration(0), cfg.RetryConfig.MaxElapsedTime, "it never gives up")
	require.True(t, cfg.QueueConfig.HasValue())
	require.Equal(t, RotationConfig{MaxMegabytes: 100, MaxBackups: 100}, cfg.File.Rotation)
	require.Error(t, confmap.Validate(cfg), "an endpoint is required")
}
