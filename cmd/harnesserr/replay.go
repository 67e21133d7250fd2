package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// replayOptions are the flags of replay.
type replayOptions struct {
	target
	loop     bool
	rate     float64
	duration time.Duration
	quiet    bool
}

func newReplayCommand() *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay FILE...",
		Short: "Send the telemetry of OTLP/JSON files to an OTLP endpoint, as if it happened now",
		Long: `Replay sends OTLP/JSON payloads (spans, log records, metric points) to a collector.

A file holds one payload or one a line; "-" is standard input. Payloads go out in the order of the files. Trace and span
ids are fresh in every round, and the same in all files and signals of a round: parents, links, exemplars and the spans of
log records still fit. Times are moved to now, the time between records is kept.

What an endpoint that is not there, or too busy, did not take is sent again, a bounded number of times. Exit codes:
0 all was accepted, 1 something was not (or could not be read), 2 the command was not understood.`,
		Example: `  harnesserr replay testdata/fleet/*.json
  harnesserr replay --protocol http --endpoint https://otlp.example.com --header authorization="Bearer $TOKEN" dump.json
  harnesserr replay --loop --rate 5 --duration 10m testdata/fleet/*.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("replay needs a file; \"-\" is standard input")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := o.validate(); err != nil {
				return usageError{err}
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return replay(ctx, o, files, cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.endpoint, "endpoint", "", "HOST:PORT or URL; https:// means TLS (default 127.0.0.1:4317, with --protocol http http://127.0.0.1:4318)")
	f.StringVar(&o.protocol, "protocol", "grpc", "grpc or http (protobuf over HTTP, paths /v1/traces, /v1/logs, /v1/metrics)")
	f.StringToStringVar(&o.headers, "header", nil, "a header or gRPC metadata entry, NAME=VALUE; may be repeated")
	f.BoolVar(&o.tls, "tls", false, "use TLS for an endpoint without a scheme")
	f.StringVar(&o.caFile, "ca-file", "", "certificates (PEM) to trust instead of the system's; implies --tls")
	f.DurationVar(&o.timeout, "timeout", 10*time.Second, "how long one request may take")
	f.IntVar(&o.retries, "retries", 5, "how often a payload is sent again when the endpoint is unavailable")
	f.BoolVar(&o.loop, "loop", false, "begin again after the last payload, until --duration is over or Ctrl-C")
	f.Float64Var(&o.rate, "rate", 0, "payloads a second; 0 is as fast as the endpoint takes them")
	f.DurationVar(&o.duration, "duration", 0, "stop after this time; implies --loop")
	f.BoolVar(&o.quiet, "quiet", false, "print no progress, only errors")
	return cmd
}

func (o *replayOptions) validate() error {
	switch {
	case o.rate < 0 || o.rate > maxRate:
		return fmt.Errorf("--rate: want 0 to %d payloads a second, got %v", int(maxRate), o.rate)
	case o.duration < 0:
		return fmt.Errorf("--duration: want a positive duration, got %s", o.duration)
	}
	o.loop = o.loop || o.duration > 0
	return o.target.validate()
}

// maxRate keeps the time between two payloads a whole number of nanoseconds.
const maxRate = 1e6

// progressInterval is the time between two lines of progress.
const progressInterval = 5 * time.Second

// replay sends the payloads of files. Files that can't be read are reported and do not stop the others.
func replay(ctx context.Context, o replayOptions, files []string, errs io.Writer) error {
	var set []payload
	unread := 0
	for _, name := range files {
		err := eachPayload(name, func(p payload) error {
			set = append(set, p)
			return nil
		})
		if err != nil {
			unread++
			fmt.Fprintln(errs, "harnesserr:", err)
		}
	}
	if len(set) == 0 {
		if unread > 0 {
			return errReported
		}
		return errors.New("no payload in the files")
	}
	s, err := newSender(o.target)
	if err != nil {
		return usageError{err}
	}
	defer s.close()
	r := &replayer{options: o, sender: s, set: set, errs: errs, started: time.Now()}
	r.run(ctx)
	r.report("sent")
	if unread > 0 || !r.accepted() {
		return errReported
	}
	return nil
}

// replayer sends a set of payloads and counts what became of them.
type replayer struct {
	options replayOptions
	sender  sender
	set     []payload
	errs    io.Writer

	started, reported time.Time
	rounds            int // complete ones
	payloads, records int // accepted; a partial success counts the records that were
	rejected          int // records that a partial success names
	failed            int // payloads that were not accepted at all
	unsent            int // payloads of an interrupted run without --loop
}

func (r *replayer) accepted() bool { return r.rejected == 0 && r.failed == 0 && r.unsent == 0 }

func (r *replayer) run(ctx context.Context) {
	if r.options.duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.options.duration)
		defer cancel()
	}
	var pause time.Duration
	if r.options.rate > 0 {
		pause = time.Duration(float64(time.Second) / r.options.rate)
	}
	next := time.Now()
	for ctx.Err() == nil {
		fresh := newRound(r.set, time.Now(), pause)
		for i, p := range r.set {
			if !waitUntil(ctx, next) {
				if !r.options.loop {
					r.unsent = len(r.set) - i
				}
				return
			}
			// After a stall the pace is kept from here; missed payloads are not sent in a burst.
			next = latest(next.Add(pause), time.Now())
			r.send(ctx, fresh.of(p))
		}
		r.rounds++
		if !r.options.loop {
			return
		}
	}
}

// send sends one payload, again while the endpoint says that it may.
func (r *replayer) send(ctx context.Context, p payload) {
	for attempt := 0; ; attempt++ {
		a, err := r.sender.send(ctx, p)
		if err == nil {
			r.payloads++
			r.records += p.count() - a.rejected
			r.rejected += a.rejected
			if a.rejected > 0 || a.message != "" {
				fmt.Fprintf(r.errs, "harnesserr: partial success: %d of %d records rejected: %s\n", a.rejected, p.count(), a.message)
			}
			break
		}
		var later *retryError
		if ctx.Err() == nil && errors.As(err, &later) && attempt < r.options.retries && waitFor(ctx, later.pause(attempt)) {
			continue
		}
		if ctx.Err() == nil || !r.options.loop {
			r.failed++
			fmt.Fprintf(r.errs, "harnesserr: payload of %d records not accepted: %v\n", p.count(), err)
		}
		break
	}
	if now := time.Now(); !r.options.quiet && now.Sub(latest(r.started, r.reported)) >= progressInterval {
		r.reported = now
		r.report("so far")
	}
}

func (r *replayer) report(what string) {
	if r.options.quiet && r.accepted() {
		return
	}
	fmt.Fprintf(r.errs, "%s: %d payloads, %d records in %s", what, r.payloads, r.records, time.Since(r.started).Round(100*time.Millisecond))
	if r.options.loop {
		fmt.Fprintf(r.errs, ", %d rounds", r.rounds)
	}
	if !r.accepted() {
		fmt.Fprintf(r.errs, "; not accepted: %d payloads and %d records of others; not sent: %d payloads", r.failed, r.rejected, r.unsent)
	}
	fmt.Fprintln(r.errs)
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// waitUntil reports whether the time came before the context ended.
func waitUntil(ctx context.Context, t time.Time) bool { return waitFor(ctx, time.Until(t)) }

func waitFor(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
