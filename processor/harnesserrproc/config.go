package harnesserrproc

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"

	"github.com/harnesserr/harnesserr/redact"
	"github.com/harnesserr/harnesserr/signal"
)

// Config is the configuration of the processor. Every key is optional.
type Config struct {
	// ErrorMode says what a record that can't be processed does to its batch: propagate, ignore or silent.
	ErrorMode string `mapstructure:"error_mode"`
	// ErrorType says how error.type is written: replace, add (only where absent) or keep (harness.error.* alone).
	ErrorType string `mapstructure:"error_type"`
	// SetStatus sets the status of failed spans whose status is unset to ERROR.
	SetStatus bool `mapstructure:"set_status"`
	// Annotate says which recognised records get harness.operation and its like: all, or only failures.
	Annotate string `mapstructure:"annotate"`
	// Unknown says what becomes of failures that no rule explains: generic gives them the registry's catch-all, keep
	// leaves their error.type alone.
	Unknown string `mapstructure:"unknown"`
	// Causality relates the failing spans of one trace inside a batch.
	Causality bool `mapstructure:"causality"`
	// Logs says whether log records that belong to a span count as failures of their own.
	Logs LogsConfig `mapstructure:"logs"`
	// Metrics says what is done to data points: rewrite (error.type, merging points that become equal) or off.
	Metrics string `mapstructure:"metrics"`
	// Peers bounds and renames harness.peer.
	Peers PeersConfig `mapstructure:"peers"`
	// Rules are rules of the user's own; the first that matches wins.
	Rules []RuleConfig `mapstructure:"rules"`
	// RulesFiles are files with such rules, after Rules.
	RulesFiles []string `mapstructure:"rules_files"`
	// Payload says where else harness error objects may stand.
	Payload PayloadConfig `mapstructure:"payload"`
	// Redact says what is removed from texts.
	Redact redact.Config `mapstructure:"redact"`

	_ struct{}
}

// LogsConfig is about log records.
type LogsConfig struct {
	// Twins says what becomes of a failing log record that belongs to a span (it has a span id): keep leaves it to the
	// consumer to count the span alone, as the shipped configurations do; mark gives it harness.error.propagated.
	Twins string `mapstructure:"twins"`

	_ struct{}
}

// PeersConfig is about harness.peer.
type PeersConfig struct {
	// Max is how many peers keep their names at a time; the others are called other. 1 to 100000.
	Max int `mapstructure:"max"`
	// Allow, when not empty, lists the only peers that keep their names.
	Allow []string `mapstructure:"allow"`
	// Rename gives peers other names.
	Rename map[string]string `mapstructure:"rename"`

	_ struct{}
}

// RuleConfig is one rule of the user's own, in the cells of a table row (signal/tables/README.md).
type RuleConfig struct {
	Match string `mapstructure:"match"`
	Value string `mapstructure:"value"`
	When  string `mapstructure:"when"`
	Code  string `mapstructure:"code"`
	// Set holds the further cells of a row: retryable=, model_recoverable=, class=, origin=, action=.
	Set string `mapstructure:"set"`

	_ struct{}
}

// PayloadConfig is about attributes with content.
type PayloadConfig struct {
	// Keys are attributes that may hold harness error objects, beyond the known ones.
	Keys []string `mapstructure:"keys"`
	// MaxBytes is the longest text that is searched for an object. 1 to 65536.
	MaxBytes int `mapstructure:"max_bytes"`

	_ struct{}
}

var (
	_ component.Config  = (*Config)(nil)
	_ confmap.Validator = (*Config)(nil)
	_ confmap.Validator = (*PeersConfig)(nil)
	_ confmap.Validator = (*PayloadConfig)(nil)
	_ confmap.Validator = (*LogsConfig)(nil)
)

// The words of the options.
const (
	modePropagate = "propagate"
	modeIgnore    = "ignore"
	modeSilent    = "silent"

	typeReplace = "replace"
	typeAdd     = "add"
	typeKeep    = "keep"

	annotateAll      = "all"
	annotateFailures = "failures"

	unknownGeneric = "generic"
	unknownKeep    = "keep"

	metricsRewrite = "rewrite"
	metricsOff     = "off"

	twinsMark = "mark"
	twinsKeep = "keep"

	maxPeers   = 100_000
	maxPayload = 64 << 10
)

func createDefaultConfig() component.Config {
	return &Config{
		ErrorMode: modeIgnore, ErrorType: typeReplace, Annotate: annotateAll, Unknown: unknownGeneric, Causality: true,
		Logs: LogsConfig{Twins: twinsKeep}, Metrics: metricsRewrite, Peers: PeersConfig{Max: 1000},
		Payload: PayloadConfig{MaxBytes: maxPayload}, Redact: redact.DefaultConfig(),
	}
}

// Validate checks what stands in the configuration itself and that the rules can be compiled. Errors name the key, the
// value that was got and what is allowed.
func (c *Config) Validate() error {
	_, err := c.userRules()
	return errors.Join(
		oneOf("error_mode", c.ErrorMode, modePropagate, modeIgnore, modeSilent),
		oneOf("error_type", c.ErrorType, typeReplace, typeAdd, typeKeep),
		oneOf("annotate", c.Annotate, annotateAll, annotateFailures),
		oneOf("unknown", c.Unknown, unknownGeneric, unknownKeep),
		oneOf("metrics", c.Metrics, metricsRewrite, metricsOff),
		err,
	)
}

// Validate checks the section logs.
func (c *LogsConfig) Validate() error { return oneOf("twins", c.Twins, twinsKeep, twinsMark) }

// Validate checks the section peers.
func (c *PeersConfig) Validate() error {
	if c.Max < 1 || c.Max > maxPeers {
		return fmt.Errorf("max: got %d, want 1 to %d", c.Max, maxPeers)
	}
	for from, to := range c.Rename {
		if to == "" {
			return fmt.Errorf("rename::%s: got an empty name, want one", from)
		}
	}
	return nil
}

// Validate checks the section payload.
func (c *PayloadConfig) Validate() error {
	if c.MaxBytes < 1 || c.MaxBytes > maxPayload {
		return fmt.Errorf("max_bytes: got %d, want 1 to %d", c.MaxBytes, maxPayload)
	}
	if slices.Contains(c.Keys, "") {
		return errors.New("keys: got an empty attribute key, want a name")
	}
	return nil
}

func oneOf(key, got string, allowed ...string) error {
	if slices.Contains(allowed, got) {
		return nil
	}
	return fmt.Errorf("%s: got %q, want one of %s", key, got, strings.Join(allowed, ", "))
}

// userRules reads the rules of the configuration, then those of the files, in order.
func (c *Config) userRules() ([]signal.UserRule, error) {
	var rules []signal.UserRule
	var errs []error
	for i, r := range c.Rules {
		u := signal.UserRule{Where: fmt.Sprintf("rules[%d]", i), Match: r.Match, Value: r.Value, When: r.When, Code: r.Code, Set: r.Set}
		errs = append(errs, u.Validate())
		rules = append(rules, u)
	}
	for i, name := range c.RulesFiles {
		more, err := readRules(name)
		if err != nil {
			errs = append(errs, fmt.Errorf("rules_files[%d]: %w", i, err))
		}
		rules = append(rules, more...)
	}
	return rules, errors.Join(errs...)
}

func readRules(name string) ([]signal.UserRule, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return signal.ReadRules(name, f)
}
