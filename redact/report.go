package redact

// Report counts replacements by rule. The zero value is ready for use. It holds no text and no lengths.
// A Report belongs to one goroutine and to one [Cleaner].
type Report struct {
	names  []string
	counts []uint32
	total  int
}

// Total is the number of replacements since the last Reset.
func (r *Report) Total() int { return r.total }

// Each calls f for every rule that fired, in the order of the cleaner's rules.
func (r *Report) Each(f func(rule string, n int)) {
	for i, c := range r.counts {
		if c > 0 {
			f(r.names[i], int(c))
		}
	}
}

// Reset forgets all counts and keeps the memory.
func (r *Report) Reset() {
	clear(r.counts)
	r.total = 0
}

func (r *Report) add(names []string, rule ruleID, n int) {
	if r == nil || n == 0 {
		return
	}
	if len(r.counts) < len(names) {
		r.names = names
		r.counts = append(r.counts, make([]uint32, len(names)-len(r.counts))...)
	}
	r.counts[rule] += uint32(n)
	r.total += n
}
