package signal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBuiltInTablesCompile(t *testing.T) {
	e, err := New(nil)
	require.NoError(t, err)
	require.NoError(t, check(e.rules, e.concepts))
	require.Less(t, e.text.load(), 25, "share of the text scanner's bitmap that is set, in percent")
}

// A condition of very many parts still has to hold: its weight does not wrap around to none.
func TestManyConditions(t *testing.T) {
	when := strings.TrimSpace(strings.Repeat("attr.acme.x=y ", 64))
	e, err := New([]UserRule{{Where: "rules[0]", Match: "type", Value: "acme.Boom", When: when, Code: "x-acme.boom"}})
	require.NoError(t, err)
	var v Verdict
	ev := Evidence{Status: StatusError, ErrorType: "acme.Boom"}
	require.True(t, e.NewDecider().Decide(&ev, &v))
	require.NotEqual(t, "x-acme.boom", v.Code)
	ev.Words = append(ev.Words, Word{Key: "acme.x", Value: "y"})
	require.True(t, e.NewDecider().Decide(&ev, &v))
	require.Equal(t, "x-acme.boom", v.Code)
}
