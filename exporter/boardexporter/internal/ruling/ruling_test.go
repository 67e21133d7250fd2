package ruling

import (
	"context"
	"embed"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/prometheus/prometheus/rules"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metricstest"
	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func openStore(t *testing.T, dir string) *store.Store {
	s, err := store.Open(store.Options{
		Directory: dir, Retention: time.Hour, QueryTimeout: time.Minute, QueryMaxSamples: 1_000_000,
		Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	return s
}

func file(name, content string) fstest.MapFS {
	return fstest.MapFS{name: {Data: []byte(content)}}
}

func write(t *testing.T, name, content string) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

const anyCall = `
groups:
  - name: harness
    interval: 50ms
    rules:
      - record: harness:calls
        expr: sum by (harness_peer) (harness_calls_total)
      - alert: AnyCall
        expr: harness:calls > 0
        labels: {severity: info}
        annotations: {summary: "{{ $labels.harness_peer }}: {{ $value }}"}
`

func TestRulesFromTheBinaryAndFromDisk(t *testing.T) {
	l := Loader{BuiltIn: file("a.yaml", anyCall)}
	onDisk := write(t, "b.yml", "groups: [{name: mine, rules: [{record: one, expr: vector(1)}]}]")
	files, err := l.Files(true, []string{onDisk, filepath.Join(filepath.Dir(onDisk), "*.yml")})
	require.NoError(t, err)
	require.Equal(t, []string{"builtin:a.yaml", onDisk}, files)

	s := openStore(t, t.TempDir())
	_, err = s.NewWriter(nil).Write(t.Context(), s.AppenderV2(t.Context()),
		metricstest.Counter(metricstest.Point{Peer: "a", Value: 4, At: time.Now()}))
	require.NoError(t, err)
	m, err := Start(t.Context(), s, l, files, 50*time.Millisecond, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		for _, r := range m.AlertingRules() {
			if r.State() == rules.StateFiring {
				return r.ActiveAlerts()[0].Annotations.Get("summary") == "a: 4"
			}
		}
		return false
	}, 20*time.Second, 20*time.Millisecond)
	// The library writes ALERTS from the third evaluation on.
	require.Eventually(t, func() bool {
		for _, expr := range []string{`ALERTS{alertname="AnyCall",alertstate="firing",severity="info"}`, "harness:calls == 4", "one"} {
			v, err := s.Query(t.Context(), expr, time.Now())
			require.NoError(t, err)
			if len(v) != 1 {
				return false
			}
		}
		return true
	}, 20*time.Second, 20*time.Millisecond)
	require.Zero(t, m.Failing())
	m.Stop()
	require.NoError(t, s.Close())
}

func TestBuiltInRulesCanBeLeftOut(t *testing.T) {
	files, err := Loader{BuiltIn: file("a.yaml", anyCall)}.Files(false, nil)
	require.NoError(t, err)
	require.Empty(t, files)
	files, err = Loader{BuiltIn: embed.FS{}}.Files(true, nil)
	require.NoError(t, err)
	require.Empty(t, files)
}

func TestBadRulesStopTheStart(t *testing.T) {
	s := openStore(t, t.TempDir())
	for name, c := range map[string]struct{ content, want string }{
		"not YAML":    {"\t", "bad.yaml"},
		"no PromQL":   {"groups: [{name: g, rules: [{record: x, expr: 'sum('}]}]", "parse error"},
		"typing slip": {"groups: [{name: g, rules: [{record: x, exp: '1'}]}]", "field exp not found"},
		"two names":   {"groups: [{name: g, rules: [{record: x, alert: y, expr: '1'}]}]", "only one of"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, "bad.yaml", c.content)
			_, err := Start(t.Context(), s, Loader{BuiltIn: embed.FS{}}, []string{path}, time.Minute, slog.New(slog.DiscardHandler))
			require.ErrorContains(t, err, path)
			require.ErrorContains(t, err, c.want)
		})
	}
	require.NoError(t, s.Close())
}

func TestMissingFiles(t *testing.T) {
	l := Loader{BuiltIn: embed.FS{}}
	_, err := l.Files(true, []string{"nowhere/*.yaml"})
	require.ErrorContains(t, err, `no file matches "nowhere/*.yaml"`)
	_, err = l.Files(true, []string{"["})
	require.ErrorContains(t, err, `pattern "["`)
}

func TestARuleThatFails(t *testing.T) {
	s := openStore(t, t.TempDir())
	_, err := s.NewWriter(nil).Write(t.Context(), s.AppenderV2(t.Context()), metricstest.Counter(
		metricstest.Point{Peer: "a", Value: 4, At: time.Now()}, metricstest.Point{Peer: "b", Value: 4, At: time.Now()}))
	require.NoError(t, err)
	path := write(t, "many.yaml", `
groups:
  - name: g
    rules: [{record: x, expr: 'harness_calls_total * on () group_left () harness_calls_total'}]
`)
	m, err := Start(t.Context(), s, Loader{BuiltIn: embed.FS{}}, []string{path}, 50*time.Millisecond, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return m.Failing() == 1 }, 20*time.Second, 20*time.Millisecond)
	m.Stop()
	require.NoError(t, s.Close())
}

// TestTheClockOfAnAlertSurvivesARestart: an alert that was pending goes on waiting from where it was.
func TestTheClockOfAnAlertSurvivesARestart(t *testing.T) {
	dir := t.TempDir()
	l := Loader{BuiltIn: file("a.yaml", `
groups:
  - name: g
    interval: 50ms
    rules: [{alert: Slow, expr: vector(1), for: 1h}]
`)}
	run := func(pending time.Duration) (activeAt time.Time) {
		s := openStore(t, dir)
		ctx, cancel := context.WithCancel(t.Context())
		m, err := Start(ctx, s, l, []string{"builtin:a.yaml"}, time.Minute, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		slow := m.AlertingRules()[0]
		require.Eventually(t, func() bool {
			return slow.Restored() && len(slow.ActiveAlerts()) == 1
		}, 20*time.Second, 10*time.Millisecond)
		time.Sleep(pending)
		activeAt = slow.ActiveAlerts()[0].ActiveAt
		cancel()
		m.Stop()
		require.NoError(t, s.Close())
		return activeAt
	}
	// The time between the runs does not count, and the state is kept in whole seconds.
	first := run(5 * time.Second)
	require.WithinDuration(t, first, run(0), 4*time.Second)
}
