package redact

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// token is a secret in a vendor's format, and masked what stands in its place.
var (
	token  = "ghp_" + strings.Repeat("a1B2", 9)
	masked = "[REDACTED_github_token]"
)

func cleanerWith(t *testing.T, change func(*Config)) *Cleaner {
	t.Helper()
	cfg := DefaultConfig()
	change(&cfg)
	c, err := New(cfg)
	require.NoError(t, err)
	failOnPanic(t, c)
	return c
}

func TestModes(t *testing.T) {
	text := "denied for " + token + "; again " + token
	hmac := func(key string) string {
		return cleanerWith(t, func(c *Config) { c.Mode, c.HMACKey = ModeHMAC, Secret(strings.Repeat(key, 32)) }).Clean(text, Text, nil)
	}
	assert.Equal(t, "denied for "+masked+"; again "+masked, newCleaner(t).Clean(text, Text, nil))
	assert.Regexp(t, `^denied for (\[REDACTED_github_token_[0-9a-f]{12}\]); again \[REDACTED_github_token_[0-9a-f]{12}\]$`, hmac("a"))
	first, second, _ := strings.Cut(strings.TrimPrefix(hmac("a"), "denied for "), "; again ")
	assert.Equal(t, first, second, "equal secrets can be joined")
	assert.NotEqual(t, hmac("a"), hmac("b"))
	drop := cleanerWith(t, func(c *Config) { c.Mode = ModeDrop })
	assert.Equal(t, "[REDACTED]", drop.Clean(text, Text, nil))
	assert.Equal(t, `{"a":"[REDACTED]","b":"calm"}`, drop.Clean(`{"a":"`+text+`","b":"calm"}`, Text, nil))
	assert.Equal(t, "/home/[REDACTED_home]/x", drop.Clean("/home/kim/x", Text, nil), "a home directory gives no access")
}

func TestKindsDiffer(t *testing.T) {
	c := newCleaner(t)
	assert.Equal(t, "one two three", c.Clean("one\ntwo\tthree", Name, nil))
	assert.Equal(t, "<|im_start|>x", c.Clean("<|im_start|>x", Text, nil))
	assert.Equal(t, "[REDACTED_marker]x", c.Clean("<|im_start|>x", Feedback, nil))
	long := strings.Repeat("word ", 4000)
	assert.Len(t, c.Clean(long, Text, nil), defaultLength)
	assert.True(t, strings.HasSuffix(c.Clean(long, Text, nil), truncMark))
	assert.Len(t, c.Clean(long, StackTrace, nil), 4*defaultLength)
	assert.Equal(t, long, c.Clean(long, Payload, nil))
}

func TestBound(t *testing.T) {
	c := cleanerWith(t, func(c *Config) { c.MaxLength = 64 })
	assert.Equal(t, strings.Repeat("é", 25)+truncMark, c.Clean(strings.Repeat("é", 40), Text, nil))
	got := c.Clean(strings.Repeat("x", 40)+" "+token+" tail tail tail", Text, nil)
	assert.Equal(t, strings.Repeat("x", 40)+" "+truncMark, got, "no token is cut in two")
}

func TestBoundJSON(t *testing.T) {
	c := cleanerWith(t, func(c *Config) { c.MaxLength = 200 })
	for _, text := range []string{
		`{"code":1,"message":"` + strings.Repeat("long ", 100) + `","n":2}`,
		`{"a":[` + strings.Repeat(`{"k":"v"},`, 60) + `1]}`,
		`[[[[` + strings.Repeat("1,", 200) + `2]]]]`,
		`{"` + strings.Repeat("k", 300) + `":1}`,
	} {
		got := c.Clean(text, Text, nil)
		assert.LessOrEqual(t, len(got), 200)
		assert.True(t, json.Valid([]byte(got)), got)
		assert.Equal(t, got, c.Clean(got, Text, nil))
	}
	assert.Contains(t, c.Clean(`{"code":1,"message":"`+strings.Repeat("long ", 100)+`","n":2}`, Text, nil), `"n":2}`)
}

func TestJSON(t *testing.T) {
	c := newCleaner(t)
	for _, tt := range []struct{ in, want string }{
		{`{ "z":1.50, "a":"` + token + `" , "m":[1e3,null,true]}`, `{ "z":1.50, "a":"` + masked + `" , "m":[1e3,null,true]}`},
		{`{"a":"\u0067hp_` + token[4:] + `"}`, `{"a":"` + masked + `"}`},
		{`{"a":"line\n` + token + `\nend"}`, `{"a":"line\n` + masked + `\nend"}`},
		{`{"a":"{\"b\":\"` + token + `\"}"}`, `{"a":"{\"b\":\"` + masked + `\"}"}`},
		{`{"pin":123456,"n":123456}`, `{"pin":"[REDACTED_secret]","n":123456}`},
		{`{"` + token + `":1}`, `{"` + masked + `":1}`},
		{`["--api-key","` + token[4:] + `"]`, `["--api-key","[REDACTED_secret]"]`},
		{`{"a":"caf\u00e9"}`, `{"a":"caf\u00e9"}`},
	} {
		assert.Equal(t, tt.want, c.Clean(tt.in, Text, nil))
	}
}

func TestPatternsAndAllow(t *testing.T) {
	c := cleanerWith(t, func(c *Config) {
		c.Patterns = []Pattern{{"ticket", `TICKET-\d+`}, {"badge", `(?i)badge no\. (\d+)`}, {"any_number", `\d{9,}`}}
		c.Allow = []string{`TICKET-1`, `ghp_a1B2.*`}
	})
	var r Report
	got := c.Clean("TICKET-1 TICKET-22 Badge No. 7 and 1234567890 "+token, Text, &r)
	assert.Equal(t, "TICKET-1 [REDACTED_ticket] Badge No. [REDACTED_badge] and [REDACTED_any_number] "+token, got)
	assert.Equal(t, 3, r.Total())
	names := map[string]int{}
	r.Each(func(rule string, n int) { names[rule] = n })
	assert.Equal(t, map[string]int{"ticket": 1, "badge": 1, "any_number": 1}, names)
	r.Reset()
	assert.Zero(t, r.Total())
}

func TestRequiredLiterals(t *testing.T) {
	for expr, want := range map[string][]string{
		`TICKET-\d+`:           {"ticket-"},
		`(?:alpha|beta)\d+`:    {"alpha", "beta"},
		`\d+`:                  nil,
		`(?:foo)?bar`:          {"bar"},
		`(?i)token`:            nil, // K also folds to the Kelvin sign
		`(?:abc)+x`:            {"abc"},
		`(?:alpha|\d+)`:        nil,
		`x\d+longer-literal.*`: {"longer-literal"},
	} {
		p, err := compilePattern(Pattern{"a", expr}, 0)
		require.NoError(t, err)
		assert.Equal(t, want, p.literals, expr)
	}
}

func TestDisableAndDryRun(t *testing.T) {
	text := "/home/kim/x " + token
	c := cleanerWith(t, func(c *Config) { c.Disable = []string{"home"} })
	assert.Equal(t, "/home/kim/x "+masked, c.Clean(text, Text, nil))
	var r Report
	dry := cleanerWith(t, func(c *Config) { c.DryRun = true })
	assert.Equal(t, text, dry.Clean(text, Text, &r))
	assert.Equal(t, 2, r.Total())
}

func TestPanicFailsClosed(t *testing.T) {
	c := cleanerWith(t, func(c *Config) {})
	c.onPanic = nil
	c.disabled = nil // any finding now panics
	var r Report
	assert.Equal(t, unscanned, c.Clean("key "+token, Text, &r))
	assert.Equal(t, 1, r.Total())
}

func TestConcurrentUse(t *testing.T) {
	c := newCleaner(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				assert.Equal(t, "a "+masked, c.Clean("a "+token, Feedback, nil))
			}
		})
	}
	wg.Wait()
}

// TestEveryPrefix plants a key of every row of the prefix table in ordinary text.
func TestEveryPrefix(t *testing.T) {
	c := newCleaner(t)
	b := newBodies(defaultSeed)
	for _, p := range builtin.prefixes {
		alphabet := ""
		for i := range 256 {
			if is(byte(i), p.body) && byte(i) != '.' && byte(i) != '=' && byte(i) != '~' {
				alphabet += string(rune(i))
			}
		}
		n := max(p.max, p.min)
		body := b.pick(alphabet, n-2) + "7" + b.pick(alphabet, 1)
		if strings.Contains(alphabet, "Q") && n > 8 {
			body = body[:3] + "9xQ" + body[6:]
		}
		if p.body&csLower == 0 {
			body = strings.ReplaceAll(body, "x", "X")
		}
		if p.uuid {
			body = b.body("uuid", "")
		}
		for _, text := range []string{"call failed: " + p.prefix + body + " was refused", `{"m":"` + p.prefix + body + `"}`, "(" + p.prefix + body + ")"} {
			assert.NotContains(t, c.Clean(text, Text, nil), body[len(body)/2:], "%s %s", c.names[p.rule], p.prefix)
		}
	}
}
