package sampling

import (
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metricstest"
	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const interval = 15 * time.Second

// TestScripts runs every section of testdata/ticks/*.txtar against a real store, with the clock driven by hand.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/ticks/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		archive, err := txtar.ParseFile(f)
		require.NoError(t, err)
		for _, section := range archive.Files {
			t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar")+"/"+section.Name, func(t *testing.T) {
				runScript(t, string(section.Data))
			})
		}
	}
}

// script is a board with nothing around it.
type script struct {
	t       *testing.T
	clock   time.Time
	options Options
	store   *store.Store
	writer  *store.Writer
	sampler *Sampler
	refused error
	late    int
}

func openStore(t testing.TB, dir string) *store.Store {
	s, err := store.Open(store.Options{
		Directory: dir, Retention: 1000 * time.Hour, OutOfOrderWindow: 30 * time.Minute, MaxExemplars: 100,
		QueryTimeout: time.Minute, QueryMaxSamples: 10_000_000, Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func runScript(t *testing.T, text string) {
	s := &script{t: t, clock: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), store: openStore(t, t.TempDir())}
	s.writer = s.store.NewWriter(nil)
	s.options = Options{
		Interval: interval, Expiration: time.Hour, MaxSeries: 100, Now: func() time.Time { return s.clock },
	}
	s.sampler = New(s.store, s.options)
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		word := strings.Fields(line)
		if len(word) == 0 {
			continue
		}
		do, ok := map[string]func(args []string) error{
			"options": s.setOptions, "restart": s.restart, "push": s.push, "stale": s.stale,
			"tick": s.tick, "wait": s.wait, "expect": s.expect, "refused": s.expectRefused, "late": s.expectLate, "live": s.expectLive,
		}[word[0]]
		require.Truef(t, ok, "line %d: unknown word %q", n+1, word[0])
		require.NoErrorf(t, do(word[1:]), "line %d: %s", n+1, line)
	}
}

// setOptions reads expiration= and max_series=; the sampler begins anew.
func (s *script) setOptions(args []string) (err error) {
	for _, a := range args {
		key, val, _ := strings.Cut(a, "=")
		switch key {
		case "expiration":
			s.options.Expiration, err = time.ParseDuration(val)
		case "max_series":
			s.options.MaxSeries, err = strconv.Atoi(val)
		default:
			err = fmt.Errorf("unknown option %q", key)
		}
		if err != nil {
			return err
		}
	}
	return s.restart(nil)
}

// restart is a new sampler over the same store, as after a restart of the collector.
func (s *script) restart([]string) error {
	s.sampler = New(s.store, s.options)
	return nil
}

// push reads: PEER VALUE [start=-1h|now|none] [at=-10s].
func (s *script) push(args []string) error {
	v, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil {
		return err
	}
	p := metricstest.Point{Peer: args[0], Value: v, At: s.clock, Start: s.clock}
	for _, a := range args[2:] {
		key, val, _ := strings.Cut(a, "=")
		t, err := s.moment(val)
		if err != nil {
			return err
		}
		if key == "start" {
			p.Start = t
		} else {
			p.At = t
		}
	}
	return s.write(p)
}

// stale pushes "no recorded value" for a peer.
func (s *script) stale(args []string) error {
	return s.write(metricstest.Point{Peer: args[0], At: s.clock, Stale: true})
}

func (s *script) write(p metricstest.Point) error {
	refusals, err := s.writer.Write(s.t.Context(), s.sampler.Appender(), metricstest.Counter(p))
	s.refused = refusals.Err()
	return err
}

func (s *script) moment(word string) (time.Time, error) {
	switch word {
	case "none":
		return time.Time{}, nil
	case "now":
		return s.clock, nil
	}
	d, err := time.ParseDuration(word)
	return s.clock.Add(d), err
}

// tick reads a number of ticks, or a duration full of them.
func (s *script) tick(args []string) error {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		d, err := time.ParseDuration(args[0])
		if err != nil {
			return err
		}
		n = int(d / interval)
	}
	for range n {
		s.clock = s.clock.Add(interval)
		t, err := s.sampler.Tick(s.t.Context(), s.clock)
		if err != nil || len(t.Refused) > 0 {
			return fmt.Errorf("tick: %w %v", err, t.Refused)
		}
		s.late += t.Late
	}
	return nil
}

func (s *script) wait(args []string) error {
	d, err := time.ParseDuration(args[0])
	s.clock = s.clock.Add(d)
	return err
}

// expect reads a number or "nothing" and an expression. COUNT(PEER, RANGE) stands for the counting expression.
func (s *script) expect(args []string) error {
	expr := strings.Join(args[1:], " ")
	if peer, r, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(expr, "COUNT("), ")"), ", "); ok && strings.HasPrefix(expr, "COUNT(") {
		expr = countExpr(fmt.Sprintf("%s{harness_peer=%q}", metricstest.Series, peer), r)
	}
	v, err := s.store.Query(s.t.Context(), expr, s.clock)
	if err != nil {
		return err
	}
	if args[0] == "nothing" {
		require.Empty(s.t, v, expr)
		return nil
	}
	want, err := strconv.ParseFloat(args[0], 64)
	if err != nil {
		return err
	}
	require.Len(s.t, v, 1, expr)
	if got := math.Round(v[0].F*100) / 100; got != want {
		return fmt.Errorf("got %v", v[0].F)
	}
	return nil
}

func (s *script) expectRefused([]string) error {
	require.ErrorIs(s.t, s.refused, store.ErrSeriesLimit)
	return nil
}

func (s *script) expectLate(args []string) error {
	require.Equal(s.t, args[0], strconv.Itoa(s.late))
	return nil
}

func (s *script) expectLive(args []string) error {
	require.Equal(s.t, args[0], strconv.Itoa(s.sampler.Live()))
	return nil
}

// countExpr is the expression that the dashboards count with: exact for whole numbers, the first one included.
func countExpr(m, r string) string {
	text, err := os.ReadFile("testdata/count.promql")
	if err != nil {
		panic(err)
	}
	return strings.NewReplacer("$m", m, "$R", r).Replace(string(text))
}
