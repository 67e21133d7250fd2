package main

import (
	"strings"
)

// prometheusUID is the data source that the alerts ask: a Grafana alert cannot
// follow a variable, so its data source has a fixed uid.
const prometheusUID = "prometheus"

const folder = "harnesserr"

// What Grafana reads from provisioning/alerting at start.
type (
	provisionedAlerts struct {
		APIVersion int                `yaml:"apiVersion"`
		Groups     []provisionedGroup `yaml:"groups"`
	}
	provisionedGroup struct {
		OrgID    int                `yaml:"orgId"`
		Name     string             `yaml:"name"`
		Folder   string             `yaml:"folder"`
		Interval string             `yaml:"interval"`
		Rules    []provisionedAlert `yaml:"rules"`
	}
	provisionedAlert struct {
		UID          string            `yaml:"uid"`
		Title        string            `yaml:"title"`
		Condition    string            `yaml:"condition"`
		Data         []provisionedData `yaml:"data"`
		DashboardUID string            `yaml:"dashboardUid"`
		PanelID      int               `yaml:"panelId"`
		NoDataState  string            `yaml:"noDataState"`
		ExecErrState string            `yaml:"execErrState"`
		For          string            `yaml:"for"`
		Annotations  map[string]string `yaml:"annotations"`
		Labels       map[string]string `yaml:"labels"`
		IsPaused     bool              `yaml:"isPaused"`
	}
	provisionedData struct {
		RefID         string         `yaml:"refId"`
		RelativeRange map[string]int `yaml:"relativeTimeRange"`
		DatasourceUID string         `yaml:"datasourceUid"`
		Model         map[string]any `yaml:"model"`
	}
)

// grafanaAlerts are the alerts of [alerts] for Grafana's own engine. Those about
// budgets read recorded series, so the store has to evaluate recording.yaml.
func grafanaAlerts() provisionedAlerts {
	g := provisionedGroup{OrgID: 1, Name: "harnesserr-alerts", Folder: folder, Interval: "1m"}
	for _, a := range alerts() {
		g.Rules = append(g.Rules, provisionedAlert{
			UID:       strings.ToLower(strings.TrimSuffix(a.name+"-"+a.variant, "-")),
			Title:     a.title(),
			Condition: "B",
			Data: []provisionedData{
				{"A", map[string]int{"from": 600, "to": 0}, prometheusUID, map[string]any{
					"refId": "A", "expr": a.expr, "instant": true, "range": false, "editorMode": "code",
				}},
				// The expression has samples only where the alert holds, and all of them are above 0.
				{"B", map[string]int{"from": 600, "to": 0}, "__expr__", map[string]any{
					"refId": "B", "type": "threshold", "expression": "A",
					"datasource": map[string]string{"type": "__expr__", "uid": "__expr__"},
					"conditions": []any{map[string]any{"evaluator": map[string]any{"type": "gt", "params": []int{0}}}},
				}},
			},
			DashboardUID: a.uid, PanelID: a.panel,
			NoDataState: "OK", ExecErrState: "Error",
			For:         duration(a.hold),
			Annotations: grafanaTemplates(a.annotations()),
			Labels:      a.labels(),
		})
	}
	return provisionedAlerts{1, []provisionedGroup{g}}
}

// grafanaTemplates puts the query's value where Prometheus has $value, which in
// Grafana is a text about all queries.
func grafanaTemplates(m map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[k] = strings.ReplaceAll(v, "$value", "$values.A.Value")
	}
	return out
}

// grafanaDashboards tells Grafana to read the JSON files from path.
func grafanaDashboards(path string) any {
	return map[string]any{"apiVersion": 1, "providers": []any{map[string]any{
		"name": folder, "folder": folder, "type": "file", "allowUiUpdates": false,
		"options": map[string]any{"path": path},
	}}}
}

// grafanaDatasources is a Prometheus with the uid the alerts ask for. timeInterval
// is the scrape interval; exemplars lead to Tempo, if there is one.
func grafanaDatasources() any {
	return map[string]any{"apiVersion": 1, "datasources": []any{map[string]any{
		"name": "Prometheus", "uid": prometheusUID, "type": "prometheus", "access": "proxy",
		"url": "${PROMETHEUS_URL}", "isDefault": true,
		"jsonData": map[string]any{
			"timeInterval": "15s", "httpMethod": "POST", "prometheusType": "Prometheus",
			"exemplarTraceIdDestinations": []any{map[string]any{"name": "trace_id", "datasourceUid": "tempo"}},
		},
	}}}
}
