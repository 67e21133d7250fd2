package redact

import (
	"hash/maphash"
	"strings"
)

// Memory remembers texts that a [Cleaner] left as they were: one failure comes with the same stack trace thousands of
// times. It holds only what was found clean, compares every byte of it, and is bounded. It belongs to one Cleaner and is
// not safe for concurrent use.
type Memory struct {
	seed maphash.Seed
	// once holds the hashes of texts that came a first time: only what comes again is worth a copy.
	once  [1024]uint64
	texts [256]remembered
	bytes int // of all texts
}

// remembered is a text and how dear it is: what comes often is not given up for what came twice.
type remembered struct {
	kind Kind
	dear uint8
	text string
}

const mostDear = 8

// memoryLongest is the longest text that is remembered, memoryMost what all of them may have together, in bytes.
const memoryLongest, memoryMost = 16 << 10, 1 << 20

// NewMemory returns an empty Memory.
func NewMemory() *Memory { return &Memory{seed: maphash.MakeSeed()} }

// CleanAgain is [Cleaner.Clean] with a memory. Its result is the same.
func (c *Cleaner) CleanAgain(m *Memory, s string, k Kind, r *Report) string {
	if s == "" || len(s) > memoryLongest || c.cfg.DryRun {
		return c.Clean(s, k, r)
	}
	hash := maphash.String(m.seed, s) + uint64(k)
	p := &m.texts[hash%uint64(len(m.texts))]
	if p.kind == k && p.text == s {
		p.dear = min(p.dear+1, mostDear)
		return s
	}
	out := c.Clean(s, k, r)
	if out != s {
		return out
	}
	once := &m.once[hash>>32%uint64(len(m.once))]
	switch {
	case *once != hash:
		*once = hash
	case p.dear > 0:
		p.dear--
	case m.bytes-len(p.text)+len(s) <= memoryMost:
		m.bytes += len(s) - len(p.text)
		*p = remembered{kind: k, dear: 1, text: strings.Clone(s)}
	}
	return s
}
