package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/harnesserr/harnesserr/internal/e2e/otlpsink"
)

func withTraces(td ptrace.Traces) payload {
	p := newPayload()
	p.traces = td
	return p
}

const replayDir = "testdata/replay"

// endpointOf returns the flags for one of the two ways to the sink.
func endpointOf(s *otlpsink.Sink, protocol string) []string {
	if protocol == "http" {
		return []string{"--protocol", "http", "--endpoint", s.HTTP}
	}
	return []string{"--endpoint", s.GRPC}
}

func replayTo(t *testing.T, s *otlpsink.Sink, protocol string, args ...string) (stderr string, err error) {
	t.Helper()
	_, stderr, err = runCommand(t, append(append([]string{"replay"}, endpointOf(s, protocol)...), args...)...)
	return stderr, err
}

func eachProtocol(t *testing.T, f func(t *testing.T, protocol string)) {
	for _, protocol := range []string{"grpc", "http"} {
		t.Run(protocol, func(t *testing.T) { f(t, protocol) })
	}
}

// One trace lies in two files, its logs and an exemplar in two more: all of it has to fit together afterwards.
func TestReplayKeepsWhatBelongsTogether(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		s := otlpsink.Start(t)
		before := time.Now()
		errs, err := replayTo(t, s, protocol, filepath.Join(replayDir, "spans.json"), filepath.Join(replayDir, "signals.ndjson"))
		require.NoError(t, err, errs)
		require.Contains(t, errs, "sent: 4 payloads, 7 records")
		after := time.Now()

		spans := map[string]ptrace.Span{}
		for _, td := range s.Traces() {
			for sp := range withTraces(td).eachSpan {
				spans[sp.Name()] = sp
			}
		}
		root, child, late, other := spans["root"], spans["child"], spans["late"], spans["other"]
		require.NotEqual(t, "5b8efff798038103d269b633813fc60c", root.TraceID().String())
		require.NotEqual(t, "eee19b7ec3c1b174", root.SpanID().String())
		require.True(t, root.ParentSpanID().IsEmpty())
		require.Equal(t, root.TraceID(), child.TraceID())
		require.Equal(t, root.SpanID(), child.ParentSpanID())
		require.Equal(t, root.TraceID(), late.TraceID(), "another payload")
		require.Equal(t, child.SpanID(), late.ParentSpanID())
		require.NotEqual(t, root.TraceID(), other.TraceID())
		require.Equal(t, root.TraceID(), other.Links().At(0).TraceID())
		require.Equal(t, root.SpanID(), other.Links().At(0).SpanID())

		logs := s.Logs()[0].ResourceLogs().At(0).ScopeLogs().At(0).LogRecords()
		require.Equal(t, child.TraceID(), logs.At(0).TraceID())
		require.Equal(t, child.SpanID(), logs.At(0).SpanID())
		require.True(t, logs.At(1).TraceID().IsEmpty())
		point := s.Metrics()[0].ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().At(0).Sum().DataPoints().At(0)
		require.Equal(t, root.TraceID(), point.Exemplars().At(0).TraceID())
		require.Equal(t, root.SpanID(), point.Exemplars().At(0).SpanID())

		second := func(a, b pcommon.Timestamp) float64 { return b.AsTime().Sub(a.AsTime()).Seconds() }
		require.InDelta(t, 1.0, second(root.StartTimestamp(), child.StartTimestamp()), 1e-6)
		require.InDelta(t, 2.0, second(child.StartTimestamp(), child.Events().At(0).Timestamp()), 1e-6)
		require.InDelta(t, 4.0, second(root.StartTimestamp(), logs.At(0).Timestamp()), 1e-6)
		require.InDelta(t, 10.0, second(root.StartTimestamp(), late.EndTimestamp()), 1e-6)
		require.InDelta(t, 5.0, second(point.StartTimestamp(), point.Timestamp()), 1e-6)
		require.Zero(t, logs.At(1).Timestamp(), "no time stays none")
		newest := late.EndTimestamp().AsTime()
		require.False(t, newest.Before(before.Add(-time.Millisecond)) || newest.After(after), "%s is not now", newest)
	})
}

// Two runs share no id.
func TestReplayIsFreshInEveryRound(t *testing.T) {
	s := otlpsink.Start(t)
	errs, err := replayTo(t, s, "grpc", "--rate", "200", "--duration", "200ms", filepath.Join(replayDir, "spans.json"))
	require.NoError(t, err, errs)
	require.Contains(t, errs, "rounds")
	seen := map[pcommon.TraceID]bool{}
	for _, td := range s.Traces() {
		sp := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans()
		for i := range sp.Len() {
			if sp.At(i).Name() == "root" {
				require.False(t, seen[sp.At(i).TraceID()])
				seen[sp.At(i).TraceID()] = true
			}
		}
	}
	require.Greater(t, len(seen), 2)
}

func TestReplayRate(t *testing.T) {
	s := otlpsink.Start(t)
	started := time.Now()
	_, err := replayTo(t, s, "grpc", "--rate", "20", "--quiet", filepath.Join(replayDir, "spans.json"), filepath.Join(replayDir, "signals.ndjson"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, time.Since(started), 150*time.Millisecond, "4 payloads, 50 ms apart")
}

func TestReplayRetries(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		s := otlpsink.Start(t)
		refusals := 2
		s.Answer = func(map[string][]string) (int64, string, error) {
			if refusals--; refusals >= 0 {
				return 0, "", status.Error(codes.Unavailable, "not yet")
			}
			return 0, "", nil
		}
		errs, err := replayTo(t, s, protocol, filepath.Join(replayDir, "spans.json"))
		require.NoError(t, err, errs)
		require.Len(t, s.Traces(), 2)
	})
}

func TestReplayGivesUp(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		s := otlpsink.Start(t)
		asked := 0
		s.Answer = func(map[string][]string) (int64, string, error) {
			asked++
			return 0, "", status.Error(codes.Unavailable, "never")
		}
		errs, err := replayTo(t, s, protocol, "--retries", "1", filepath.Join(replayDir, "spans.json"))
		require.ErrorIs(t, err, errReported)
		require.Equal(t, exitInput, exitCode(err))
		require.Equal(t, 4, asked, "two payloads, twice each")
		require.Contains(t, errs, "payload of 3 records not accepted")
		require.Contains(t, errs, "not accepted: 2 payloads")
	})
}

// What the endpoint refuses for good is not sent again, and does not stop the rest.
func TestReplayRefused(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		s := otlpsink.Start(t)
		asked := 0
		s.Answer = func(map[string][]string) (int64, string, error) {
			if asked++; asked == 1 {
				return 0, "", status.Error(codes.InvalidArgument, "no such tenant")
			}
			return 0, "", nil
		}
		errs, err := replayTo(t, s, protocol, filepath.Join(replayDir, "spans.json"))
		require.ErrorIs(t, err, errReported)
		require.Equal(t, 2, asked)
		require.Contains(t, errs, "no such tenant")
		require.Contains(t, errs, "sent: 1 payloads, 1 records")
	})
}

func TestReplayPartialSuccess(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		s := otlpsink.Start(t)
		s.Answer = func(map[string][]string) (int64, string, error) { return 1, "span too old", nil }
		errs, err := replayTo(t, s, protocol, filepath.Join(replayDir, "spans.json"))
		require.ErrorIs(t, err, errReported)
		require.Contains(t, errs, "1 of 3 records rejected: span too old")
		require.Contains(t, errs, "not accepted: 0 payloads and 2 records")
	})
}

func TestReplayHeaders(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		s := otlpsink.Start(t)
		var got []string
		s.Answer = func(headers map[string][]string) (int64, string, error) {
			for name, values := range headers {
				if strings.EqualFold(name, "x-tenant") {
					got = append(got, values...)
				}
			}
			return 0, "", nil
		}
		_, err := replayTo(t, s, protocol, "--header", "X-Tenant=blue", filepath.Join(replayDir, "spans.json"))
		require.NoError(t, err)
		require.Equal(t, []string{"blue", "blue"}, got)
	})
}

// A broken file is named with its position; what precedes the break and the other files are sent.
func TestReplayBrokenFile(t *testing.T) {
	s := otlpsink.Start(t)
	whole, err := os.ReadFile(filepath.Join(replayDir, "spans.json"))
	require.NoError(t, err)
	broken := filepath.Join(t.TempDir(), "broken.json")
	require.NoError(t, os.WriteFile(broken, append(whole, "{\"resourceSpans\": [}"...), 0o600))
	errs, err := replayTo(t, s, "grpc", broken, "nosuch.json", filepath.Join(replayDir, "spans.json"))
	require.ErrorIs(t, err, errReported)
	require.Regexp(t, `broken\.json: line \d+, column 20: invalid character`, errs)
	require.Contains(t, errs, "nosuch.json")
	require.Len(t, s.Traces(), 4)
}

func TestReplayInterrupted(t *testing.T) {
	s := otlpsink.Start(t)
	run := func(args ...string) (string, error) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s.Answer = func(map[string][]string) (int64, string, error) { cancel(); return 0, "", nil }
		var errs strings.Builder
		cmd := newRootCommand()
		cmd.SetErr(&errs)
		cmd.SetArgs(append([]string{"replay", "--endpoint", s.GRPC, "--rate", "1", filepath.Join(replayDir, "spans.json")}, args...))
		err := cmd.ExecuteContext(ctx)
		return errs.String(), err
	}
	errs, err := run()
	require.ErrorIs(t, err, errReported)
	require.Contains(t, errs, "not sent: ")

	errs, err = run("--loop")
	require.NoError(t, err, "the end of a loop is no error: %s", errs)
}

func TestReplayUsage(t *testing.T) {
	file := filepath.Join(replayDir, "spans.json")
	for _, test := range []struct{ args, want string }{
		{"", "needs a file"},
		{"--protocol udp " + file, `--protocol: want grpc or http, got "udp"`},
		{"--rate -1 " + file, "--rate: want 0 to 1000000"},
		{"--duration -1s " + file, "--duration: want a positive duration"},
		{"--timeout 0s " + file, "--timeout: want a positive duration"},
		{"--retries -1 " + file, "--retries: want 0 to 100"},
		{"--endpoint ftp://x " + file, `want the scheme http or https, got "ftp"`},
		{"--endpoint http://x --tls " + file, "is without TLS"},
		{"--endpoint http://x/v1 " + file, "gRPC has no path"},
		{"--endpoint :4317 " + file, `want HOST:PORT or a URL, got ":4317"`},
		{"--ca-file nosuch.pem " + file, "--ca-file: open nosuch.pem"},
		{"--header x " + file, "must be formatted as key=value"},
	} {
		t.Run(test.args, func(t *testing.T) {
			_, _, err := runCommand(t, append([]string{"replay"}, strings.Fields(test.args)...)...)
			require.ErrorContains(t, err, test.want)
			require.Equal(t, exitUsage, exitCode(err))
		})
	}
}

func TestReplayNothingToSend(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.json")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	_, _, err := runCommand(t, "replay", empty)
	require.ErrorContains(t, err, "no payload")
	require.Equal(t, exitInput, exitCode(err))
}

func TestReplayEndpoints(t *testing.T) {
	for _, test := range []struct {
		in   target
		want string
		tls  bool
	}{
		{target{protocol: "grpc"}, "127.0.0.1:4317", false},
		{target{protocol: "http"}, "http://127.0.0.1:4318", false},
		{target{protocol: "grpc", endpoint: "otel.example"}, "otel.example:4317", false},
		{target{protocol: "grpc", endpoint: "https://otel.example:443/"}, "otel.example:443", true},
		{target{protocol: "grpc", endpoint: "otel.example:443", tls: true}, "otel.example:443", true},
		{target{protocol: "grpc", endpoint: "[::1]:4317"}, "[::1]:4317", false},
		{target{protocol: "http", endpoint: "otel.example/otlp/", tls: true}, "https://otel.example/otlp", true},
	} {
		t.Run(test.in.protocol+" "+test.in.endpoint, func(t *testing.T) {
			test.in.timeout = time.Second
			require.NoError(t, test.in.validate())
			require.Equal(t, test.want, test.in.endpoint)
			require.Equal(t, test.tls, test.in.tls)
		})
	}
}

// With a rate the last record of a round gets the time at which it is sent; none lies in the future.
func TestRoundTimes(t *testing.T) {
	at := func(seconds ...int64) []payload {
		set := make([]payload, len(seconds))
		for i, s := range seconds {
			set[i] = newPayload()
			sp := set[i].traces.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty()
			sp.SetEndTimestamp(pcommon.NewTimestampFromTime(time.Unix(1_700_000_000+s, 0)))
		}
		return set
	}
	now := time.Unix(1_800_000_000, 0)
	for _, test := range []struct {
		name  string
		set   []payload
		pause time.Duration
		want  []int64 // seconds after now
	}{
		{"at once", at(0, 10, 20), 0, []int64{-20, -10, 0}},
		{"as recorded", at(0, 10, 20), 10 * time.Second, []int64{0, 10, 20}},
		{"faster", at(0, 10, 20), time.Second, []int64{-18, -8, 2}},
		{"slower", at(0, 10, 20), time.Minute, []int64{0, 10, 20}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRound(test.set, now, test.pause)
			for i, p := range test.set {
				for sp := range r.of(p).eachSpan {
					require.Equal(t, test.want[i], int64(sp.EndTimestamp().AsTime().Sub(now).Seconds()), fmt.Sprint(i))
				}
			}
		})
	}
}

func TestReplayNobodyListens(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := listener.Addr().String()
	require.NoError(t, listener.Close())
	_, errs, err := runCommand(t, "replay", "--endpoint", addr, "--retries", "0", filepath.Join(replayDir, "spans.json"))
	require.ErrorIs(t, err, errReported)
	require.Contains(t, errs, "connection refused")
}
