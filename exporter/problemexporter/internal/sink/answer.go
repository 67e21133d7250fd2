package sink

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	// maxRetryAfter bounds the pause that a receiver can ask for.
	maxRetryAfter = time.Hour
	// maxShownBytes bounds what an error shows of an answer.
	maxShownBytes = 256
	// maxMultiBytes bounds an answer that speaks of each document.
	maxMultiBytes = 4 * 1024 * 1024
)

type verdict int

const (
	verdictRetry     verdict = iota // not confirmed; the zero value, so that silence means "again"
	verdictDelivered                // 2xx
	verdictRefused                  // will not be taken at a second attempt either
	verdictMulti                    // 207: see answer.each
)

// answer is what a receiver said to one request.
type answer struct {
	verdict verdict
	err     error
	// throttled is set when the receiver asked to be left alone.
	throttled bool
	// delay is the least pause before the next attempt.
	delay time.Duration
	// blamesDocuments is set when a part of the documents may be acceptable by itself.
	blamesDocuments bool
	// each holds a verdict per document (207).
	each []answer
}

// judge reads the answer to a request of n documents.
func (h *HTTP) judge(resp *http.Response, n int) answer {
	switch {
	case resp.StatusCode == http.StatusMultiStatus:
		return answer{verdict: verdictMulti, each: h.readEach(resp, n)}
	case resp.StatusCode >= 200 && resp.StatusCode <= 299:
		return answer{verdict: verdictDelivered}
	}
	a := h.judgeStatus(resp.StatusCode)
	if a.verdict == verdictRetry {
		a.delay = retryAfter(resp.Header.Get("Retry-After"), h.now())
		a.throttled = a.throttled || a.delay > 0
	}
	if shown := h.readShown(resp.Body); shown != "" {
		a.err = fmt.Errorf("%w: %s", a.err, shown)
	}
	return a
}

// judgeStatus sorts a status as the OTLP specification does: 429, 502, 503 and
// 504 are worth another attempt, everything else above 2xx is final.
func (h *HTTP) judgeStatus(status int) answer {
	a := answer{err: fmt.Errorf("POST %s: got %d %s", h.shown, status, http.StatusText(status))}
	switch status {
	case http.StatusTooManyRequests:
		a.throttled = true
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		a.verdict, a.blamesDocuments = verdictRefused, true
	default:
		a.verdict = verdictRefused
	}
	return a
}

// multiStatus is the body of a 207: a status per document, by its place in the
// request. A document that it does not name is sent again.
type multiStatus struct {
	Results []struct {
		Index      int     `json:"index"`
		Status     int     `json:"status"`
		RetryAfter float64 `json:"retry_after"`
	} `json:"results"`
}

func (h *HTTP) readEach(resp *http.Response, n int) []answer {
	each := make([]answer, n)
	for i := range each {
		each[i].err = fmt.Errorf("POST %s: got 207 without a status for a document", h.shown)
	}
	var body multiStatus
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxMultiBytes)).Decode(&body); err != nil {
		return each
	}
	for _, r := range body.Results {
		if r.Index < 0 || r.Index >= n || r.Status == 0 {
			continue
		}
		if r.Status >= 200 && r.Status <= 299 {
			each[r.Index] = answer{verdict: verdictDelivered}
			continue
		}
		each[r.Index] = h.judgeStatus(r.Status)
		each[r.Index].delay = boundedDelay(r.RetryAfter)
	}
	return each
}

// retryAfter reads a Retry-After header: seconds or an HTTP date (RFC 9110, 10.2.3).
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return boundedDelay(seconds)
	}
	if date, err := http.ParseTime(value); err == nil {
		return boundedDelay(date.Sub(now).Seconds())
	}
	return 0
}

func boundedDelay(seconds float64) time.Duration {
	// Written so that NaN is no delay and no product overflows.
	if !(seconds > 0) {
		return 0
	}
	if seconds > maxRetryAfter.Seconds() {
		return maxRetryAfter
	}
	return time.Duration(seconds * float64(time.Second))
}

// readShown returns the beginning of an error's body, clean and quoted. A
// receiver may echo what it was sent, and an answer that was cut says no more
// than its status.
func (h *HTTP) readShown(body io.Reader) string {
	text, _ := io.ReadAll(io.LimitReader(body, maxShownBytes))
	if len(text) == 0 {
		return ""
	}
	return strconv.Quote(h.clean(string(text)))
}
