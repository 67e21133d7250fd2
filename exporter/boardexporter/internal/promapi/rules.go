package promapi

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/rules"
)

type groupData struct {
	Name           string    `json:"name"`
	File           string    `json:"file"`
	Rules          []any     `json:"rules"`
	Interval       float64   `json:"interval"` // s
	Limit          int       `json:"limit"`
	EvaluationTime float64   `json:"evaluationTime"` // s
	LastEvaluation time.Time `json:"lastEvaluation"`
}

type ruleData struct {
	Name           string        `json:"name"`
	Query          string        `json:"query"`
	Labels         labels.Labels `json:"labels"`
	Health         string        `json:"health"`
	LastError      string        `json:"lastError,omitempty"`
	EvaluationTime float64       `json:"evaluationTime"` // s
	LastEvaluation time.Time     `json:"lastEvaluation"`
	Type           string        `json:"type"`
}

type alertRuleData struct {
	ruleData
	State         string        `json:"state"`
	Duration      float64       `json:"duration"`      // s
	KeepFiringFor float64       `json:"keepFiringFor"` // s
	Annotations   labels.Labels `json:"annotations"`
	Alerts        []alertData   `json:"alerts"`
}

type alertData struct {
	Labels          labels.Labels `json:"labels"`
	Annotations     labels.Labels `json:"annotations"`
	State           string        `json:"state"`
	ActiveAt        *time.Time    `json:"activeAt,omitempty"`
	KeepFiringSince *time.Time    `json:"keepFiringSince,omitempty"`
	Value           string        `json:"value"`
}

// ruleFilter is what a request for rules asks for.
type ruleFilter struct {
	kind         string // alert, record or both
	names        []string
	groups       []string
	files        []string
	matchers     [][]*labels.Matcher
	withoutAlert bool
}

func (a *API) ruleFilter(r *http.Request) (f ruleFilter, err error) {
	f = ruleFilter{
		kind: r.FormValue("type"), names: r.Form["rule_name[]"], groups: r.Form["rule_group[]"], files: r.Form["file[]"],
	}
	if f.kind != "" && f.kind != "alert" && f.kind != "record" {
		return f, badParam("type", f.kind, errors.New(`it is "alert" or "record"`))
	}
	if s := r.FormValue("exclude_alerts"); s != "" {
		if f.withoutAlert, err = strconv.ParseBool(s); err != nil {
			return f, badParam("exclude_alerts", s, errors.New("it is true or false"))
		}
	}
	f.matchers, err = a.matchParams(r)
	return f, err
}

// wants tells whether a list that may be empty for "all" holds the name.
func wants(list []string, name string) bool { return len(list) == 0 || slices.Contains(list, name) }

func (a *API) ruleGroups(r *http.Request) (answer, error) {
	f, err := a.ruleFilter(r)
	if err != nil {
		return answer{}, err
	}
	groups := []groupData{}
	for _, g := range a.rules.RuleGroups() {
		if !wants(f.groups, g.Name()) || !wants(f.files, g.File()) {
			continue
		}
		list := f.rules(g)
		if len(list) == 0 {
			continue
		}
		groups = append(groups, groupData{
			Name: g.Name(), File: g.File(), Rules: list, Interval: g.Interval().Seconds(), Limit: g.Limit(),
			EvaluationTime: g.GetEvaluationTime().Seconds(), LastEvaluation: g.GetLastEvaluation(),
		})
	}
	return answer{data: map[string]any{"groups": groups}}, nil
}

func (f ruleFilter) rules(g *rules.Group) (out []any) {
	for _, r := range g.Rules(f.matchers...) {
		if !wants(f.names, r.Name()) {
			continue
		}
		switch r := r.(type) {
		case *rules.AlertingRule:
			if f.kind != "record" {
				out = append(out, f.alertRule(r))
			}
		default:
			if f.kind != "alert" {
				out = append(out, ruleOf(r, "recording"))
			}
		}
	}
	return out
}

func ruleOf(r rules.Rule, kind string) ruleData {
	d := ruleData{
		Name: r.Name(), Query: r.Query().String(), Labels: r.Labels(), Health: string(r.Health()), Type: kind,
		EvaluationTime: r.GetEvaluationDuration().Seconds(), LastEvaluation: r.GetEvaluationTimestamp(),
	}
	if err := r.LastError(); err != nil {
		d.LastError = err.Error()
	}
	return d
}

func (f ruleFilter) alertRule(r *rules.AlertingRule) alertRuleData {
	d := alertRuleData{
		ruleData: ruleOf(r, "alerting"), State: r.State().String(), Duration: r.HoldDuration().Seconds(),
		KeepFiringFor: r.KeepFiringFor().Seconds(), Annotations: r.Annotations(), Alerts: []alertData{},
	}
	if !f.withoutAlert {
		d.Alerts = alertsOf(r)
	}
	return d
}

func alertsOf(r *rules.AlertingRule) []alertData {
	out := []alertData{}
	for _, a := range r.ActiveAlerts() {
		d := alertData{
			Labels: a.Labels, Annotations: a.Annotations, State: a.State.String(), ActiveAt: &a.ActiveAt,
			Value: strconv.FormatFloat(a.Value, 'e', -1, 64),
		}
		if !a.KeepFiringSince.IsZero() {
			d.KeepFiringSince = &a.KeepFiringSince
		}
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b alertData) int { return labels.Compare(a.Labels, b.Labels) })
	return out
}

func (a *API) alerts(*http.Request) (answer, error) {
	out := []alertData{}
	for _, r := range a.rules.AlertingRules() {
		out = append(out, alertsOf(r)...)
	}
	slices.SortStableFunc(out, func(a, b alertData) int { return labels.Compare(a.Labels, b.Labels) })
	return answer{data: map[string]any{"alerts": out}}, nil
}
