// Package document turns a span or a log record that the harnesserr processor
// has marked into one harness error object: a problem details document
// (RFC 9457) with the members of draft-ouchi-agent-harness-errors, section 4,
// and the context that an operator needs beside them (class, peer, service,
// operation, method, time, trace and span id).
//
// It reads the attributes that the processor wrote and nothing else decides
// what a failure is here. What leaves has been through the redact package, is
// bounded, and is the same byte for byte whenever the same record is read
// again, so that a document that is delivered twice can be recognised.
package document
