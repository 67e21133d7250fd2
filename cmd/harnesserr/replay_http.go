package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
)

// httpSender speaks OTLP over HTTP, in protobuf.
type httpSender struct {
	target target
	client *http.Client
}

func newHTTPSender(t target, cfg *tls.Config) *httpSender {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = cfg
	return &httpSender{t, &http.Client{Transport: transport, Timeout: t.timeout}}
}

func (s *httpSender) close() { s.client.CloseIdleConnections() }

func (s *httpSender) send(ctx context.Context, p payload) (answer, error) {
	switch {
	case p.traces.ResourceSpans().Len() > 0:
		r := ptraceotlp.NewExportResponse()
		err := s.post(ctx, "/v1/traces", ptraceotlp.NewExportRequestFromTraces(p.traces).MarshalProto, r.UnmarshalProto)
		return answer{int(r.PartialSuccess().RejectedSpans()), r.PartialSuccess().ErrorMessage()}, err
	case p.logs.ResourceLogs().Len() > 0:
		r := plogotlp.NewExportResponse()
		err := s.post(ctx, "/v1/logs", plogotlp.NewExportRequestFromLogs(p.logs).MarshalProto, r.UnmarshalProto)
		return answer{int(r.PartialSuccess().RejectedLogRecords()), r.PartialSuccess().ErrorMessage()}, err
	case p.metrics.ResourceMetrics().Len() > 0:
		r := pmetricotlp.NewExportResponse()
		err := s.post(ctx, "/v1/metrics", pmetricotlp.NewExportRequestFromMetrics(p.metrics).MarshalProto, r.UnmarshalProto)
		return answer{int(r.PartialSuccess().RejectedDataPoints()), r.PartialSuccess().ErrorMessage()}, err
	}
	return answer{}, errNoSignal
}

const protobuf = "application/x-protobuf"

// maxAnswer bounds how much of an answer is read.
const maxAnswer = 64 << 10

func (s *httpSender) post(ctx context.Context, path string, marshal func() ([]byte, error), unmarshal func([]byte) error) error {
	body, err := marshal()
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.target.endpoint+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range s.target.headers {
		req.Header.Set(name, value)
	}
	req.Header.Set("Content-Type", protobuf)
	req.Header.Set("User-Agent", "harnesserr-replay")
	resp, err := s.client.Do(req)
	if err != nil {
		return &retryError{error: err}
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return &retryError{error: err}
	}
	if resp.StatusCode/100 != 2 {
		return refusal(resp, text)
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), protobuf) {
		return nil // accepted, by an endpoint that says no more
	}
	return unmarshal(text)
}

// refusal follows the OTLP specification, section OTLP/HTTP response: the body is a google.rpc.Status.
func refusal(resp *http.Response, text []byte) error {
	var st spb.Status
	message := strings.TrimSpace(clip(string(text), 200))
	if strings.HasPrefix(resp.Header.Get("Content-Type"), protobuf) && proto.Unmarshal(text, &st) == nil {
		message = st.GetMessage()
	}
	err := fmt.Errorf("%s: HTTP %s: %s", resp.Request.URL, resp.Status, message)
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &retryError{err, retryAfter(resp.Header.Get("Retry-After"))}
	}
	return err
}

// retryAfter reads seconds or a date; 0 means that nothing was asked for.
func retryAfter(value string) time.Duration {
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(max(0, min(seconds, int(maxAfter/time.Second)))) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}
