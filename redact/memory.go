package redact

import "hash/maphash"

// Memory remembers texts that a [Cleaner] left as they were: one failure comes with the same stack trace thousands of
// times. It holds only what was found clean, compares every byte of it, and is bounded. It belongs to one Cleaner and is
// not safe for concurrent use.
type Memory struct {
	seed   maphash.Seed
	places [memoryPlaces]remembered
}

type remembered struct {
	hash uint64
	kind Kind
	text string // empty until the text came a second time: what comes once is not worth a copy
}

const (
	memoryPlaces = 256
	// Shorter texts are cleaned as fast as they are compared; longer ones are few, and would fill the memory.
	memoryShortest, memoryLongest = 8, 16 << 10
)

// NewMemory returns an empty Memory.
func NewMemory() *Memory { return &Memory{seed: maphash.MakeSeed()} }

// CleanAgain is [Cleaner.Clean] with a memory. Its result is the same.
func (c *Cleaner) CleanAgain(m *Memory, s string, k Kind, r *Report) string {
	if len(s) < memoryShortest || len(s) > memoryLongest || c.cfg.DryRun {
		return c.Clean(s, k, r)
	}
	hash := maphash.String(m.seed, s)
	p := &m.places[hash%memoryPlaces]
	again := p.hash == hash && p.kind == k
	if again && p.text == s {
		return s
	}
	out := c.Clean(s, k, r)
	if out != s {
		return out
	}
	if !again {
		*p = remembered{hash: hash, kind: k}
	} else if p.text == "" {
		p.text = string([]byte(s)) // the record's memory goes away
	}
	return s
}
