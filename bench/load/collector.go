package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// collector is a process of the binary: OTLP/gRPC in, OTLP/gRPC out. Without a queue, so that a request is answered when
// the backend has it and the senders go no faster than the pipeline.
type collector struct {
	address string
	cmd     *exec.Cmd
	log     bytes.Buffer
	exited  chan error
}

const configuration = `
receivers: {otlp: {protocols: {grpc: {endpoint: %q, max_recv_msg_size_mib: 64}}}}
processors:
  memory_limiter: {check_interval: 1s, limit_mib: 1024, spike_limit_mib: 256}
  %s
exporters:
  otlp_grpc: {endpoint: %q, tls: {insecure: true}, compression: none, sending_queue: {enabled: false}, retry_on_failure: {enabled: false}}
service:
  telemetry: {metrics: {level: none, readers: []}}
  pipelines: {traces: {receivers: [otlp], processors: [%s], exporters: [otlp_grpc]}}
`

func startCollector(binary, processors, config, backend string) (*collector, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	c := &collector{address: address, exited: make(chan error, 1)}
	c.cmd = exec.Command(binary, "--config", "yaml:"+fmt.Sprintf(configuration, address, config, backend, processors))
	c.cmd.Stderr = &c.log
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { c.exited <- c.cmd.Wait() }()
	return c, c.wait()
}

// wait returns once the receiver listens.
func (c *collector) wait() error {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if conn, err := net.Dial("tcp", c.address); err == nil {
			return conn.Close()
		}
		select {
		case err := <-c.exited:
			return fmt.Errorf("the collector ended: %w\n%s", err, c.log.String())
		default:
		}
	}
	return errors.New("the collector does not listen")
}

func (c *collector) stop() error {
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return <-c.exited
}

// feed sends for a time and returns spans a second and CPU seconds of the collector per million spans. Everything that was
// accepted has to have reached the backend.
func (c *collector) feed(ctx context.Context, r request, backend *sink, senders int, each time.Duration) (perSecond, perMillion float64, err error) {
	arrived := backend.bytes.Load()
	used, err := c.cpu()
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	spans, err := send(ctx, c.address, r, senders, each)
	took := time.Since(began)
	if err != nil {
		return 0, 0, fmt.Errorf("%w\n%s", err, c.log.String())
	}
	now, err := c.cpu()
	if err != nil {
		return 0, 0, err
	}
	if got, least := backend.bytes.Load()-arrived, int64(spans/r.spans)*int64(len(r.wire)); got < least {
		return 0, 0, fmt.Errorf("%d bytes reached the backend, want %d or more", got, least)
	}
	return float64(spans) / took.Seconds(), (now - used) / float64(spans) * 1e6, nil
}

// ticksPerSecond is USER_HZ, which is 100 on every Linux that Go runs on.
const ticksPerSecond = 100

// cpu returns the CPU seconds that the process has used (proc_pid_stat(5), fields 14 and 15).
func (c *collector) cpu() (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat: %d fields", c.cmd.Process.Pid, len(fields))
	}
	user, err := strconv.ParseFloat(fields[11], 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseFloat(fields[12], 64)
	return (user + system) / ticksPerSecond, err
}

// resident returns the resident memory in KiB.
func (c *collector) resident() (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			return strconv.Atoi(strings.Fields(rest)[0])
		}
	}
	return 0, errors.New("no VmRSS")
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}
