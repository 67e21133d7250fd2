package problem_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/problem"
	"github.com/harnesserr/harnesserr/registry"
)

func addArchives(f *testing.F) {
	for _, archive := range []string{"carriers.txtar", "objects.txtar"} {
		names, files := cases(f, archive)
		for _, name := range names {
			f.Add([]byte(files[name]["json"] + files[name]["in"]))
		}
	}
}

// Whatever is found keeps the bounds, can be written once it has a code, and
// reads back as the same object. Text and tree agree.
func FuzzFind(f *testing.F) {
	addArchives(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		found, ok := problem.Find(text)
		if ok {
			require.True(t, problem.Maybe(string(text)))
			requireSound(t, found.Object)
			found.Received(problem.ProtocolA2A)
		}
		problem.FindEmbedded(string(text))
		problem.FromMCP(text, true)
		problem.FromA2A(text, false)

		var tree any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if len(text) > problem.MaxText || d.Decode(&tree) != nil || d.More() || !problem.Maybe(string(text)) {
			return
		}
		fromTree, okTree := problem.FindTree(tree)
		if ok {
			require.True(t, okTree)
			require.Equal(t, found, fromTree)
		}
	})
}

// The strict reader accepts only what the lenient one reads without loss.
func FuzzParse(f *testing.F) {
	addArchives(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		lenient, err := problem.Parse(text)
		strict, findings := problem.ParseStrict(text)
		require.Equal(t, lenient, strict)
		if err != nil {
			require.Error(t, findings)
			return
		}
		requireSound(t, lenient)
		if findings == nil {
			require.NoError(t, lenient.Validate())
		}
	})
}

func requireSound(t *testing.T, o problem.Object) {
	require.LessOrEqual(t, len(o.CauseCodes()), problem.MaxCauses)
	require.True(t, o.Origin == "" || o.Origin.Known())
	require.True(t, o.Code == "" || registry.Valid(o.Code))
	if o.Code == "" {
		return
	}
	text, err := o.Encode()
	require.NoError(t, err)
	if len(text) > problem.MaxText {
		return // escapes and the longer type URI make text grow
	}
	again, err := problem.ParseStrict(text)
	require.NoError(t, err)
	require.Equal(t, o, again)
}
