package harnesserrconn

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
)

func TestConfig(t *testing.T) {
	require.NoError(t, componenttest.CheckConfigStruct(createDefaultConfig()))
	for _, tc := range []struct {
		name     string
		settings map[string]any
		err      string
	}{
		{"defaults", nil, ""},
		{"include", map[string]any{"include": []any{"propagated", "expected"}}, ""},
		{"include of another kind", map[string]any{"include": []any{"all"}},
			`include[0]: got "all", allowed: propagated, mirror, handled, interrupted, expected`},
		{"max_detail_bytes", map[string]any{"max_detail_bytes": 65536}, ""},
		{"max_detail_bytes too small", map[string]any{"max_detail_bytes": 0}, "max_detail_bytes: got 0, allowed: 64 to 65536"},
		{"unknown key", map[string]any{"severity": "INFO"}, "invalid keys: severity"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cfg := createDefaultConfig()
			err := confmap.NewFromStringMap(tc.settings).Unmarshal(cfg)
			if err == nil {
				err = confmap.Validate(cfg)
			}
			if tc.err == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tc.err)
			}
		})
	}
}
