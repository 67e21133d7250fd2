package sink

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Format is the shape of an HTTP request body.
type Format string

// The formats.
const (
	FormatSingle Format = "single" // one document a request
	FormatNDJSON Format = "ndjson" // a line per document
	FormatArray  Format = "array"  // one JSON array
)

// Formats are the formats there are.
var Formats = []Format{FormatSingle, FormatNDJSON, FormatArray}

func (f Format) contentType() string {
	switch f {
	case FormatNDJSON:
		return "application/x-ndjson"
	case FormatArray:
		return "application/json"
	default:
		return "application/problem+json"
	}
}

// encode joins documents into one body.
func (f Format) encode(docs []Document) []byte {
	if f == FormatSingle {
		return docs[0].Body
	}
	size := 0
	for _, doc := range docs {
		size += len(doc.Body) + 1
	}
	body := make([]byte, 0, size+2)
	if f == FormatNDJSON {
		for _, doc := range docs {
			body = append(append(body, doc.Body...), '\n')
		}
		return body
	}
	body = append(body, '[')
	for i, doc := range docs {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, doc.Body...)
	}
	return append(body, ']')
}

// span is a range of documents that go into one request.
type span struct{ from, to int }

// split cuts n documents into requests of at most maxBytes; 0 is no limit. A
// document that is longer than that goes alone.
func (f Format) split(docs []Document, maxBytes int) []span {
	var out []span
	const frame = 2 // the brackets of an array
	for from := 0; from < len(docs); {
		to, size := from+1, frame+len(docs[from].Body)
		for f != FormatSingle && to < len(docs) {
			size += 1 + len(docs[to].Body)
			if maxBytes > 0 && size > maxBytes {
				break
			}
			to++
		}
		out = append(out, span{from, to})
		from = to
	}
	return out
}

// requestKey identifies a request: the document's own key when it holds one
// document, otherwise a hash over the keys it holds, whatever their order.
func requestKey(docs []Document) string {
	if len(docs) == 1 {
		return docs[0].Key
	}
	keys := make([]string, len(docs))
	for i, doc := range docs {
		keys[i] = doc.Key
	}
	slices.Sort(keys)
	h := sha256.New()
	for _, key := range keys {
		h.Write([]byte(key))
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
