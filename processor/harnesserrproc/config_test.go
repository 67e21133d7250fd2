package harnesserrproc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/confmaptest"

	"github.com/harnesserr/harnesserr/redact"
)

// load reads one section of testdata/config.yaml as the collector does.
func load(t *testing.T, name string) (*Config, error) {
	t.Helper()
	conf, err := confmaptest.LoadConf("testdata/config.yaml")
	require.NoError(t, err)
	sub, err := conf.Sub(component.MustNewIDWithName("harnesserr", name).String())
	require.NoError(t, err)
	cfg := createDefaultConfig().(*Config)
	if err := sub.Unmarshal(cfg); err != nil {
		return nil, err
	}
	return cfg, confmap.Validate(cfg)
}

func TestConfigDefaults(t *testing.T) {
	conf, err := confmaptest.LoadConf("testdata/config.yaml")
	require.NoError(t, err)
	sub, err := conf.Sub("harnesserr")
	require.NoError(t, err)
	cfg := createDefaultConfig().(*Config)
	require.NoError(t, sub.Unmarshal(cfg))
	require.NoError(t, confmap.Validate(cfg))
	assert.Equal(t, createDefaultConfig(), cfg)
}

func TestConfigEveryOption(t *testing.T) {
	cfg, err := load(t, "all")
	require.NoError(t, err)
	want := createDefaultConfig().(*Config)
	want.ErrorMode, want.ErrorType, want.SetStatus, want.Annotate = modePropagate, typeAdd, true, annotateFailures
	want.Unknown, want.Causality, want.Logs.Twins, want.Metrics = unknownKeep, false, twinsMark, metricsOff
	want.Peers = PeersConfig{Max: 10, Allow: []string{"openai"}, Rename: map[string]string{"api.acme.example": "acme"}}
	want.Rules = []RuleConfig{
		{Match: "type", Value: "acme.QuotaError", Code: "x-acme.quota", Set: "retryable=false"},
		{Match: "message_regexp", Value: "quota .* used up", When: "op=tool", Code: "upstream.rate_limited"},
	}
	want.RulesFiles = []string{"testdata/rules.tsv"}
	want.Payload = PayloadConfig{Keys: []string{"acme.answer"}, MaxBytes: 1024}
	want.Redact.Mode, want.Redact.MaxLength, want.Redact.PII = redact.ModeDrop, 512, true
	want.Redact.PayloadKeys = map[string]string{"gen_ai.input.messages": redact.PayloadDrop}
	assert.Equal(t, want, cfg)
}

func TestConfigErrors(t *testing.T) {
	for name, want := range map[string][]string{
		"bad_error_mode":      {"error_mode", `"explode"`, "propagate, ignore, silent"},
		"bad_error_type":      {"error_type", `"overwrite"`, "replace, add, keep"},
		"bad_set_status":      {"set_status", "bool"},
		"bad_annotate":        {"annotate", `"some"`, "all, failures"},
		"bad_unknown":         {"unknown", `"drop"`, "generic, keep"},
		"bad_causality":       {"causality", "bool"},
		"bad_twins":           {"logs", "twins", `"double"`, "keep, mark"},
		"bad_metrics":         {"metrics", `"delete"`, "rewrite, off"},
		"bad_peers_max":       {"peers", "max", "0", "1 to 100000"},
		"bad_peers_rename":    {"peers", "rename::a", "empty"},
		"bad_rule_match":      {"rules[0]", `"color"`, "type, word, message"},
		"bad_rule_code":       {"rules[0]", `"acme.quota"`, "private codes begin with x-"},
		"bad_rule_regexp":     {"rules[0]", "missing closing )"},
		"bad_rules_files":     {"rules_files[0]", "bad_rules.tsv:2", `"kitchen"`, "model, tool, agent"},
		"missing_rules_files": {"rules_files[0]", "none.tsv"},
		"bad_payload_keys":    {"payload", "keys", "empty"},
		"bad_payload_max":     {"payload", "max_bytes", "70000", "1 to 65536"},
		"bad_redact_mode":     {"redact", "mode", `"scramble"`, "mask, hmac, drop"},
		"unknown_key":         {"peer"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load(t, name)
			require.Error(t, err)
			for _, w := range want {
				assert.ErrorContains(t, err, w)
			}
		})
	}
}
