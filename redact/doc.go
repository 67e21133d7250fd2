// Package redact cleans one string of error telemetry: credentials, characters that hide or fake text, markers that pass for
// structure in a prompt, home directories and, when asked, personal data go; the rest stays byte for byte. It imports nothing
// but the standard library.
//
// # What is promised
//
//   - The result is valid UTF-8 and no longer than the bound of its [Kind].
//   - Cleaning twice equals cleaning once: an agent's collector and a gateway may both do it.
//   - A text that is JSON stays JSON; only values are replaced, member order and the spelling of numbers stay. Strings are
//     looked at as decoded, so an escape hides nothing. What is too long loses its longest strings first, then its last members.
//   - Text without a finding is returned as it is, without an allocation, in about one pass over a table.
//   - Work is linear in the length of the text. A text on which the rules work more than any honest text makes them, or on
//     which one panics, is replaced as a whole by [REDACTED_unscanned].
//   - What a vendor already masked (sk-abc***xyz) and placeholders ($TOKEN, <your key>) stay.
//
// # What is not promised
//
//   - Not every secret is found. The rules know formats (tables/prefixes.tsv), names (tables/keys.tsv), commands
//     (tables/commands.tsv), headers, URLs, key blocks and some encodings. A bare random word that no name announces, a
//     password that is an ordinary word, text that was encrypted, compressed, reversed or spelled out passes.
//   - Not everything that goes is a secret: a random identifier after the word token looks like one.
//   - Injection markers are a best effort: literal tokens of chat formats and English orders. Other languages, homoglyphs and
//     paraphrases pass. What a model may believe must be decided by who reads, not by what was removed
//     (draft-ouchi-agent-harness-errors section 10).
//   - Redaction is one line of defence, not the only one: keep secrets out of error messages where they are made.
//
// # Order
//
// Invalid UTF-8, escape sequences and invisible characters; credentials; markers, orders and links (only [Feedback]); home
// directories; the user's patterns; personal data; last the bound.
//
// # How
//
// One scan finds the places where a rule could apply (prefilter.go). A verifier, one file per family, looks at what stands
// around such a place and marks a span. Escaped text (\n, \u0073, %73, &quot;) is read and scanned a second time, and what is
// found is marked in the text as it was written. Spans are replaced by tokens such as [REDACTED_github_token], which name
// their rule and need no escape in JSON.
package redact
