package redact

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// unscanned replaces a text that could not be judged.
const unscanned = tokenStart + "_unscanned]"

// maxPasses bounds how often a changed text is looked at again. Two are normal: one that changes, one that finds nothing.
const maxPasses = 8

// Cleaner cleans text as one [Config] says. It is safe for concurrent use.
type Cleaner struct {
	cfg      Config
	names    []string // rule names by ruleID
	disabled []bool   // by ruleID
	hmacKey  []byte
	pre      *prefilter
	patterns []userPattern
	allow    []*regexp.Regexp // anchored at both ends
	onPanic  func(any)        // tests fail on what an operator sees as the rule unscanned
	pool     sync.Pool
}

// New returns a Cleaner, or the error of [Config.Validate].
func New(cfg Config) (*Cleaner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("redact: %w", err)
	}
	c := &Cleaner{cfg: cfg, names: builtin.names, pre: textPrefilter()}
	if cfg.Mode == ModeHMAC {
		c.hmacKey = []byte(cfg.HMACKey)
	}
	for _, p := range cfg.Patterns {
		compiled, err := compilePattern(p, ruleID(len(c.names)))
		if err != nil {
			return nil, fmt.Errorf("redact: patterns: %w", err)
		}
		c.names = append(slices.Clip(c.names), p.Name)
		c.patterns = append(c.patterns, compiled)
	}
	for _, a := range cfg.Allow {
		re, err := regexp.Compile(`^(?:` + a + `)$`)
		if err != nil {
			return nil, fmt.Errorf("redact: allow: %w", err)
		}
		c.allow = append(c.allow, re)
	}
	c.disabled = make([]bool, len(c.names))
	for i, name := range c.names {
		for _, d := range cfg.Disable {
			c.disabled[i] = c.disabled[i] || d == name
		}
	}
	c.pool.New = func() any { return &scanner{c: c} }
	return c, nil
}

// Clean returns s without what [Config] and k say must go, and counts into r, which may be nil. When nothing has to go
// it returns s itself and allocates nothing. Cleaning twice equals cleaning once. A text that is JSON stays valid JSON.
// A text that cannot be judged, because the work on it exceeds its cap or a rule panics, is replaced as a whole.
func (c *Cleaner) Clean(s string, k Kind, r *Report) string {
	out := c.clean(s, k, r, 0)
	if c.cfg.DryRun {
		return s
	}
	return out
}

// clean repeats pass until it changes nothing.
func (c *Cleaner) clean(s string, k Kind, r *Report, depth int) (out string) {
	defer func() {
		if e := recover(); e != nil {
			if c.onPanic != nil {
				c.onPanic(e)
			}
			r.add(c.names, ruleUnscanned, 1)
			out = unscanned
		}
	}()
	for range maxPasses {
		out = c.pass(s, k, r, depth)
		if out == s {
			return s
		}
		s = out
	}
	r.add(c.names, ruleUnscanned, 1)
	return unscanned
}

func (c *Cleaner) pass(s string, k Kind, r *Report, depth int) string {
	sc := c.pool.Get().(*scanner)
	defer c.pool.Put(sc)
	sc.reset(s, k)
	if !sc.scan(true) || k == Name && strings.ContainsAny(s, "\n\t") {
		clean, badUTF8, removed := sanitize(s, k == Name)
		r.add(c.names, ruleUTF8, badUTF8)
		r.add(c.names, ruleControl, removed)
		s = clean
		sc.reset(s, k)
		sc.scan(false)
	}
	sc.findRest()
	if sc.exhausted() {
		r.add(c.names, ruleUnscanned, 1)
		return unscanned
	}
	spans := c.judge(sc)
	asJSON := (len(spans) > 0 || strings.IndexByte(s, '\\') >= 0 || len(s) > k.bound(c.cfg.MaxLength)) && depth < maxDepth && isJSON(s)
	switch {
	case asJSON:
		s = c.cleanJSON(s, k, spans, r, depth)
	case c.dropsFor(spans):
		r.add(c.names, spans[0].rule, len(spans))
		s = tokenPlain
	case len(spans) > 0:
		s = c.replace(s, spans, r)
	}
	if n := k.bound(c.cfg.MaxLength); n > 0 && depth == 0 && len(s) > n {
		r.add(c.names, ruleTruncated, 1)
		if asJSON {
			return boundJSON(s, n)
		}
		return bound(s, n)
	}
	return s
}

// judge returns the spans in order, without those that the configuration allows.
func (c *Cleaner) judge(sc *scanner) []span {
	if len(sc.spans) == 0 {
		return nil
	}
	sc.sortSpans()
	if len(c.allow) == 0 {
		return sc.spans
	}
	return slices.DeleteFunc(sc.spans, func(sp span) bool {
		return slices.ContainsFunc(c.allow, func(re *regexp.Regexp) bool { return re.MatchString(sc.s[sp.a:sp.b]) })
	})
}

// dropsFor reports whether mode drop drops a text with these spans.
func (c *Cleaner) dropsFor(spans []span) bool {
	return c.cfg.Mode == ModeDrop && slices.ContainsFunc(spans, func(sp span) bool { return sp.rule.isCredential() })
}
