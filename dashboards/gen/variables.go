package main

import (
	"strings"

	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"github.com/harnesserr/harnesserr/dashboards/contract"
)

const tag = "harnesserr"

// uids of the dashboards; their files have the same names.
const (
	uidErrors = "harnesserr-agent-errors"
	uidPeer   = "harnesserr-one-peer"
	uidModel  = "harnesserr-model-provider"
	uidTools  = "harnesserr-tools-loop"
	uidBudget = "harnesserr-error-budget"
	uidHealth = "harnesserr-telemetry-health"
)

// page is a dashboard with what all of them share: data sources, the links to
// each other, the firing alerts as annotations.
func page(uid, title, description string) *dashboard.DashboardBuilder {
	return dashboard.NewDashboardBuilder(title).Uid(uid).Description(description).
		Tags([]string{tag, "generated"}).
		Readonly(). // the file is generated; edits in Grafana would be lost
		Tooltip(dashboard.DashboardCursorSyncCrosshair).
		Time("now-1h", "now").Refresh("30s").Timezone(common.TimeZoneBrowser).
		Link(dashboard.NewDashboardLinkBuilder("Agent failures").Type(dashboard.DashboardLinkTypeDashboards).
			Tags([]string{tag}).AsDropdown(true).IncludeVars(true).KeepTime(true)).
		Link(dashboard.NewDashboardLinkBuilder("Runbooks").Type(dashboard.DashboardLinkTypeLink).
			Icon("doc").Url(contract.RunbookBase + "README.md").TargetBlank(true)).
		Annotation(dashboard.NewAnnotationQueryBuilder().Name("Firing alerts").Datasource(source).
			Enable(true).IconColor("red").
			Expr(sel(contract.Alerts, eq(contract.LabelAlertState, "firing"), match(contract.LabelAlertName, alertPrefix+".*")).String()).
			TitleFormat("{{" + contract.LabelAlertName + "}}").
			TextFormat("{{" + contract.LabelPeer + "}} {{" + contract.LabelClass + "}}").
			TagKeys("severity")).
		WithVariable(dashboard.NewDatasourceVariableBuilder("datasource").Label("Data source").Type("prometheus"))
}

// withTraces adds the trace data sources that links use.
func withTraces(b *dashboard.DashboardBuilder) *dashboard.DashboardBuilder {
	return b.
		WithVariable(dashboard.NewDatasourceVariableBuilder("tempo").Label("Traces (Tempo)").Type("tempo")).
		WithVariable(dashboard.NewDatasourceVariableBuilder("jaeger").Label("Traces (Jaeger)").Type("jaeger"))
}

// withFleet adds the variables of [fleet]. extra narrows what the choices are
// taken from.
func withFleet(b *dashboard.DashboardBuilder, extra ...string) *dashboard.DashboardBuilder {
	from := sel(contract.Calls, ne(contract.LabelOperation, "")).with(extra...)
	service := match(contract.LabelService, "$service")
	return withTraces(b).
		WithVariable(many("service", "Service", from, contract.LabelService)).
		WithVariable(many("peer", "Peer", from.with(service), contract.LabelPeer)).
		WithVariable(many("operation", "Operation", from.with(service), contract.LabelOperation).AllValue(".+")).
		WithVariable(many("code", "Code", from.with(service, ne(contract.LabelCode, "")), contract.LabelCode)).
		WithVariable(classVariable())
}

func all() dashboard.VariableOption {
	return dashboard.VariableOption{
		Text:  dashboard.StringOrArrayOfString{String: ptr("All")},
		Value: dashboard.StringOrArrayOfString{String: ptr("$__all")},
	}
}

func choice(name, label string, from selector, of string) *dashboard.QueryVariableBuilder {
	return dashboard.NewQueryVariableBuilder(name).Label(label).Datasource(source).
		Query(dashboard.StringOrMap{String: ptr("label_values(" + from.String() + ", " + of + ")")}).
		Refresh(dashboard.VariableRefreshOnTimeRangeChanged).Sort(dashboard.VariableSortAlphabeticalAsc)
}

// many is a variable that holds any number of values. All also holds series
// without the label.
func many(name, label string, from selector, of string) *dashboard.QueryVariableBuilder {
	return choice(name, label, from, of).Multi(true).IncludeAll(true).AllValue(".*").Current(all())
}

// classVariable offers the failure classes only: nothing else is ever counted as
// a failure, whatever is chosen.
func classVariable() *dashboard.CustomVariableBuilder {
	classes := contract.FailureClasses()
	options := []dashboard.VariableOption{all()}
	options[0].Selected = ptr(true)
	for _, c := range classes {
		options = append(options, dashboard.VariableOption{
			Selected: ptr(false),
			Text:     dashboard.StringOrArrayOfString{String: ptr(c)},
			Value:    dashboard.StringOrArrayOfString{String: ptr(c)},
		})
	}
	return dashboard.NewCustomVariableBuilder("class").Label("Class").
		Values(dashboard.StringOrMap{String: ptr(strings.Join(classes, ","))}).Options(options).
		Multi(true).IncludeAll(true).AllValue(strings.Join(classes, "|")).Current(all())
}
