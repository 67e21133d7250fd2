package redact

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	defaultSeed = 20261130
	otherSeeds  = 20
	leastClean  = 0.97 // share of rows with secrets that must come out clean
)

// checkScore requires what is not a matter of degree, and the share of clean secret rows.
func checkScore(t *testing.T, got map[string]tally, least float64) {
	t.Helper()
	for _, what := range []string{"kept", "json", "idempotent", "path"} {
		assert.Equal(t, got[what].all, got[what].good, what)
	}
	secrets := got["secret"]
	assert.GreaterOrEqual(t, float64(secrets.good), least*float64(secrets.all), "secret rows: %d of %d", secrets.good, secrets.all)
}

func TestCorpus(t *testing.T) {
	c := newCleaner(t)
	for seed := range uint64(otherSeeds + 1) {
		t.Run(fmt.Sprint(defaultSeed+seed), func(t *testing.T) {
			got := score(c, corpus(t, "testdata/corpus.tsv", defaultSeed+seed), func(what string, r row, got string) {
				if what != "pii" {
					t.Logf("%s %s %s\n   in  %.300q\n   out %.300q", what, r.id, r.kind, r.text, got)
				}
			})
			checkScore(t, got, leastClean)
			assert.Zero(t, got["pii"].good, "personal data goes only when asked")
		})
	}
}

func TestCorpusWithPII(t *testing.T) {
	cfg := DefaultConfig()
	cfg.PII = true
	c, err := New(cfg)
	require.NoError(t, err)
	got := score(c, corpus(t, "testdata/corpus.tsv", defaultSeed), func(what string, r row, got string) {
		t.Logf("%s %s %s\n   in  %.300q\n   out %.300q", what, r.id, r.kind, r.text, got)
	})
	assert.Equal(t, got["pii"].all, got["pii"].good)
	assert.Equal(t, got["json"].all, got["json"].good)
	assert.Equal(t, got["idempotent"].all, got["idempotent"].good)
}

func TestCarriers(t *testing.T) {
	c := newCleaner(t)
	for seed := range uint64(5) {
		got := score(c, corpus(t, "testdata/carriers.tsv", seed), func(what string, r row, got string) {
			t.Logf("%s %s %s\n   in  %.300q\n   out %.300q", what, r.id, r.kind, r.text, got)
		})
		checkScore(t, got, leastClean)
		t.Log(got)
	}
}
