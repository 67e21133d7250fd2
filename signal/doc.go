// Package signal turns the evidence of one agent operation into a verdict: did it fail, with which registry code of
// draft-ouchi-agent-harness-errors, in which class, and what would help.
//
// It knows nothing of the wire. A caller gathers an [Evidence] (plain values: names, numbers, texts), hands it to a [Decider]
// of an [Engine] and reads the [Verdict]. What the engine knows about vendors, frameworks and protocols stands in the files
// under tables/, one a vendor, framework or protocol, in a format that needs no Go to read or to extend (tables/README.md).
// They are checked and compiled once; a decision then costs the same with ten rows as with ten thousand.
package signal
