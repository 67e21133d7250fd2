package sink

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"go.opentelemetry.io/collector/exporter/exporterhelper"
)

const (
	// maxAnswerBytes bounds what is read of an answer.
	maxAnswerBytes = 64 * 1024
	// maxFailuresInRow ends a Send: one failing request may be the fault of its
	// documents, two in a row are the receiver's.
	maxFailuresInRow = 2
)

// HTTP posts documents to an endpoint.
type HTTP struct {
	client    *http.Client
	endpoint  string
	shown     string // the endpoint without what may be secret in it
	userAgent string
	format    Format
	maxBytes  int
	clean     func(string) string
	now       func() time.Time
}

// NewHTTP returns a sink that posts to endpoint, an absolute URL. The client's
// timeout bounds each request. maxBytes bounds a body that holds more than one
// document; 0 is no limit. clean makes foreign text fit for a log. The sink follows no redirect: it would turn the POST
// into a GET, or carry the configured headers to another host.
func NewHTTP(client *http.Client, endpoint, userAgent string, format Format, maxBytes int, clean func(string) string) *HTTP {
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &HTTP{
		client:    client,
		endpoint:  endpoint,
		shown:     withoutSecrets(endpoint),
		userAgent: userAgent,
		format:    format,
		maxBytes:  maxBytes,
		clean:     clean,
		now:       time.Now,
	}
}

// withoutSecrets leaves scheme, host and path of a URL.
func withoutSecrets(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "endpoint"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// Send posts the documents in as few requests as format and size allow. It goes
// on behind a request that failed, unless the receiver asked for a pause or two
// requests in a row got no good answer.
func (h *HTTP) Send(ctx context.Context, docs []Document) Result {
	out := outcome{http: h, docs: docs}
	todo := h.format.split(docs, h.maxBytes)
	for len(todo) > 0 {
		part := todo[0]
		todo = append(out.post(ctx, part), todo[1:]...)
		if ctx.Err() != nil {
			out.retryErr = ctx.Err()
		}
		if out.stop() || ctx.Err() != nil {
			for _, rest := range todo {
				out.pending = append(out.pending, indices(rest.from, rest.to)...)
			}
			break
		}
	}
	return out.result()
}

// Close lets go of idle connections.
func (h *HTTP) Close() error {
	h.client.CloseIdleConnections()
	return nil
}

// outcome collects what became of the requests of one Send.
type outcome struct {
	http       *HTTP
	docs       []Document
	pending    []int
	refused    []int
	failures   int // requests in a row without a verdict on their documents
	throttled  bool
	delay      time.Duration // the longest pause that was asked for
	retryErr   error         // the last reason to try again
	refusalErr error         // the first reason of a refusal
}

func (o *outcome) stop() bool { return o.throttled || o.failures >= maxFailuresInRow }

// post sends one part and returns what has to be posted anew: the two halves of
// a part that the receiver refused as a whole.
func (o *outcome) post(ctx context.Context, part span) []span {
	a := o.http.post(ctx, o.docs[part.from:part.to])
	if a.verdict == verdictRetry {
		o.failures++
	} else {
		o.failures = 0
	}
	if a.verdict == verdictRefused && a.blamesDocuments && part.to-part.from > 1 {
		middle := (part.from + part.to) / 2
		return []span{{part.from, middle}, {middle, part.to}}
	}
	for i := part.from; i < part.to; i++ {
		if a.verdict == verdictMulti {
			o.add(i, a.each[i-part.from])
		} else {
			o.add(i, a)
		}
	}
	return nil
}

func (o *outcome) add(i int, a answer) {
	switch a.verdict {
	case verdictRetry:
		o.pending = append(o.pending, i)
		o.retryErr = a.err
		o.throttled = o.throttled || a.throttled
		o.delay = max(o.delay, a.delay)
	case verdictRefused:
		o.refused = append(o.refused, i)
		if o.refusalErr == nil {
			o.refusalErr = a.err
		}
	}
}

func (o *outcome) result() Result {
	slices.Sort(o.pending)
	slices.Sort(o.refused)
	retryErr := o.retryErr
	if o.delay > 0 {
		retryErr = exporterhelper.NewThrottleRetry(retryErr, o.delay)
	}
	return Result{Pending: o.pending, Refused: o.refused, Err: errors.Join(retryErr, o.refusalErr)}
}

// post makes one request and judges the answer.
func (h *HTTP) post(ctx context.Context, docs []Document) answer {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.endpoint, bytes.NewReader(h.format.encode(docs)))
	if err != nil {
		return answer{verdict: verdictRefused, err: fmt.Errorf("POST %s: %w", h.shown, err)}
	}
	req.Header.Set("Content-Type", h.format.contentType())
	req.Header.Set("User-Agent", h.userAgent)
	// A string item of RFC 9651, as the Idempotency-Key draft wants it.
	req.Header.Set("Idempotency-Key", `"`+requestKey(docs)+`"`)

	resp, err := h.client.Do(req)
	if err != nil {
		return answer{verdict: verdictRetry, err: fmt.Errorf("POST %s: %w", h.shown, withoutURL(err))}
	}
	defer func() {
		// A connection is used again only when its answer was read.
		_, _ = io.CopyN(io.Discard, resp.Body, maxAnswerBytes)
		_ = resp.Body.Close()
	}()
	return h.judge(resp, len(docs))
}

// withoutURL takes the URL out of the client's error: its query may hold a key.
func withoutURL(err error) error {
	var urlErr *url.Error
	if errors.As(err, &urlErr) {
		return urlErr.Err
	}
	return err
}
