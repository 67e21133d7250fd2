package signal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What is remembered changes no verdict, however often a word comes and whatever came in between.
func TestDeciderRemembers(t *testing.T) {
	e := Default()
	d := e.NewDecider()
	decide := func(d *Decider, r *Rule) (v Verdict, failed bool) {
		ev := Evidence{Operation: OpChat, Status: StatusError, Provider: home(r)}
		switch r.match {
		case MatchStop:
			ev.Stops = []string{r.value}
		case MatchHTTP:
			ev.HTTPStatus = httpStatus(r.value)
		case MatchMessage:
			ev.Messages = []string{"Error code: 400 - " + r.value, r.value}
		default:
			ev.ErrorType = r.value
		}
		failed = d.Decide(&ev, &v)
		return v, failed
	}
	for _, r := range e.rules {
		switch r.match {
		case MatchType, MatchGRPC, MatchHTTP, MatchStop, MatchMessage:
			want, failed := decide(e.NewDecider(), r)
			for range 1 + r.order%4 { // some keep a place
				got, again := decide(d, r)
				require.Equal(t, failed, again, r.id)
				require.Equal(t, want, got, r.id)
			}
		}
	}
}

// Deciding allocates nothing: neither on words that come again and again nor on new ones.
func TestDecideAllocates(t *testing.T) {
	d := Default().NewDecider()
	for _, ev := range []Evidence{
		{Operation: OpChat, Status: StatusError, Provider: "openai", ErrorType: "openai.RateLimitError", HTTPStatus: 429},
		{Operation: OpChat, Status: StatusError, Exceptions: []Exception{{Type: "acme.errors.NobodyKnowsIt", Message: "Error code: 429 - {'type': 'tokens'}"}}},
		{Operation: OpChat, Provider: "anthropic", Stops: []string{`["MAX_TOKENS"]`}},
	} {
		var v Verdict
		for range 3 {
			require.True(t, d.Decide(&ev, &v))
		}
		require.Zero(t, testing.AllocsPerRun(10, func() { d.Decide(&ev, &v) }))
	}
}
