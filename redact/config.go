package redact

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Modes: what stands in the place of a credential.
const (
	ModeMask = "mask" // a fixed token that names the rule: [REDACTED_github_token]
	ModeHMAC = "hmac" // the same token with 12 hex digits of an HMAC-SHA-256, to join equal secrets
	ModeDrop = "drop" // the whole string in which a credential stands gives way to [REDACTED]
)

// Choices for text that another party wrote for a model ([Config.Feedback]).
const (
	FeedbackRedact = "redact" // cleaned as [Feedback]
	FeedbackDrop   = "drop"   // not passed on
)

// Choices for payload attributes ([Config.PayloadKeys]).
const (
	PayloadKeep   = "keep"   // not touched
	PayloadRedact = "redact" // cleaned as [Payload]
	PayloadDrop   = "drop"   // removed
)

const (
	minMaxLength  = 64       // below this the truncation marker would be most of the text
	limitLength   = 16 << 20 // above this a bound is a mistyped bound
	minHMACKey    = 32       // RFC 2104 section 3: at least the length of the hash output
	defaultLength = 4096
)

// Secret is a string that never prints itself.
type Secret string

const secretShown = "[REDACTED]"

// String returns a fixed text.
func (Secret) String() string { return secretShown }

// GoString returns a fixed text, for %#v.
func (Secret) GoString() string { return secretShown }

// MarshalText returns a fixed text, so that a marshalled configuration shows no key.
func (Secret) MarshalText() ([]byte, error) { return []byte(secretShown), nil }

// Pattern is a rule of the user: text that matches is replaced. With a capturing group only the first group is.
type Pattern struct {
	// Name is the rule's name in tokens and metrics: lower-case letters, digits and underscores.
	Name string `mapstructure:"name" yaml:"name"`
	// Regexp has Go (RE2) syntax. A pattern that needs some literal text runs only where that text stands.
	Regexp string `mapstructure:"regexp" yaml:"regexp"`
}

// Config says what to remove and what to put in its place. The zero value is not valid; start from [DefaultConfig].
// A Config is safe to print: the HMAC key never shows.
type Config struct {
	// Mode is mask, hmac or drop.
	Mode string `mapstructure:"mode" yaml:"mode"`
	// HMACKey is the key of mode hmac, at least 32 bytes; in a collector use ${env:NAME}.
	HMACKey Secret `mapstructure:"hmac_key" yaml:"hmac_key"`
	// MaxLength bounds cleaned text in bytes, the truncation marker included. 0 means no bound.
	// Stack traces get four times as much, payloads none.
	MaxLength int `mapstructure:"max_length" yaml:"max_length"`
	// PII also removes e-mail addresses, phone, card and social security numbers, IBANs, IP and MAC addresses.
	PII bool `mapstructure:"pii" yaml:"pii"`
	// Feedback says what becomes of model feedback from another party: redact or drop.
	Feedback string `mapstructure:"feedback" yaml:"feedback"`
	// PayloadKeys names attributes with prompts, completions or tool arguments and what becomes of each: keep, redact or drop.
	PayloadKeys map[string]string `mapstructure:"payload_keys" yaml:"payload_keys"`
	// Patterns are rules of the user, applied after the built-in ones.
	Patterns []Pattern `mapstructure:"patterns" yaml:"patterns"`
	// Allow lists regular expressions; a finding that one of them matches as a whole stays as it is.
	Allow []string `mapstructure:"allow" yaml:"allow"`
	// Disable lists rules, by name, that do nothing. See [Rules].
	Disable []string `mapstructure:"disable" yaml:"disable"`
	// DryRun counts what would be changed and changes nothing.
	DryRun bool `mapstructure:"dry_run" yaml:"dry_run"`
	// GeneralisePolicy reports every policy.* code as policy.guardrail_triggered, for consumers that must not learn
	// which guard they met (draft-ouchi-agent-harness-errors section 10).
	GeneralisePolicy bool `mapstructure:"generalise_policy" yaml:"generalise_policy"`
}

// DefaultConfig returns the configuration with every default set.
func DefaultConfig() Config {
	return Config{Mode: ModeMask, MaxLength: defaultLength, Feedback: FeedbackRedact}
}

var patternName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,47}$`)

// Validate reports every invalid key at once: the YAML key, the value got and what is allowed. It never shows the HMAC key.
func (c Config) Validate() error {
	var errs []error
	bad := func(key string, got any, allowed string) {
		errs = append(errs, fmt.Errorf("%s: got %v, allowed is %s", key, got, allowed))
	}
	oneOf := func(key, got string, allowed ...string) {
		if !slices.Contains(allowed, got) {
			bad(key, fmt.Sprintf("%q", got), strings.Join(allowed, ", "))
		}
	}
	oneOf("mode", c.Mode, ModeMask, ModeHMAC, ModeDrop)
	oneOf("feedback", c.Feedback, FeedbackRedact, FeedbackDrop)
	if n := len(c.HMACKey); n < minHMACKey && (c.Mode == ModeHMAC || n > 0) {
		bad("hmac_key", fmt.Sprintf("%d bytes", n), fmt.Sprintf("a key of at least %d bytes", minHMACKey))
	}
	if n := c.MaxLength; n != 0 && (n < minMaxLength || n > limitLength) {
		bad("max_length", n, fmt.Sprintf("0 (no bound) or %d to %d bytes", minMaxLength, limitLength))
	}
	for _, k := range sortedKeys(c.PayloadKeys) {
		oneOf("payload_keys::"+k, c.PayloadKeys[k], PayloadKeep, PayloadRedact, PayloadDrop)
	}
	for i, p := range c.Patterns {
		key := fmt.Sprintf("patterns[%d]::", i)
		if !patternName.MatchString(p.Name) {
			bad(key+"name", fmt.Sprintf("%q", p.Name), "a lower-case letter, then up to 47 lower-case letters, digits or underscores")
		} else if slices.Contains(Rules(), p.Name) {
			bad(key+"name", fmt.Sprintf("%q", p.Name), "a name that no built-in rule has")
		}
		if err := checkRegexp(p.Regexp); err != nil {
			bad(key+"regexp", fmt.Sprintf("%q", p.Regexp), "a Go regular expression that does not match the empty text: "+err.Error())
		}
	}
	for i, a := range c.Allow {
		if _, err := regexp.Compile(a); err != nil {
			bad(fmt.Sprintf("allow[%d]", i), fmt.Sprintf("%q", a), "a Go regular expression: "+err.Error())
		}
	}
	for i, d := range c.Disable {
		if !slices.Contains(Rules(), d) {
			bad(fmt.Sprintf("disable[%d]", i), fmt.Sprintf("%q", d), "one of "+strings.Join(Rules(), ", "))
		}
	}
	return errors.Join(errs...)
}

func checkRegexp(expr string) error {
	re, err := regexp.Compile(expr)
	if err != nil {
		return err
	}
	if re.MatchString("") {
		return errors.New("it matches the empty text")
	}
	return nil
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
