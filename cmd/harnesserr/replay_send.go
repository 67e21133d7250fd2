package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"
)

// target says where telemetry goes.
type target struct {
	endpoint, protocol string
	headers            map[string]string
	tls                bool
	caFile             string
	timeout            time.Duration
	retries            int
}

// validate checks the flags and completes the endpoint: HOST:PORT for grpc, a URL for http.
func (t *target) validate() error {
	switch {
	case t.protocol != "grpc" && t.protocol != "http":
		return fmt.Errorf("--protocol: want grpc or http, got %q", t.protocol)
	case t.timeout <= 0:
		return fmt.Errorf("--timeout: want a positive duration, got %s", t.timeout)
	case t.retries < 0 || t.retries > 100:
		return fmt.Errorf("--retries: want 0 to 100, got %d", t.retries)
	}
	if t.endpoint == "" {
		t.endpoint = map[string]string{"grpc": "127.0.0.1:4317", "http": "127.0.0.1:4318"}[t.protocol]
	}
	return t.resolve()
}

func (t *target) resolve() error {
	t.tls = t.tls || t.caFile != ""
	raw := t.endpoint
	if !strings.Contains(raw, "://") {
		raw = map[bool]string{false: "http://", true: "https://"}[t.tls] + raw
	}
	u, err := url.Parse(raw)
	if err != nil {
		return fmt.Errorf("--endpoint: want HOST:PORT or a URL, got %q: %w", t.endpoint, err)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("--endpoint: want the scheme http or https, got %q", u.Scheme)
	case u.Scheme == "http" && t.tls:
		return fmt.Errorf("--endpoint: %q is without TLS, but --tls or --ca-file is given", t.endpoint)
	case u.Hostname() == "":
		return fmt.Errorf("--endpoint: want HOST:PORT or a URL, got %q", t.endpoint)
	}
	t.tls = u.Scheme == "https"
	if t.protocol == "http" {
		t.endpoint = strings.TrimSuffix(u.String(), "/")
		return nil
	}
	if u.Path != "" && u.Path != "/" {
		return fmt.Errorf("--endpoint: gRPC has no path, got %q", u.Path)
	}
	port := u.Port()
	if port == "" {
		port = "4317"
	}
	t.endpoint = net.JoinHostPort(u.Hostname(), port)
	return nil
}

// tlsConfig returns nil without TLS.
func (t *target) tlsConfig() (*tls.Config, error) {
	if !t.tls {
		return nil, nil
	}
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.caFile == "" {
		return cfg, nil
	}
	pem, err := os.ReadFile(t.caFile)
	if err != nil {
		return nil, fmt.Errorf("--ca-file: %w", err)
	}
	cfg.RootCAs = x509.NewCertPool()
	if !cfg.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("--ca-file: no certificate in %s", t.caFile)
	}
	return cfg, nil
}

// answer is what an endpoint said of a payload it accepted, all of it or in part.
type answer struct {
	rejected int // records
	message  string
}

// sender sends payloads. An error it wraps in a retryError may go away.
type sender interface {
	send(context.Context, payload) (answer, error)
	close()
}

func newSender(t target) (sender, error) {
	cfg, err := t.tlsConfig()
	if err != nil {
		return nil, err
	}
	if t.protocol == "http" {
		return newHTTPSender(t, cfg), nil
	}
	return newGRPCSender(t, cfg)
}

// retryError is a failure after which OTLP allows to send the same again.
type retryError struct {
	error
	after time.Duration // what the endpoint asked for; 0 if nothing
}

func (e *retryError) Unwrap() error { return e.error }

// The pauses between attempts double from the first to the longest; an endpoint may ask for up to maxAfter.
const (
	firstPause   = 250 * time.Millisecond
	longestPause = 5 * time.Second
	maxAfter     = 30 * time.Second
)

func (e *retryError) pause(attempt int) time.Duration {
	if e.after > 0 {
		return min(e.after, maxAfter)
	}
	return min(firstPause<<min(attempt, 10), longestPause)
}

// errNoSignal is returned for a payload without any resource.
var errNoSignal = errors.New("the payload is empty")
