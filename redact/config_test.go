package redact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestValidate(t *testing.T) {
	key := Secret(strings.Repeat("k", minHMACKey))
	for _, tt := range []struct {
		name   string
		change func(*Config)
		want   string // part of the error; empty for none
	}{
		{"defaults", func(*Config) {}, ""},
		{"hmac", func(c *Config) { c.Mode, c.HMACKey = ModeHMAC, key }, ""},
		{"drop", func(c *Config) { c.Mode = ModeDrop }, ""},
		{"unknown mode", func(c *Config) { c.Mode = "hide" }, `mode: got "hide", allowed is mask, hmac, drop`},
		{"hmac without key", func(c *Config) { c.Mode = ModeHMAC }, "hmac_key: got 0 bytes, allowed is a key of at least 32 bytes"},
		{"short key", func(c *Config) { c.HMACKey = "tooshort" }, "hmac_key: got 8 bytes"},
		{"no bound", func(c *Config) { c.MaxLength = 0 }, ""},
		{"least bound", func(c *Config) { c.MaxLength = minMaxLength }, ""},
		{"bound too small", func(c *Config) { c.MaxLength = 10 }, "max_length: got 10, allowed is 0 (no bound) or 64 to 16777216 bytes"},
		{"negative bound", func(c *Config) { c.MaxLength = -1 }, "max_length: got -1"},
		{"feedback", func(c *Config) { c.Feedback = FeedbackDrop }, ""},
		{"unknown feedback", func(c *Config) { c.Feedback = "keep" }, `feedback: got "keep", allowed is redact, drop`},
		{"payload key", func(c *Config) { c.PayloadKeys = map[string]string{"gen_ai.input.messages": PayloadDrop} }, ""},
		{"unknown payload choice", func(c *Config) { c.PayloadKeys = map[string]string{"a.b": "burn"} }, `payload_keys::a.b: got "burn", allowed is keep, redact, drop`},
		{"pattern", func(c *Config) { c.Patterns = []Pattern{{"ticket", `T-\d+`}} }, ""},
		{"pattern without name", func(c *Config) { c.Patterns = []Pattern{{"", `T-\d+`}} }, `patterns[0]::name: got ""`},
		{"pattern with a built-in name", func(c *Config) { c.Patterns = []Pattern{{"jwt", `T-\d+`}} }, `patterns[0]::name: got "jwt"`},
		{"bad pattern", func(c *Config) { c.Patterns = []Pattern{{"a", `(`}} }, `patterns[0]::regexp: got "("`},
		{"pattern that matches nothing", func(c *Config) { c.Patterns = []Pattern{{"a", `x*`}} }, "it matches the empty text"},
		{"allow", func(c *Config) { c.Allow = []string{"sk-test-.*"} }, ""},
		{"bad allow", func(c *Config) { c.Allow = []string{"["} }, `allow[0]: got "["`},
		{"disable", func(c *Config) { c.Disable = []string{"home", "jwt"} }, ""},
		{"unknown rule", func(c *Config) { c.Disable = []string{"homes"} }, `disable[0]: got "homes", allowed is one of `},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := DefaultConfig()
			tt.change(&cfg)
			_, err := New(cfg)
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.want)
			require.NotContains(t, err.Error(), "tooshort")
		})
	}
}

func TestConfigHidesKey(t *testing.T) {
	cfg := DefaultConfig()
	cfg.HMACKey = "correct horse battery staple, twice over"
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		assert.NotContains(t, fmt.Sprintf(format, cfg), "horse", format)
	}
	text, err := cfg.HMACKey.MarshalText()
	require.NoError(t, err)
	assert.NotContains(t, string(text), "horse")
}

func TestKinds(t *testing.T) {
	for k := range numKinds {
		got, ok := ParseKind(k.String())
		assert.True(t, ok)
		assert.Equal(t, k, got)
	}
	_, ok := ParseKind("prose")
	assert.False(t, ok)
}
