package registry_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/registry"
)

func TestEveryCellOfTheDraft(t *testing.T) {
	compare(t, fromTestdata(t))
}

// The text of the draft is not part of this repository. Whoever has it can name
// it, and the same comparison runs against the document itself.
func TestEveryCellOfTheDraftText(t *testing.T) {
	path := os.Getenv("HARNESSERR_DRAFT")
	if path == "" {
		t.Skip("HARNESSERR_DRAFT does not name the draft's text")
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	fromText := fromDraft(t, string(text))
	compare(t, fromText)
	for i, row := range fromTestdata(t).codes {
		require.Equal(t, fromText.codes[i], row, "testdata/table2_codes.tsv")
	}
	for _, e := range registry.All() {
		require.NotContains(t, string(text), e.Description, "descriptions are ours")
	}
}

func compare(t *testing.T, draft tables) {
	require.Len(t, draft.codes, 31)
	entries := registry.All()
	require.Len(t, entries, len(draft.codes))
	for i, row := range draft.codes {
		t.Run(row[0], func(t *testing.T) {
			e := entries[i]
			require.Equal(t, row, []string{
				e.Code, e.Title, string(e.Origin),
				strconv.FormatBool(e.Retryable), strconv.FormatBool(e.ModelRecoverable),
			})
			require.Equal(t, e.Code[:strings.IndexByte(e.Code, '.')], e.Category)
			require.Equal(t, pick(t, draft.http, e.Code), strconv.Itoa(e.HTTPStatus))
			require.Equal(t, pick(t, draft.states, e.Code), e.A2AState)
			require.Equal(t, channel(t, draft, e.Code), e.MCPChannel.String())
			require.NotEmpty(t, e.Description)
			require.True(t, e.Origin.Known())
		})
	}
	require.Len(t, draft.categories, 7)
	for _, row := range draft.categories {
		require.True(t, registry.KnownCategory(row[0]), row[0])
	}
}

func channel(t *testing.T, draft tables, code string) string {
	for _, row := range draft.toolErrors {
		if category, ok := strings.CutSuffix(row[0], "*"); row[0] == code || ok && strings.HasPrefix(code, category) {
			return "isError"
		}
	}
	number, _, _ := strings.Cut(pick(t, draft.jsonrpc, code), " ")
	return "jsonrpc:" + number
}

func TestLookup(t *testing.T) {
	for _, want := range registry.All() {
		got, ok := registry.Lookup(want.Code)
		require.True(t, ok)
		require.Equal(t, want, got)
		require.Equal(t, want.HTTPStatus, registry.HTTPStatus(want.Code))
		require.Equal(t, want.A2AState, registry.A2AState(want.Code))
		require.Equal(t, want.MCPChannel, registry.Channel(want.Code))
		require.False(t, registry.IsPrivate(want.Code))
		require.True(t, registry.KnownCategory(registry.Category(want.Code)))
	}
	_, ok := registry.Lookup("output.unheard_of")
	require.False(t, ok)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		registry.Lookup(registry.ToolTimeout)
		registry.Lookup("output.unheard_of")
		registry.Valid("x-acme.thing")
		registry.Category("output.unheard_of")
	}))
}

// The tables of the draft end in rows for all others; unknown reasons and
// private codes fall under them.
func TestUnregisteredCodes(t *testing.T) {
	for _, c := range []struct {
		code, category string
		private, known bool
		status         int
		channel        registry.MCPChannel
	}{
		{"upstream.on_fire", "upstream", false, true, 502, registry.MCPToolError},
		{"policy.new_rule", "policy", false, true, 403, registry.MCPInternalError},
		{"output.rejected", "output", false, true, 422, registry.MCPInternalError},
		{"x-acme.policy", "x-acme", true, false, 422, registry.MCPInternalError},
		{"weather.rain", "weather", false, false, 422, registry.MCPInternalError},
	} {
		t.Run(c.code, func(t *testing.T) {
			_, ok := registry.Lookup(c.code)
			require.False(t, ok)
			require.Equal(t, c.category, registry.Category(c.code))
			require.Equal(t, c.private, registry.IsPrivate(c.code))
			require.Equal(t, c.known, registry.KnownCategory(registry.Category(c.code)))
			require.Equal(t, c.status, registry.HTTPStatus(c.code))
			require.Equal(t, registry.StateFailed, registry.A2AState(c.code))
			require.Equal(t, c.channel, registry.Channel(c.code))
		})
	}
}

func TestAllIsACopy(t *testing.T) {
	registry.All()[0].Code = "changed"
	require.Equal(t, registry.OutputMalformed, registry.All()[0].Code)
}

func TestOriginKnown(t *testing.T) {
	require.True(t, registry.OriginUser.Known())
	require.False(t, registry.Origin("").Known())
	require.False(t, registry.Origin("Model").Known())
}

// codeSyntax is the rule of draft 4.1 that Valid implements by hand.
var codeSyntax = regexp.MustCompile(`^([a-z0-9_]+|x-[a-z0-9_-]+)\.[a-z0-9_]+$`)

func FuzzValid(f *testing.F) {
	for _, s := range []string{
		"output.truncated", "x-acme.thing", "x-a-b_c.d", "x.a", "x-.a", "x-", ".a", "a.", ".", "",
		"a.b.c", "A.b", "a.B", "a-b.c", "a.b-c", "a.b\n", "ä.b", "x-a.b.c", "_._", "0.0", "x-a\x00.b",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		valid := codeSyntax.MatchString(s)
		require.Equal(t, valid, registry.Valid(s))
		category := registry.Category(s)
		require.Equal(t, valid, category != "")
		require.Equal(t, valid && strings.HasPrefix(s, "x-"), registry.IsPrivate(s))
	})
}
