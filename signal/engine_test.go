package signal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBuiltInTablesCompile(t *testing.T) {
	e, err := New(nil)
	require.NoError(t, err)
	require.NoError(t, check(e.rules, e.concepts))
	require.Less(t, e.text.load(), 25, "share of the text scanner's bitmap that is set, in percent")
}
