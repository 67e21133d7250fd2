// Package sink delivers encoded documents: by HTTP, to a file, to a stream.
package sink

import "context"

// Document is one encoded document on its way.
type Document struct {
	// Body is one JSON object on one line, without the line feed.
	Body []byte
	// Key identifies the document. It is the same whenever the document is sent again.
	Key string
}

// Result says what became of the documents of one Send. Documents that are
// neither pending nor refused were delivered.
type Result struct {
	// Pending holds ascending indices of documents that nobody has confirmed. They are to be sent again.
	Pending []int
	// Refused holds ascending indices of documents that the receiver won't ever take.
	Refused []int
	// Err says why, and after which delay to try again; nil if all were delivered.
	Err error
}

// Sink takes documents. Send may be called concurrently.
type Sink interface {
	Send(ctx context.Context, docs []Document) Result
	Close() error
}
