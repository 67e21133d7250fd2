package signal

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSpellings takes every value that the tables know and spells it otherwise, as SDKs do: the decision stays.
func TestSpellings(t *testing.T) {
	e := Default()
	rnd := rand.New(rand.NewPCG(1, 2))
	tried := map[string]int{}
	for _, r := range e.rules {
		var evidence func(string) *Evidence
		var spell func(string) []string
		value := r.value
		switch {
		case len(r.file.homes) == 0 && r.file.private, r.when.weight() > 0:
			continue // depends on more than the value
		case r.match == MatchStop:
			evidence, spell = stopEvidence(r), stopSpellings
		case r.match == MatchType && !numeric(value) && !strings.ContainsAny(value, " "):
			evidence, spell = typeEvidence(r), typeSpellings
		case r.match == MatchMessage && r.anchor == anywhere && len(r.rest) == 0:
			evidence, spell = messageEvidence(r), messageSpellings
		default:
			continue
		}
		want := decided(e, evidence(value))
		for _, s := range append(spell(value), randomCase(rnd, value)) {
			require.Equal(t, want, decided(e, evidence(s)), "%s: %q for %q", r.id, s, value)
			tried[matchNames[r.match]]++
		}
	}
	t.Log(tried)
	require.Greater(t, tried["stop"], 1000)
	require.Greater(t, tried["type"], 5000)
	require.Greater(t, tried["message"], 1500)
}

func decided(e *Engine, ev *Evidence) string {
	var v Verdict
	e.NewDecider().Decide(ev, &v)
	return v.Code + " " + v.Class.String()
}

func home(r *Rule) string {
	if len(r.file.homes) > 0 {
		return r.file.homes[0]
	}
	return ""
}

func stopEvidence(r *Rule) func(string) *Evidence {
	return func(s string) *Evidence {
		return &Evidence{Operation: OpChat, Provider: home(r), Stops: []string{s}}
	}
}

func typeEvidence(r *Rule) func(string) *Evidence {
	return func(s string) *Evidence {
		return &Evidence{Operation: OpChat, Provider: home(r), Status: StatusError, Exceptions: []Exception{{Type: s}}}
	}
}

func messageEvidence(r *Rule) func(string) *Evidence {
	return func(s string) *Evidence {
		return &Evidence{Operation: OpChat, Provider: home(r), Status: StatusError, Messages: []string{s}}
	}
}

// stopSpellings are the encodings of finish reasons that instrumentations use.
func stopSpellings(s string) []string {
	if strings.ContainsAny(s, ".,;|[](){} ") {
		return nil
	}
	out := []string{`["` + s + `"]`, "[" + s + "]", "('" + s + "',)", "FinishReason." + s, " " + s + " ", `"` + s + `"`}
	if !numeric(s) {
		out = append(out, strings.ToUpper(s), strings.ToLower(s), strings.ReplaceAll(s, "_", "-"), "FINISH_REASON_"+strings.ToUpper(s))
	}
	return out
}

// typeSpellings are the forms in which SDKs record the name of a class.
func typeSpellings(s string) []string {
	out := []string{"<class '" + s + "'>", " " + s + "\n", `"` + s + `"`, s + "_v0_3"}
	if !strings.ContainsAny(s, "*&/") {
		out = append(out, "*"+s)
	}
	return out
}

// messageSpellings put a text where error reports put it.
func messageSpellings(s string) []string {
	return []string{strings.ToUpper(s), "  " + s + "\n", "It went wrong with this: " + s + " (id 17)"}
}

func randomCase(rnd *rand.Rand, s string) string {
	b := []byte(s)
	for i, c := range b {
		if rnd.IntN(2) == 0 && 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// TestWrapped: the real failure is found inside the wrappers of frameworks, runtimes and retry libraries.
func TestWrapped(t *testing.T) {
	e := Default()
	inner := []struct{ class, message, code string }{
		{"openai.RateLimitError", "Error code: 429", "upstream.rate_limited"},
		{"anthropic.AuthenticationError", "Error code: 401", "upstream.authentication_failed"},
		{"openai.APIConnectionError", "Connection error.", "upstream.unavailable"},
	}
	for _, in := range inner {
		for name, x := range map[string]Exception{
			"python raise from": {Type: "RuntimeError", Message: "agent failed", Stack: "Traceback (most recent call last):\n  File \"a.py\", line 1\n" + in.class + ": " + in.message +
				"\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\nRuntimeError: agent failed\n"},
			"python exception group": {Type: "ExceptionGroup", Message: "unhandled errors in a TaskGroup (1 sub-exception)",
				Stack: "  + Exception Group Traceback (most recent call last):\n  | ExceptionGroup: unhandled errors\n  +-+---------------- 1 ----------------\n    | Traceback\n    | " + in.class + ": " + in.message + "\n    +------------------------------------\n"},
			"java caused by": {Type: "java.util.concurrent.CompletionException", Message: "x", Stack: "java.util.concurrent.CompletionException: x\n\tat a.b(C.java:1)\nCaused by: " + in.class + ": " + in.message + "\n\tat d.e(F.java:2)\n"},
			"last error":     {Type: "AI_RetryError", Message: "Failed after 3 attempts. Last error: " + in.class + ": " + in.message},
			"tenacity":       {Type: "tenacity.RetryError", Message: "RetryError[<Future at 0x1 state=finished raised " + in.class + ">]"},
			"repr":           {Type: "Exception", Message: in.class + "('" + in.message + "')Traceback (most recent call last):"},
			"chain of names": {Type: "Exception", Message: "litellm.APIError: " + in.class + ": " + in.message},
			"go wrap":        {Type: "*fmt.wrapError", Message: "run agent: " + in.class + ": " + in.message},
		} {
			t.Run(in.class+"/"+name, func(t *testing.T) {
				var v Verdict
				require.True(t, e.NewDecider().Decide(&Evidence{Operation: OpInvokeAgent, Status: StatusError, Exceptions: []Exception{x}}, &v))
				require.Equal(t, in.code, v.Code, "rule %s", v.Rule)
			})
		}
	}
}
