package main

import (
	"github.com/grafana/grafana-foundation-sdk/go/bargauge"
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/statetimeline"
	"github.com/grafana/grafana-foundation-sdk/go/table"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
)

// The SDK sets no data source, hides legends and leaves colour modes empty: every
// panel and target is made by a function of this file, which sets them.

// minStep is the smallest interval a counting panel is cut into: long enough to
// hold a sample of stores that scrape once a minute.
const minStep = "1m"

const (
	unitShort   = "short"
	unitNone    = "none" // whole numbers in tables: 15230, not 15.2 K
	unitRatio   = "percentunit"
	unitSeconds = "s"
	unitFromNow = "dateTimeFromNow"
)

// Colours of what is no alarm. Alarms are coloured by thresholds alone.
const (
	calmBlue = "blue"
	calmGrey = "#8e8e8e"
)

const noFailures = "No failure in this time range"

func ptr[T any](v T) *T { return &v }

var source = common.DataSourceRef{Type: ptr("prometheus"), Uid: ptr("${datasource}")}

// explain is a panel's description: how to read it, and what to do about what
// it shows.
func explain(read, do string) string { return read + "\n\n**What to do:** " + do }

func target(ref, expr string) *prometheus.DataqueryBuilder {
	return prometheus.NewDataqueryBuilder().RefId(ref).Expr(expr).Datasource(source).EditorMode(prometheus.QueryEditorModeCode)
}

// over is a query over the time range, now at its end, rows one for a table.
func over(ref, expr, legend string) *prometheus.DataqueryBuilder {
	return target(ref, expr).Range().LegendFormat(legend)
}

func now(ref, expr, legend string) *prometheus.DataqueryBuilder {
	return target(ref, expr).Instant().LegendFormat(legend)
}

func rows(ref, expr string) *prometheus.DataqueryBuilder {
	return target(ref, expr).Instant().Format(prometheus.PromQueryFormatTable)
}

func colour(m dashboard.FieldColorModeId) *dashboard.FieldColorBuilder {
	return dashboard.NewFieldColorBuilder().Mode(m)
}

func fixed(c string) *dashboard.FieldColorBuilder {
	return colour(dashboard.FieldColorModeIdFixed).FixedColor(c)
}

// base is the colour below all thresholds, step the colour from one on.
func base(c string) dashboard.Threshold { return dashboard.Threshold{Color: c} }
func step(v float64, c string) dashboard.Threshold {
	return dashboard.Threshold{Value: ptr(v), Color: c}
}
func steps(s ...dashboard.Threshold) *dashboard.ThresholdsConfigBuilder {
	return dashboard.NewThresholdsConfigBuilder().Mode(dashboard.ThresholdsModeAbsolute).Steps(s)
}

// ratioSteps colours a failure ratio: orange from 1 %, where a 99 % objective is
// missed, red from 5 %.
func ratioSteps() *dashboard.ThresholdsConfigBuilder {
	return steps(base("green"), step(0.01, "orange"), step(0.05, "red"))
}

func lastValue() *common.ReduceDataOptionsBuilder {
	return common.NewReduceDataOptionsBuilder().Calcs([]string{"lastNotNull"})
}

func row(id uint32, title string) *dashboard.RowBuilder {
	return dashboard.NewRowBuilder(title).Id(id)
}

// number is one big figure; colourless until thresholds are set.
func number(id uint32, title, description string) *stat.PanelBuilder {
	return stat.NewPanelBuilder().Id(id).Title(title).Description(description).Datasource(source).
		Height(4).Span(6).Unit(unitShort).
		GraphMode(common.BigValueGraphModeNone).ColorMode(common.BigValueColorModeValue).
		TextMode(common.BigValueTextModeAuto).ReduceOptions(lastValue()).
		ColorScheme(fixed("text"))
}

// share is a figure in per cent with the thresholds of a failure ratio.
func share(id uint32, title, description string) *stat.PanelBuilder {
	return number(id, title, description).Unit(unitRatio).Decimals(2).NoValue("no calls").
		Thresholds(ratioSteps()).ColorScheme(colour(dashboard.FieldColorModeIdThresholds))
}

func timeline(id uint32, title, description string) *timeseries.PanelBuilder {
	return timeseries.NewPanelBuilder().Id(id).Title(title).Description(description).Datasource(source).
		Height(8).Span(8).Min(0).Unit(unitShort).Interval(minStep).
		Legend(common.NewVizLegendOptionsBuilder().ShowLegend(true).
			DisplayMode(common.LegendDisplayModeList).Placement(common.LegendPlacementBottom)).
		Tooltip(common.NewVizTooltipOptionsBuilder().Mode(common.TooltipDisplayModeMulti).Sort(common.SortOrderDescending)).
		ColorScheme(colour(dashboard.FieldColorModeIdPaletteClassic))
}

// bars counts events per interval, stacked.
func bars(id uint32, title, description string) *timeseries.PanelBuilder {
	return timeline(id, title, description).NoValue(noFailures).
		DrawStyle(common.GraphDrawStyleBars).FillOpacity(70).LineWidth(1).
		Stacking(common.NewStackingConfigBuilder().Mode(common.StackingModeNormal).Group("A"))
}

// ratios draws failure ratios per interval with their threshold lines.
func ratios(id uint32, title, description string) *timeseries.PanelBuilder {
	return timeline(id, title, description).Unit(unitRatio).NoValue("No calls in this time range").
		LineWidth(2).ShowPoints(common.VisibilityModeAuto).
		Thresholds(ratioSteps()).
		ThresholdsStyle(common.NewGraphThresholdsStyleConfigBuilder().Mode(common.GraphThresholdsStyleModeLine))
}

// seconds draws durations.
func seconds(id uint32, title, description string) *timeseries.PanelBuilder {
	return timeline(id, title, description).Unit(unitSeconds).NoValue("No calls in this time range").LineWidth(2)
}

// ranking is a list of horizontal bars, the longest first.
func ranking(id uint32, title, description string) *bargauge.PanelBuilder {
	return bargauge.NewPanelBuilder().Id(id).Title(title).Description(description).Datasource(source).
		Height(8).Span(8).Unit(unitShort).Min(0).NoValue(noFailures).
		Orientation(common.VizOrientationHorizontal).DisplayMode(common.BarGaugeDisplayModeBasic).
		ShowUnfilled(false).ReduceOptions(lastValue()).ColorScheme(fixed(calmBlue))
}

// column of a table: the field as it comes out of the queries, its title, and
// properties of its cells.
type column struct {
	field, title string
	props        []dashboard.DynamicConfigValue
}

func prop(id string, value any) dashboard.DynamicConfigValue {
	return dashboard.DynamicConfigValue{Id: id, Value: value}
}

func text(field, title string, props ...dashboard.DynamicConfigValue) column {
	return column{field, title, props}
}

func integer(field, title string) column {
	return column{field, title, []dashboard.DynamicConfigValue{prop("unit", unitNone), prop("decimals", 0)}}
}

// percent is a column of failure ratios.
func percent(field, title string) column {
	return thresholdColumn(field, title, ratioSteps(), prop("unit", unitRatio), prop("decimals", 1))
}

// thresholdColumn is a column whose text takes the colour of its thresholds.
func thresholdColumn(field, title string, t *dashboard.ThresholdsConfigBuilder, props ...dashboard.DynamicConfigValue) column {
	built, err := t.Build()
	if err != nil {
		panic(err) // thresholds are constants
	}
	return column{field, title, append(props, prop("thresholds", built),
		prop("color", map[string]any{"mode": "thresholds"}),
		prop("custom.cellOptions", map[string]any{"type": "color-text"}))}
}

// grid is a table of the given columns in their order, sorted by one of them
// from the largest down. Several targets are merged on their common labels.
func grid(id uint32, title, description string, targets []*prometheus.DataqueryBuilder, sortBy string, cols ...column) *table.PanelBuilder {
	b := table.NewPanelBuilder().Id(id).Title(title).Description(description).Datasource(source).
		Height(9).Span(12).Interval(minStep).
		ColorScheme(fixed("text")).CellHeight(common.TableCellHeightSm).
		Footer(common.NewTableFooterOptionsBuilder().Show(false).Reducer([]string{"sum"}))
	for _, t := range targets {
		b = b.WithTarget(t)
	}
	if len(targets) > 1 {
		// A merged row may lack a value, and a cell without one would show what the empty table has to say.
		b = b.WithTransformation(dashboard.DataTransformerConfig{Id: "merge", Options: map[string]any{}})
	} else {
		b = b.NoValue(noFailures)
	}
	index, rename := map[string]int{}, map[string]string{}
	for i, c := range cols {
		index[c.field], rename[c.field] = i, c.title
		if len(c.props) > 0 {
			b = b.OverrideByName(c.title, c.props)
		}
	}
	return b.
		WithTransformation(dashboard.DataTransformerConfig{Id: "organize", Options: map[string]any{
			"excludeByName": map[string]bool{"Time": true}, "indexByName": index, "renameByName": rename,
		}}).
		WithTransformation(dashboard.DataTransformerConfig{Id: "sortBy", Options: map[string]any{
			"fields": map[string]any{}, "sort": []any{map[string]any{"field": sortBy, "desc": true}},
		}})
}

// states shows when something held.
func states(id uint32, title, description string, names map[string]dashboard.ValueMappingResult) *statetimeline.PanelBuilder {
	return statetimeline.NewPanelBuilder().Id(id).Title(title).Description(description).Datasource(source).
		Height(8).Span(24).Interval(minStep).ColorScheme(fixed(calmGrey)).
		ShowValue(common.VisibilityModeNever).RowHeight(0.8).MergeValues(true).
		Legend(common.NewVizLegendOptionsBuilder().ShowLegend(true).
			DisplayMode(common.LegendDisplayModeList).Placement(common.LegendPlacementBottom)).
		Tooltip(common.NewVizTooltipOptionsBuilder().Mode(common.TooltipDisplayModeSingle).Sort(common.SortOrderNone)).
		Mappings([]dashboard.ValueMapping{{ValueMap: &dashboard.ValueMap{Type: dashboard.MappingTypeValueToText, Options: names}}})
}

func linkList(l ...*dashboard.DashboardLinkBuilder) []cog.Builder[dashboard.DashboardLink] {
	out := make([]cog.Builder[dashboard.DashboardLink], len(l))
	for i := range l {
		out[i] = l[i]
	}
	return out
}
