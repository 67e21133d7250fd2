package sink

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// documents returns n documents of about size bytes each.
func documents(n, size int) []Document {
	docs := make([]Document, n)
	for i := range docs {
		body := fmt.Sprintf(`{"n":%d,"pad":"%s"}`, i, strings.Repeat("x", size))
		docs[i] = Document{Body: []byte(body), Key: fmt.Sprintf("key-%d", i)}
	}
	return docs
}

func TestSplitKeepsOrderAndSize(t *testing.T) {
	docs := documents(25, 100)
	for _, format := range Formats {
		for _, maxBytes := range []int{0, 1, 119, 300, 1000, 1 << 20} {
			next := 0
			for _, part := range format.split(docs, maxBytes) {
				require.Equal(t, next, part.from)
				require.Greater(t, part.to, part.from)
				next = part.to
				body := format.encode(docs[part.from:part.to])
				if part.to-part.from > 1 {
					require.NotEqual(t, FormatSingle, format)
					if maxBytes > 0 {
						require.LessOrEqual(t, len(body), maxBytes, "%s, at most %d", format, maxBytes)
					}
				}
			}
			require.Equal(t, len(docs), next, "%s, at most %d", format, maxBytes)
		}
	}
	require.Len(t, FormatNDJSON.split(docs, 0), 1)
	require.Len(t, FormatSingle.split(docs, 0), 25)
	require.Empty(t, FormatNDJSON.split(nil, 100))
}

func TestEncode(t *testing.T) {
	docs := documents(3, 4)
	require.Equal(t, `{"n":0,"pad":"xxxx"}`, string(FormatSingle.encode(docs[:1])))
	require.Equal(t, "{\"n\":0,\"pad\":\"xxxx\"}\n{\"n\":1,\"pad\":\"xxxx\"}\n", string(FormatNDJSON.encode(docs[:2])))
	var array []map[string]any
	require.NoError(t, json.Unmarshal(FormatArray.encode(docs), &array))
	require.Len(t, array, 3)
}

func TestRequestKey(t *testing.T) {
	docs := documents(3, 1)
	require.Equal(t, "key-1", requestKey(docs[1:2]), "one document: its own key")
	require.Equal(t, requestKey([]Document{docs[0], docs[1]}), requestKey([]Document{docs[1], docs[0]}))
	require.NotEqual(t, requestKey(docs[:2]), requestKey(docs))
	require.Len(t, requestKey(docs), 32)
}
