package problem

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
)

const (
	wantCode   = `category.reason of [a-z0-9_], or x-private.reason, in at most 128 bytes`
	wantOrigin = `model, harness, tool, upstream or user`
	wantStatus = `an HTTP status from 100 to 599`

	wantReference = `a URI reference (RFC 3986)`
	wantPointer   = `a JSON Pointer (RFC 6901)`
)

// Validate reports whether o is well-formed by draft sections 3 and 4: a code
// of the right syntax, a known origin, numbers in their ranges, in causes as
// well. An object that was read and has a code always is. The error joins one error a finding, each of the
// form "causes[0].location.turn: got 0, want …". What the draft only recommends,
// for example the registered title, is not checked.
func (o *Object) Validate() error {
	var f findings
	o.validateAll("", &f)
	return errors.Join(f.errs...)
}

func (o *Object) validateAll(path string, f *findings) {
	o.validate(path, f)
	for i := range o.Causes {
		o.Causes[i].validateAll(path+"causes["+strconv.Itoa(i)+"].", f)
	}
}

// validate checks o without its causes.
func (o *Object) validate(path string, f *findings) {
	v := validator{path: path, findings: f}
	switch {
	case o.Code == "":
		v.fail("code", "nothing", wantCode)
	case !validCode(o.Code):
		v.fail("code", strconv.Quote(clip(o.Code)), wantCode)
	}
	if o.Origin != "" && !o.Origin.Known() {
		v.fail("origin", strconv.Quote(clip(string(o.Origin))), wantOrigin)
	}
	if !isReference(o.Instance) {
		v.fail("instance", strconv.Quote(clip(o.Instance)), wantReference)
	}
	v.status("status", o.Status)
	if o.RetryAfter != nil && (*o.RetryAfter < 0 || !finite(*o.RetryAfter)) {
		v.fail("retry_after", fmt.Sprint(*o.RetryAfter), "a number of at least 0")
	}
	v.count("attempts", o.Attempts)
	v.count("max_attempts", o.MaxAttempts)
	v.limit(o.Limit)
	v.location(o.Location)
	v.upstream(o.Upstream)
}

type validator struct {
	path     string
	findings *findings
}

func (v validator) limit(l *Limit) {
	if l == nil {
		return
	}
	v.finite("limit.value", l.Value)
	v.finite("limit.observed", l.Observed)
}

func (v validator) location(l *Location) {
	if l == nil {
		return
	}
	if l.Turn < 0 {
		v.fail("location.turn", strconv.FormatInt(l.Turn, 10), "an integer of at least 1")
	}
	if !isPointer(l.Pointer) {
		v.fail("location.pointer", strconv.Quote(clip(l.Pointer)), wantPointer)
	}
}

func (v validator) upstream(u *Upstream) {
	if u == nil {
		return
	}
	v.status("upstream.status", u.Status)
}

func (v validator) status(member string, n int) {
	if n != 0 && !isStatus(int64(n)) {
		v.fail(member, strconv.Itoa(n), wantStatus)
	}
}

func (v validator) count(member string, n *int64) {
	if n != nil && *n < 0 {
		v.fail(member, strconv.FormatInt(*n, 10), "an integer of at least 0")
	}
}

func (v validator) finite(member string, f *float64) {
	if f != nil && !finite(*f) {
		v.fail(member, fmt.Sprint(*f), "a finite number")
	}
}

func (v validator) fail(member, got, want string) { v.findings.report(v.path+member, got, want) }

// maxFindings bounds what one object can have said about it.
const maxFindings = 64

// findings collects errors, the first of each path: what had the wrong type is
// not missing as well.
type findings struct {
	errs  []error
	paths map[string]bool
}

func (f *findings) report(path, got, want string) {
	if f.paths[path] || len(f.errs) == maxFindings {
		return
	}
	if f.paths == nil {
		f.paths = make(map[string]bool)
	}
	f.paths[path] = true
	f.errs = append(f.errs, fmt.Errorf("%s: got %s, want %s", path, got, want))
}

func finite(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) }

func isStatus(n int64) bool { return 100 <= n && n <= 599 }

func isReference(s string) bool {
	_, err := url.Parse(s)
	return err == nil
}

// isPointer checks the syntax of RFC 6901: empty, or tokens that each begin with
// a slash and use the tilde only in ~0 and ~1.
func isPointer(s string) bool {
	if s == "" {
		return true
	}
	if s[0] != '/' {
		return false
	}
	for rest := s; ; {
		i := strings.IndexByte(rest, '~')
		if i < 0 {
			return true
		}
		rest = rest[i+1:]
		if rest == "" || rest[0] != '0' && rest[0] != '1' {
			return false
		}
	}
}

// clip keeps what another party wrote from filling an error message.
func clip(s string) string {
	const most = 64
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
