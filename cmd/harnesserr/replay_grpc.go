package main

import (
	"context"
	"crypto/tls"

	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// grpcSender speaks OTLP over gRPC.
type grpcSender struct {
	target target
	conn   *grpc.ClientConn
}

func newGRPCSender(t target, cfg *tls.Config) (*grpcSender, error) {
	creds := insecure.NewCredentials()
	if cfg != nil {
		creds = credentials.NewTLS(cfg)
	}
	conn, err := grpc.NewClient(t.endpoint, grpc.WithTransportCredentials(creds), grpc.WithUserAgent("harnesserr-replay"))
	if err != nil {
		return nil, err
	}
	return &grpcSender{t, conn}, nil
}

func (s *grpcSender) close() { _ = s.conn.Close() }

func (s *grpcSender) send(ctx context.Context, p payload) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, s.target.timeout)
	defer cancel()
	a, err := s.export(metadata.NewOutgoingContext(ctx, metadata.New(s.target.headers)), p)
	if err != nil {
		return answer{}, retryableGRPC(err)
	}
	return a, nil
}

func (s *grpcSender) export(ctx context.Context, p payload) (a answer, err error) {
	switch {
	case p.traces.ResourceSpans().Len() > 0:
		var r ptraceotlp.ExportResponse
		if r, err = ptraceotlp.NewGRPCClient(s.conn).Export(ctx, ptraceotlp.NewExportRequestFromTraces(p.traces)); err == nil {
			a = answer{int(r.PartialSuccess().RejectedSpans()), r.PartialSuccess().ErrorMessage()}
		}
	case p.logs.ResourceLogs().Len() > 0:
		var r plogotlp.ExportResponse
		if r, err = plogotlp.NewGRPCClient(s.conn).Export(ctx, plogotlp.NewExportRequestFromLogs(p.logs)); err == nil {
			a = answer{int(r.PartialSuccess().RejectedLogRecords()), r.PartialSuccess().ErrorMessage()}
		}
	case p.metrics.ResourceMetrics().Len() > 0:
		var r pmetricotlp.ExportResponse
		if r, err = pmetricotlp.NewGRPCClient(s.conn).Export(ctx, pmetricotlp.NewExportRequestFromMetrics(p.metrics)); err == nil {
			a = answer{int(r.PartialSuccess().RejectedDataPoints()), r.PartialSuccess().ErrorMessage()}
		}
	default:
		err = errNoSignal
	}
	return a, err
}

// retryableGRPC follows the table of the OTLP specification, section OTLP/gRPC failures.
func retryableGRPC(err error) error {
	st, ok := status.FromError(err)
	if !ok {
		return err
	}
	later := &retryError{error: err}
	for _, d := range st.Details() {
		if info, ok := d.(*errdetails.RetryInfo); ok {
			later.after = info.GetRetryDelay().AsDuration()
		}
	}
	switch st.Code() {
	case codes.Canceled, codes.DeadlineExceeded, codes.Aborted, codes.OutOfRange, codes.Unavailable, codes.DataLoss:
		return later
	case codes.ResourceExhausted:
		if later.after > 0 {
			return later
		}
	}
	return err
}
