package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/harnesserr/harnesserr/internal/samplebatch"
)

const exportMethod = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"

// request is a batch that is encoded once, so that the sender costs as little as it can.
type request struct {
	wire  []byte
	spans int
}

func encode(size int) (request, error) {
	batch := samplebatch.Default
	batch.Spans = size
	td := batch.Traces()
	wire, err := ptraceotlp.NewExportRequestFromTraces(td).MarshalProto()
	return request{wire, td.SpanCount()}, err
}

// rawCodec passes bytes through.
type rawCodec struct{}

func (rawCodec) Name() string { return "proto" }

func (rawCodec) Marshal(v any) ([]byte, error) {
	b, ok := v.(*[]byte)
	if !ok {
		return nil, fmt.Errorf("got %T, want bytes", v)
	}
	return *b, nil
}

func (rawCodec) Unmarshal(data []byte, v any) error {
	b, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("got %T, want bytes", v)
	}
	*b = append((*b)[:0], data...)
	return nil
}

// send sends the request again and again, from so many senders, for a time, and returns how many spans were accepted.
func send(ctx context.Context, address string, r request, senders int, each time.Duration) (int, error) {
	var sent atomic.Int64
	failures := make([]error, senders)
	until := time.Now().Add(each)
	var wg sync.WaitGroup
	for i := range senders {
		wg.Go(func() {
			conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
			if err != nil {
				failures[i] = err
				return
			}
			for failures[i] == nil && time.Now().Before(until) {
				var answer []byte
				if failures[i] = conn.Invoke(ctx, exportMethod, &r.wire, &answer, grpc.ForceCodec(rawCodec{})); failures[i] == nil {
					sent.Add(int64(r.spans))
				}
			}
			failures[i] = errors.Join(failures[i], conn.Close())
		})
	}
	wg.Wait()
	return int(sent.Load()), errors.Join(failures...)
}

// sink is a backend that takes everything and looks at nothing but the number of bytes.
type sink struct {
	address string
	bytes   atomic.Int64
	server  *grpc.Server
}

func startSink() (*sink, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &sink{address: listener.Addr().String()}
	s.server = grpc.NewServer(grpc.ForceServerCodec(rawCodec{}), grpc.MaxRecvMsgSize(64<<20),
		grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
			var in, out []byte
			if err := stream.RecvMsg(&in); err != nil {
				return err
			}
			s.bytes.Add(int64(len(in)))
			return stream.SendMsg(&out)
		}))
	go func() { _ = s.server.Serve(listener) }() // ends with stop
	return s, nil
}

func (s *sink) stop() { s.server.Stop() }
