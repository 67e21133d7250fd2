package redact

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func fuzzCleaner(t testing.TB, change func(*Config)) *Cleaner {
	t.Helper()
	cfg := DefaultConfig()
	change(&cfg)
	c, err := New(cfg)
	require.NoError(t, err)
	return c
}

// addSeeds adds the texts of both corpora.
func addSeeds(f *testing.F, add func(text string)) {
	for _, path := range []string{"testdata/corpus.tsv", "testdata/carriers.tsv"} {
		for _, r := range corpus(f, path, defaultSeed) {
			add(r.text)
		}
	}
	for _, unit := range hostileUnits {
		add(strings.Repeat(unit, 9))
	}
}

// FuzzClean holds what Clean promises about every text.
func FuzzClean(f *testing.F) {
	const most = 512
	cleaners := []*Cleaner{
		fuzzCleaner(f, func(c *Config) { c.MaxLength, c.PII = most, true }),
		fuzzCleaner(f, func(c *Config) {
			c.MaxLength, c.Mode, c.HMACKey = most, ModeHMAC, Secret(strings.Repeat("k", minHMACKey))
		}),
		fuzzCleaner(f, func(c *Config) { c.MaxLength, c.Mode = most, ModeDrop }),
	}
	addSeeds(f, func(text string) { f.Add(text, uint8(len(text))) })
	f.Fuzz(func(t *testing.T, s string, choice uint8) {
		c := cleaners[int(choice)%len(cleaners)]
		k := Kind(choice/8) % numKinds
		failOnPanic(t, c)
		got := c.Clean(s, k, nil)
		if !utf8.ValidString(got) {
			t.Errorf("invalid UTF-8: %q", got)
		}
		if n := k.bound(most); n > 0 && len(got) > n {
			t.Errorf("%d bytes, bound %d", len(got), n)
		}
		if again := c.Clean(got, k, nil); again != got {
			t.Errorf("cleaned again:\n%q\n%q", got, again)
		}
		if utf8.ValidString(s) && isJSON(s) && got != unscanned && !json.Valid([]byte(got)) {
			t.Errorf("no JSON any more: %q", got)
		}
	})
}

// FuzzPlanted plants a secret between two texts: it must not come out, whatever they are.
func FuzzPlanted(f *testing.F) {
	c := fuzzCleaner(f, func(c *Config) { c.MaxLength = 0 })
	templates := []string{
		"sk-proj-⟦1:url:74⟧T3BlbkFJ⟦2:url:74⟧", "sk-ant-api03-⟦1:url:93⟧AA", "ghp_⟦1:alnum:36⟧", "github_pat_⟦1:alnum:22⟧_⟦2:alnum:59⟧", "glpat-⟦1:url:19⟧7",
		"AKIA⟦1:base32:16⟧", "AIza⟦1:url:35⟧", "xoxb-⟦1:digit:12⟧-⟦2:digit:13⟧-⟦3:alnum:24⟧", "hvs.⟦1:url:95⟧", "⟦1:jwt⟧", "sk_live_⟦1:alnum:99⟧", "gsk_⟦1:alnum:52⟧", "npm_⟦1:alnum:35⟧7",
	}
	b := newBodies(defaultSeed)
	var secrets []string
	for _, text := range templates {
		b.known = map[string]string{}
		secrets = append(secrets, b.expand(text))
	}
	addSeeds(f, func(text string) { f.Add(text, text, uint8(len(text))) })
	f.Fuzz(func(t *testing.T, before, after string, choice uint8) {
		failOnPanic(t, c)
		secret := secrets[int(choice)%len(secrets)]
		for _, edge := range []string{" ", "\n", "\"", "'"} {
			if got := c.Clean(before+edge+secret+edge+after, Feedback, nil); strings.Contains(got, secret[len(secret)/2:]) && !strings.Contains(before+after, secret[len(secret)/2:]) {
				t.Errorf("%q survives: %q", secret, got)
			}
		}
	})
}

// FuzzUnescape holds the offsets that map decoded text back.
func FuzzUnescape(f *testing.F) {
	addSeeds(f, func(text string) { f.Add(text) })
	f.Fuzz(func(t *testing.T, s string) {
		text, offsets := unescape(s)
		if offsets == nil {
			return
		}
		require.Len(t, offsets, len(text)+1)
		for i := 1; i < len(offsets); i++ {
			require.LessOrEqual(t, offsets[i-1], offsets[i])
		}
		require.Equal(t, int32(len(s)), offsets[len(text)])
	})
}
