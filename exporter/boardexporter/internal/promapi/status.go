package promapi

import (
	"maps"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

type metricData struct {
	Type string `json:"type"`
	Unit string `json:"unit"`
	Help string `json:"help"`
}

// metadata tells what the metrics are. One metric has one meaning here, so limit_per_metric changes nothing.
func (a *API) metadata(r *http.Request) (answer, error) {
	limit, err := limitParam(r, "limit")
	if err != nil {
		return answer{}, err
	}
	if _, err := limitParam(r, "limit_per_metric"); err != nil {
		return answer{}, err
	}
	metric := r.FormValue("metric")
	all := a.store.Metadata.All()
	out := map[string][]metricData{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if metric != "" && metric != name {
			continue
		}
		if limit > 0 && len(out) == limit {
			break
		}
		m := all[name]
		out[name] = []metricData{{string(m.Type), m.Unit, m.Help}}
	}
	return answer{data: out}, nil
}

type buildData struct {
	Version   string `json:"version"`
	Revision  string `json:"revision"`
	Branch    string `json:"branch"`
	BuildUser string `json:"buildUser"`
	BuildDate string `json:"buildDate"`
	GoVersion string `json:"goVersion"`
}

// buildInfo tells the version of the Prometheus library: Grafana chooses the endpoints it uses by it.
func (*API) buildInfo(*http.Request) (answer, error) {
	return answer{data: buildData{Version: version(), GoVersion: runtime.Version()}}, nil
}

// assumedVersion answers where the binary doesn't say which release it holds, as in tests.
const assumedVersion = "3.12.0"

// version is the release of Prometheus whose library is linked: module v0.312.0 is Prometheus 3.12.0.
var version = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return assumedVersion
	}
	for _, m := range info.Deps {
		if m.Path == "github.com/prometheus/prometheus" {
			return release(m.Version)
		}
	}
	return assumedVersion
})

// release turns v0.312.1 into 3.12.1.
func release(module string) string {
	part := strings.Split(strings.TrimPrefix(module, "v0."), ".")
	if len(part) != 2 || len(part[0]) != 3 {
		return assumedVersion
	}
	return part[0][:1] + "." + strings.TrimPrefix(part[0][1:], "0") + "." + part[1]
}
