package redact

import (
	"math/bits"
	"os"
	"sort"
	"testing"
)

func TestDbgGroups(t *testing.T) {
	s := stack4k
	if f := os.Getenv("TXT"); f != "" {
		b, _ := os.ReadFile(f)
		s = string(b)
	}
	p := textPrefilter()
	half := ^uint64(0)
	var cnt [64]int
	for i := 0; i+1 < len(s); i += 2 {
		pair := &p.pairs[uint16(s[i])|uint16(s[i+1])<<8]
		hit := half & pair.second
		half = pair.first
		for ; hit != 0; hit &= hit - 1 {
			cnt[bits.TrailingZeros64(hit)]++
		}
	}
	idx := make([]int, 63)
	tot := 0
	for i := range idx {
		idx[i] = i
		tot += cnt[i]
	}
	sort.Slice(idx, func(a, b int) bool { return cnt[idx[a]] > cnt[idx[b]] })
	t.Log("total", tot, "per 4KiB", tot*4096/len(s))
	for _, g := range idx[:10] {
		var l []string
		for _, x := range p.groups[g] {
			l = append(l, x.lit)
		}
		t.Logf("%d %d %q", g, cnt[g], l)
	}
}
