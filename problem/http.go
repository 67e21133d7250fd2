package problem

import (
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/harnesserr/harnesserr/registry"
)

// MediaType is the media type of RFC 9457 (draft 6.1).
const MediaType = "application/problem+json"

// HTTPResponse returns what an HTTP response that reports o consists of: the
// status of table 3, unless o sets another of an error, the header fields Content-Type and
// Retry-After, the latter in whole seconds and rounded up, and the body, in
// which status is the same.
func HTTPResponse(o Object) (status int, header http.Header, body []byte, err error) {
	if o.Status < http.StatusBadRequest {
		o.Status = registry.HTTPStatus(o.Code)
	}
	body, err = o.Encode()
	if err != nil {
		return 0, nil, nil, err
	}
	header = http.Header{"Content-Type": {MediaType}}
	if o.RetryAfter != nil {
		header.Set("Retry-After", strconv.FormatFloat(min(math.Ceil(*o.RetryAfter), math.MaxInt32), 'f', 0, 64))
	}
	return o.Status, header, body, nil
}

// WriteHTTP answers a request with o; see HTTPResponse. If o is not well-formed
// nothing is written and the error says why.
func WriteHTTP(w http.ResponseWriter, o Object) error {
	status, header, body, err := HTTPResponse(o)
	if err != nil {
		return err
	}
	for name, values := range header {
		w.Header()[name] = values
	}
	w.WriteHeader(status)
	_, err = w.Write(body)
	return err
}

// FromHTTP reads an object out of an HTTP response: the body, if its media type
// is JSON of any kind and it is, or carries, a harness error object. retry_after
// comes from the field Retry-After where the object has none; now serves to read
// a date there. The member status, which belongs to the response, is cleared.
//
// A response without an object is not translated: which code a bare 403 or 503
// stands for depends on who sent it.
func FromHTTP(header http.Header, body []byte, now time.Time) (Found, bool) {
	if !isJSON(header.Get("Content-Type")) {
		return Found{}, false
	}
	f, ok := Find(body)
	if !ok {
		return Found{}, false
	}
	f.Object.Status = 0
	if f.Object.RetryAfter == nil {
		f.Object.RetryAfter = retryAfter(header.Get("Retry-After"), now)
	}
	return f, true
}

func isJSON(contentType string) bool {
	t, _, err := mime.ParseMediaType(contentType)
	return err == nil && (t == "application/json" || strings.HasSuffix(t, "+json"))
}

// retryAfter reads the field of RFC 9110 section 10.2.3: seconds or a date. A
// date in the past means now.
func retryAfter(value string, now time.Time) *float64 {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return new(float64(seconds))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return nil
	}
	return new(max(0, at.Sub(now).Seconds()))
}
