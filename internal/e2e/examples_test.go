package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

const grafana = "../../examples/grafana"

func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, into), file)
}

// What the compose file mounts is there, but for the binary, which is built. Images have a version, ports are on loopback.
func TestComposeMountsWhatIsThere(t *testing.T) {
	var compose struct {
		Services map[string]struct {
			Image          string
			Volumes, Ports []string
		}
		Volumes map[string]any
	}
	readYAML(t, filepath.Join(grafana, "compose.yaml"), &compose)
	require.Len(t, compose.Services, 3)
	for name, s := range compose.Services {
		image, version, _ := strings.Cut(s.Image, ":")
		require.NotEmpty(t, image, name)
		require.NotContains(t, []string{"", "latest"}, version, name)
		for _, p := range s.Ports {
			require.True(t, strings.HasPrefix(p, "127.0.0.1:"), p)
		}
		for _, v := range s.Volumes {
			source, _, _ := strings.Cut(v, ":")
			if _, named := compose.Volumes[source]; named || source == "../../bin/otelcol-harness" {
				continue
			}
			_, err := os.Stat(filepath.Join(grafana, source))
			require.NoError(t, err, v)
		}
	}
}

// Prometheus takes the file beside the rules it is mounted with, and is scraped as often as Grafana believes.
func TestPrometheusExample(t *testing.T) {
	var prometheus struct {
		Global struct {
			ScrapeInterval string `yaml:"scrape_interval"`
		}
	}
	file := filepath.Join(grafana, "prometheus.yml")
	readYAML(t, file, &prometheus)
	var provisioned struct {
		Datasources []struct {
			JSONData struct {
				TimeInterval string `yaml:"timeInterval"`
			} `yaml:"jsonData"`
		}
	}
	readYAML(t, "../../dashboards/generated/provisioning/datasources/harnesserr.yaml", &provisioned)
	require.Len(t, provisioned.Datasources, 1)
	require.Equal(t, prometheus.Global.ScrapeInterval, provisioned.Datasources[0].JSONData.TimeInterval)

	promtool, err := exec.LookPath("promtool")
	if err != nil {
		require.NotEqual(t, "1", os.Getenv("HARNESSERR_E2E"), "HARNESSERR_E2E=1 needs promtool on the PATH")
		t.Skip("no promtool on the PATH")
	}
	dir := t.TempDir()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "prometheus.yml"), text, 0o600))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "rules"), os.DirFS("../../dashboards/generated/rules")))
	out, err := exec.Command(promtool, "check", "config", filepath.Join(dir, "prometheus.yml")).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// Whoever builds a collector from the processor alone does not inherit Prometheus: it is required by the board only, which is
// a module of its own.
func TestProcessorBringsNoPrometheus(t *testing.T) {
	for name, args := range map[string][]string{
		"modules":  {"mod", "graph"},
		"packages": {"list", "-deps", "../../processor/harnesserrproc"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := exec.Command("go", args...).Output()
			require.NoError(t, err)
			require.Contains(t, string(out), "go.opentelemetry.io/collector")
			require.NotContains(t, string(out), "github.com/prometheus/prometheus")
		})
	}
}
