package dashboards_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/harnesserr/harnesserr/dashboards"
	"github.com/harnesserr/harnesserr/dashboards/contract"
	"github.com/harnesserr/harnesserr/registry"
)

func TestDashboards(t *testing.T) {
	names, err := fs.Glob(dashboards.Dashboards(), "*.json")
	require.NoError(t, err)
	require.Len(t, names, 6)
	for _, name := range names {
		raw, err := fs.ReadFile(dashboards.Dashboards(), name)
		require.NoError(t, err)
		var d struct {
			UID    string
			Panels []any
		}
		require.NoError(t, json.Unmarshal(raw, &d), name)
		require.Equal(t, strings.TrimSuffix(name, ".json"), d.UID)
		require.NotEmpty(t, d.Panels)
	}
}

func TestRulesAndProvisioning(t *testing.T) {
	for _, c := range []struct {
		files fs.FS
		names []string
	}{
		{dashboards.Rules(), []string{"recording.yaml", "alerts.yaml"}},
		{dashboards.Provisioning(), []string{"alerting/harnesserr.yaml", "dashboards/harnesserr.yaml", "datasources/harnesserr.yaml"}},
	} {
		for _, name := range c.names {
			raw, err := fs.ReadFile(c.files, name)
			require.NoError(t, err)
			var v map[string]any
			require.NoError(t, yaml.Unmarshal(raw, &v), name)
			require.NotEmpty(t, v, name)
		}
	}
}

// TestRunbooks asks for a page for every code, with text beyond the generated facts.
func TestRunbooks(t *testing.T) {
	for _, e := range registry.All() {
		raw, err := fs.ReadFile(dashboards.Runbooks(), "codes/"+e.Code+".md")
		require.NoError(t, err)
		require.Contains(t, string(raw), "## What to try", e.Code)
		require.Greater(t, len(raw), 600, e.Code)
	}
	index, err := fs.ReadFile(dashboards.Runbooks(), "README.md")
	require.NoError(t, err)
	require.Contains(t, string(index), registry.OutputTruncated)
}

// TestDimensions compares the attributes of the connector with the labels that
// come out of it.
func TestDimensions(t *testing.T) {
	var labels []string
	for _, d := range contract.Dimensions() {
		labels = append(labels, strings.ReplaceAll(d, ".", "_"))
	}
	require.ElementsMatch(t, labels, []string{
		contract.LabelOperation, contract.LabelPeer, contract.LabelMethod,
		contract.LabelCode, contract.LabelClass, contract.LabelOrigin, contract.LabelAction,
		contract.LabelReason, contract.LabelTaskState,
		contract.LabelPropagated, contract.LabelHandled, contract.LabelMirror, contract.LabelModel,
	})
}

// TestSelfMetrics compares the processor's metadata with the names that Telemetry
// health reads.
func TestSelfMetrics(t *testing.T) {
	raw, err := os.ReadFile("../processor/harnesserrproc/metadata.yaml")
	require.NoError(t, err)
	var metadata struct {
		Telemetry struct{ Metrics map[string]any }
	}
	require.NoError(t, yaml.Unmarshal(raw, &metadata))
	var names []string
	for name := range metadata.Telemetry.Metrics {
		names = append(names, "otelcol_"+name+"_total")
	}
	require.ElementsMatch(t, names, []string{
		contract.RecordsSeen, contract.Classified, contract.Fallbacks, contract.RecordErrors,
		contract.Redactions, contract.PeersFolded, contract.PointsUnmerged,
	})
}
