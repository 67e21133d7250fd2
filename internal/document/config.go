package document

import (
	"fmt"
	"slices"
	"strings"
)

// The records that Config.Include can add to the counted failures.
const (
	IncludePropagated  = "propagated"  // a failure that a deeper span of the trace owns
	IncludeMirror      = "mirror"      // the server half of a call whose client half is counted
	IncludeHandled     = "handled"     // an attempt whose parent operation succeeded
	IncludeInterrupted = "interrupted" // class interrupted: waits for a human or for credentials
	IncludeExpected    = "expected"    // class expected: lost races, requested cancellation, probes
)

var includable = []string{IncludePropagated, IncludeMirror, IncludeHandled, IncludeInterrupted, IncludeExpected}

// Bounds of Config.MaxDetailBytes.
const (
	DefaultMaxDetailBytes = 4096
	minDetailBytes        = 64
	maxDetailBytes        = 65536
)

// Config says which records become documents and how long their text may be.
// Its keys are squashed into the configuration of the component that embeds it.
type Config struct {
	// Include adds records that are not counted as failures: propagated, mirror,
	// handled, interrupted, expected. Default: none of them.
	Include []string `mapstructure:"include"`

	// MaxDetailBytes bounds the member detail, in bytes of UTF-8, from 64 to
	// 65536. Longer text ends in "…[truncated]". Default: 4096.
	MaxDetailBytes int `mapstructure:"max_detail_bytes"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// NewDefaultConfig returns the configuration that takes counted failures only.
func NewDefaultConfig() Config {
	return Config{MaxDetailBytes: DefaultMaxDetailBytes}
}

// Validate names the key, the value it got and what is allowed.
func (c *Config) Validate() error {
	for i, v := range c.Include {
		if !slices.Contains(includable, v) {
			return fmt.Errorf("include[%d]: got %q, allowed: %s", i, v, strings.Join(includable, ", "))
		}
		if slices.Contains(c.Include[:i], v) {
			return fmt.Errorf("include[%d]: got %q twice, allowed: each value once", i, v)
		}
	}
	if c.MaxDetailBytes < minDetailBytes || c.MaxDetailBytes > maxDetailBytes {
		return fmt.Errorf("max_detail_bytes: got %d, allowed: %d to %d", c.MaxDetailBytes, minDetailBytes, maxDetailBytes)
	}
	return nil
}
