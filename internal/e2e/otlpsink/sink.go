// Package otlpsink is an OTLP endpoint for tests: it listens on loopback, over gRPC and HTTP, and keeps what it is sent.
package otlpsink

import (
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Sink is an OTLP endpoint.
type Sink struct {
	// GRPC is HOST:PORT, HTTP a URL.
	GRPC, HTTP string
	// Answer, if set, is asked before anything is kept: an error refuses the request (a gRPC status; over HTTP with the status
	// that belongs to it), a number of rejected records makes a partial success. Headers are those of the request.
	Answer func(headers map[string][]string) (rejected int64, message string, err error)

	mu      sync.Mutex
	traces  []ptrace.Traces
	logs    []plog.Logs
	metrics []pmetric.Metrics
}

// Start listens until the test ends.
func Start(t testing.TB) *Sink {
	t.Helper()
	s := &Sink{}
	listener := listen(t)
	s.GRPC = listener.Addr().String()
	server := grpc.NewServer(grpc.MaxRecvMsgSize(64 << 20))
	ptraceotlp.RegisterGRPCServer(server, &tracesServer{sink: s})
	plogotlp.RegisterGRPCServer(server, &logsServer{sink: s})
	pmetricotlp.RegisterGRPCServer(server, &metricsServer{sink: s})
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)

	webListener := listen(t)
	s.HTTP = "http://" + webListener.Addr().String()
	web := &http.Server{Handler: s.handler()}
	go func() { _ = web.Serve(webListener) }()
	t.Cleanup(func() { _ = web.Close() })
	return s
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return listener
}

// Traces returns the requests so far.
func (s *Sink) Traces() []ptrace.Traces {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]ptrace.Traces(nil), s.traces...)
}

// Logs returns the requests so far.
func (s *Sink) Logs() []plog.Logs {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]plog.Logs(nil), s.logs...)
}

// Metrics returns the requests so far.
func (s *Sink) Metrics() []pmetric.Metrics {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]pmetric.Metrics(nil), s.metrics...)
}

// take asks Answer and, if it agrees, keeps the request.
func (s *Sink) take(headers map[string][]string, keep func()) (rejected int64, message string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Answer != nil {
		if rejected, message, err = s.Answer(headers); err != nil {
			return 0, "", err
		}
	}
	keep()
	return rejected, message, nil
}

func (s *Sink) takeTraces(headers map[string][]string, r ptraceotlp.ExportRequest) (ptraceotlp.ExportResponse, error) {
	out := ptraceotlp.NewExportResponse()
	rejected, message, err := s.take(headers, func() { s.traces = append(s.traces, r.Traces()) })
	out.PartialSuccess().SetRejectedSpans(rejected)
	out.PartialSuccess().SetErrorMessage(message)
	return out, err
}

func (s *Sink) takeLogs(headers map[string][]string, r plogotlp.ExportRequest) (plogotlp.ExportResponse, error) {
	out := plogotlp.NewExportResponse()
	rejected, message, err := s.take(headers, func() { s.logs = append(s.logs, r.Logs()) })
	out.PartialSuccess().SetRejectedLogRecords(rejected)
	out.PartialSuccess().SetErrorMessage(message)
	return out, err
}

func (s *Sink) takeMetrics(headers map[string][]string, r pmetricotlp.ExportRequest) (pmetricotlp.ExportResponse, error) {
	out := pmetricotlp.NewExportResponse()
	rejected, message, err := s.take(headers, func() { s.metrics = append(s.metrics, r.Metrics()) })
	out.PartialSuccess().SetRejectedDataPoints(rejected)
	out.PartialSuccess().SetErrorMessage(message)
	return out, err
}

type tracesServer struct {
	ptraceotlp.UnimplementedGRPCServer
	sink *Sink
}

func (s tracesServer) Export(ctx context.Context, r ptraceotlp.ExportRequest) (ptraceotlp.ExportResponse, error) {
	headers, _ := metadata.FromIncomingContext(ctx)
	return s.sink.takeTraces(headers, r)
}

type logsServer struct {
	plogotlp.UnimplementedGRPCServer
	sink *Sink
}

func (s logsServer) Export(ctx context.Context, r plogotlp.ExportRequest) (plogotlp.ExportResponse, error) {
	headers, _ := metadata.FromIncomingContext(ctx)
	return s.sink.takeLogs(headers, r)
}

type metricsServer struct {
	pmetricotlp.UnimplementedGRPCServer
	sink *Sink
}

func (s metricsServer) Export(ctx context.Context, r pmetricotlp.ExportRequest) (pmetricotlp.ExportResponse, error) {
	headers, _ := metadata.FromIncomingContext(ctx)
	return s.sink.takeMetrics(headers, r)
}

func (s *Sink) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", func(w http.ResponseWriter, req *http.Request) {
		r := ptraceotlp.NewExportRequest()
		serve(w, req, r.UnmarshalProto, func() ([]byte, error) {
			out, err := s.takeTraces(req.Header, r)
			return marshal(out.MarshalProto, err)
		})
	})
	mux.HandleFunc("POST /v1/logs", func(w http.ResponseWriter, req *http.Request) {
		r := plogotlp.NewExportRequest()
		serve(w, req, r.UnmarshalProto, func() ([]byte, error) {
			out, err := s.takeLogs(req.Header, r)
			return marshal(out.MarshalProto, err)
		})
	})
	mux.HandleFunc("POST /v1/metrics", func(w http.ResponseWriter, req *http.Request) {
		r := pmetricotlp.NewExportRequest()
		serve(w, req, r.UnmarshalProto, func() ([]byte, error) {
			out, err := s.takeMetrics(req.Header, r)
			return marshal(out.MarshalProto, err)
		})
	})
	return mux
}

func marshal(f func() ([]byte, error), err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return f()
}

func serve(w http.ResponseWriter, req *http.Request, unmarshal func([]byte) error, take func() ([]byte, error)) {
	body := io.Reader(req.Body)
	if strings.EqualFold(req.Header.Get("Content-Encoding"), "gzip") {
		z, err := gzip.NewReader(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body = z
	}
	text, err := io.ReadAll(body)
	if err == nil {
		err = unmarshal(text)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer, err := take()
	if err != nil {
		http.Error(w, err.Error(), httpStatus(err))
		return
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
	_, _ = w.Write(answer)
}

func httpStatus(err error) int {
	switch status.Code(err) {
	case codes.Unavailable:
		return http.StatusServiceUnavailable
	case codes.ResourceExhausted:
		return http.StatusTooManyRequests
	case codes.Unauthenticated:
		return http.StatusUnauthorized
	}
	return http.StatusBadRequest
}
