package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// payload is one OTLP export request; one of its members holds data.
type payload struct {
	traces  ptrace.Traces
	logs    plog.Logs
	metrics pmetric.Metrics
}

// eachPayload calls f for every OTLP/JSON payload of a file: a file is a sequence of JSON values, one or many, on one
// line or on many. Errors name the file and the place.
func eachPayload(name string, f func(payload) error) error {
	in := io.Reader(os.Stdin)
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	}
	counter := &lineCounter{r: bufio.NewReader(in)}
	dec := json.NewDecoder(counter)
	for {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", name, counter.place(errorOffset(err, dec)), err)
		}
		p, err := decodePayload(raw)
		if err != nil {
			return fmt.Errorf("%s: payload that ends at %s: %w", name, counter.place(dec.InputOffset()), err)
		}
		if err := f(p); err != nil {
			return err
		}
	}
}

func errorOffset(err error, dec *json.Decoder) int64 {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Offset
	}
	return dec.InputOffset()
}

// decodePayload finds out which signal the payload is of.
func decodePayload(raw []byte) (payload, error) {
	p := payload{traces: ptrace.NewTraces(), logs: plog.NewLogs(), metrics: pmetric.NewMetrics()}
	var top map[string]json.RawMessage
	if err := json.Unmarshal(raw, &top); err != nil {
		return p, fmt.Errorf("want an object with resourceSpans, resourceLogs or resourceMetrics: %w", err)
	}
	var err error
	switch {
	case has(top, "resourceSpans", "resource_spans"):
		p.traces, err = (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(raw)
	case has(top, "resourceLogs", "resource_logs"):
		p.logs, err = (&plog.JSONUnmarshaler{}).UnmarshalLogs(raw)
	case has(top, "resourceMetrics", "resource_metrics"):
		p.metrics, err = (&pmetric.JSONUnmarshaler{}).UnmarshalMetrics(raw)
	default:
		err = errors.New("want an object with resourceSpans, resourceLogs or resourceMetrics")
	}
	return p, err
}

func has(m map[string]json.RawMessage, keys ...string) bool {
	for _, k := range keys {
		if _, ok := m[k]; ok {
			return true
		}
	}
	return false
}

// lineCounter remembers where lines begin, so that an offset can be told as a line.
type lineCounter struct {
	r    io.Reader
	read int64
	ends []int64
}

func (c *lineCounter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	for i := 0; i < n; {
		j := bytes.IndexByte(b[i:n], '\n')
		if j < 0 {
			break
		}
		i += j + 1
		c.ends = append(c.ends, c.read+int64(i))
	}
	c.read += int64(n)
	return n, err
}

func (c *lineCounter) place(offset int64) string {
	line, start := 1, int64(0)
	for _, end := range c.ends {
		if end >= offset {
			break
		}
		line, start = line+1, end
	}
	return fmt.Sprintf("line %d, column %d", line, offset-start)
}
