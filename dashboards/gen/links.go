package main

import (
	"encoding/json"
	"net/url"
	"regexp"

	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"github.com/harnesserr/harnesserr/dashboards/contract"
)

// Variables inside a link. Grafana fills them in when the link is followed.
const (
	codeOfSeries = "${__field.labels." + contract.LabelCode + "}"
	cell         = "${__value.raw}"
	cellEscaped  = "${__value.raw:percentencode}"
	keepTime     = "${__url_time_range}"
	keepSource   = "${datasource:queryparam}"
)

// column titles that links read from the row they stand in
const (
	titleService = "Service"
	titleCode    = "Code"
)

var variable = regexp.MustCompile(`%24%7B[^}]*?%7D`)

// explore is an address of Grafana's Explore with one query; the braces of
// variables stay as they are, everything else is escaped.
func explore(source, kind string, query map[string]any) string {
	query["refId"] = "A"
	query["datasource"] = map[string]string{"type": kind, "uid": source}
	panes, err := json.Marshal(map[string]any{"a": map[string]any{
		"datasource": source,
		"queries":    []any{query},
		"range":      map[string]string{"from": "${__from}", "to": "${__to}"},
	}})
	if err != nil {
		panic(err) // maps of strings
	}
	escaped := variable.ReplaceAllStringFunc(url.QueryEscape(string(panes)), func(s string) string {
		raw, err := url.QueryUnescape(s)
		if err != nil {
			return s
		}
		return raw
	})
	return "/explore?schemaVersion=1&panes=" + escaped
}

func tempoSearch(code string) string {
	return explore("${tempo}", "tempo", map[string]any{
		"queryType": "traceql", "query": `{ span.harness.error.code = "` + code + `" }`, "limit": 20,
	})
}

// jaegerSearch needs a service: Jaeger has no search without one.
func jaegerSearch(code, service string) string {
	return explore("${jaeger}", "jaeger", map[string]any{
		"queryType": "search", "service": service, "tags": "harness.error.code=" + code, "limit": 20,
	})
}

func link(title, address string) *dashboard.DashboardLinkBuilder {
	return dashboard.NewDashboardLinkBuilder(title).Url(address).TargetBlank(true)
}

func codeRunbook(code string) string { return contract.RunbookBase + "codes/" + code + ".md" }

// codeLinks lead from a series that has a code to its traces and its runbook.
func codeLinks() []*dashboard.DashboardLinkBuilder {
	return []*dashboard.DashboardLinkBuilder{
		link("Traces with this code (Tempo)", tempoSearch(codeOfSeries)),
		link("Traces with this code (Jaeger; choose one service first)", jaegerSearch(codeOfSeries, "${service}")),
		link("Runbook of this code", codeRunbook(codeOfSeries)),
	}
}

// cellLink is a link of a table cell.
type cellLink struct {
	Title       string `json:"title"`
	URL         string `json:"url"`
	TargetBlank bool   `json:"targetBlank"`
}

func cellLinks(l ...cellLink) dashboard.DynamicConfigValue { return prop("links", l) }

// peerColumn leads to One peer, with time range, data source and the variables
// of the given names kept.
func peerColumn(keep ...string) column {
	address := "/d/" + uidPeer + "?var-peer=" + cellEscaped + "&" + keepSource
	for _, v := range keep {
		address += "&${" + v + ":queryparam}"
	}
	return text(contract.LabelPeer, "Peer", cellLinks(cellLink{"Open this peer", address + "&" + keepTime, false}))
}

// codeColumn leads to the runbook and to the traces; with a service column
// beside it also to Jaeger.
func codeColumn(withService bool) column {
	l := []cellLink{
		{"Runbook of this code", codeRunbook(cell), true},
		{"Traces with this code (Tempo)", tempoSearch(cell), true},
	}
	if withService {
		l = append(l, cellLink{"Traces with this code (Jaeger)", jaegerSearch(cell, "${__data.fields."+titleService+"}"), true})
	}
	return text(contract.LabelCode, titleCode, cellLinks(l...))
}
