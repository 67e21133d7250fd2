// Command run is `make run`: it starts the collector on the quick start configuration, feeds it the sample telemetry, shows
// what became of it and where to look, and goes on until it is interrupted. Everything it started ends with it.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.collector, "collector", "bin/otelcol-harness", "the collector's binary")
	flag.StringVar(&o.cli, "cli", "bin/harnesserr", "the command line's binary")
	flag.StringVar(&o.config, "config", "examples/quickstart.yaml", "the collector's configuration")
	flag.StringVar(&o.telemetry, "telemetry", "testdata/fleet", "a directory of OTLP/JSON files")
	flag.StringVar(&o.rate, "rate", "2", "payloads a second, after the first round")
	flag.DurationVar(&o.duration, "duration", 0, "stop after this time; 0 is until Ctrl-C")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
		os.Exit(1)
	}
}

type options struct {
	collector, cli, config, telemetry, rate string
	duration                                time.Duration
}

// listeners are the addresses of the quick start configuration.
var listeners = []struct{ address, purpose string }{
	{"127.0.0.1:4317", "OTLP over gRPC"},
	{"127.0.0.1:4318", "OTLP over HTTP"},
	{"127.0.0.1:9464", "the page"},
	{"127.0.0.1:9465", "the counters"},
	{"127.0.0.1:8888", "the collector's own metrics"},
	{"127.0.0.1:13133", "the collector's health"},
}

const (
	healthURL   = "http://127.0.0.1:13133/status"
	pageURL     = "http://127.0.0.1:9464/"
	countersURL = "http://127.0.0.1:9465/metrics"
	startLimit  = time.Minute
	// stopLimit is how long a process may take to end before it is killed.
	stopLimit = 15 * time.Second
)

func run(ctx context.Context, o options) error {
	files, err := filepath.Glob(filepath.Join(o.telemetry, "*.json"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no *.json in %s", o.telemetry)
	}
	if err := portsFree(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c, err := startCollector(ctx, o)
	if err != nil {
		return err
	}
	// The collector ends last, so that what replay sent is counted.
	err = feed(ctx, o, files, c)
	cancel()
	return errors.Join(err, c.wait())
}

// feed replays until the context, the collector or the duration ends.
func feed(ctx context.Context, o options, files []string, c *collector) error {
	if err := c.ready(ctx); err != nil {
		return ignoreInterrupt(ctx, err)
	}
	if err := command(ctx, o.cli, append([]string{"replay", "--quiet"}, files...)...).Run(); err != nil {
		return ignoreInterrupt(ctx, fmt.Errorf("replay: %w", err))
	}
	s, err := summarize(ctx, o.cli, files)
	if err != nil {
		return ignoreInterrupt(ctx, err)
	}
	s.print(os.Stdout)
	fmt.Printf(whereToLook, pageURL, countersURL, c.log)
	replay := []string{"replay", "--quiet", "--loop", "--rate", o.rate, "--duration", o.duration.String()}
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { ended <- command(ctx, o.cli, append(replay, files...)...).Run() }()
	select {
	case err := <-ended:
		return ignoreInterrupt(ctx, err)
	case <-c.done:
		cancel()
		<-ended
		return c.failure()
	}
}

const whereToLook = `
The dashboards:

  %s

They follow within 10 seconds, charts at the next full minute. The same counters for a Prometheus:

  curl -s %s | grep 'harness_calls_total{.*upstream.rate_limited'

The collector's log: %s
The sample telemetry is replayed over and over. Ctrl-C ends everything.
`

func ignoreInterrupt(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func portsFree() error {
	var busy []error
	for _, l := range listeners {
		listener, err := net.Listen("tcp", l.address)
		if err != nil {
			busy = append(busy, fmt.Errorf("%s (%s) is not free: %w", l.address, l.purpose, err))
			continue
		}
		_ = listener.Close()
	}
	if len(busy) > 0 {
		return fmt.Errorf("%w\nStop what listens there, perhaps another `make run`, and try again", errors.Join(busy...))
	}
	return nil
}

// command is a process that gets SIGTERM when the context ends, and SIGKILL if that doesn't help.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = stopLimit
	cmd.Stderr = os.Stderr
	return cmd
}

// collector is the collector's process.
type collector struct {
	log  string
	done chan struct{}
	err  error // valid after done
	ctx  context.Context
}

func startCollector(ctx context.Context, o options) (*collector, error) {
	c := &collector{log: o.collector + ".log", done: make(chan struct{}), ctx: ctx}
	log, err := os.Create(c.log)
	if err != nil {
		return nil, err
	}
	cmd := command(ctx, o.collector, "--config", o.config)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	go func() {
		c.err = errors.Join(cmd.Wait(), log.Close())
		close(c.done)
	}()
	return c, nil
}

// ready waits until the collector says that it is healthy.
func (c *collector) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		if healthy(ctx) {
			return nil
		}
		select {
		case <-c.done:
			return c.failure()
		case <-ctx.Done():
			return fmt.Errorf("the collector is not ready after %s; its log is %s", startLimit, c.log)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func healthy(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, healthURL, nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// failure says why the collector ended by itself, with the end of its log.
func (c *collector) failure() error {
	if c.ctx.Err() != nil {
		return nil
	}
	text, _ := os.ReadFile(c.log)
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return fmt.Errorf("the collector ended (%v); the end of %s:\n%s", c.err, c.log, bytes.Join(lines[max(0, len(lines)-8):], []byte("\n")))
}

// wait waits for the end of a collector that was told to end.
func (c *collector) wait() error {
	<-c.done
	var exit *exec.ExitError
	if errors.Is(c.err, context.Canceled) || errors.As(c.err, &exit) && exit.ExitCode() <= 0 {
		return nil // by our signal
	}
	return c.err
}
