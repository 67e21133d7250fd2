package redact

import (
	"regexp"
	"strings"
	"testing"
)

// stack4K is a clean stack trace of 4 KiB.
var stack4K = strings.Repeat("goroutine 7 [running]:\ngithub.com/acme/agent/internal/loop.(*Runner).Step(0xc0001a4000, {0x1f3a2c8, 0xc000120000})\n\t/src/internal/loop/runner.go:212 +0x5bc\n", 30)[:4096]

// filler is what surrounds the interesting part of an error message.
const filler = " while the agent was calling its tool for the third time; the run goes on with the next step of the plan and the caller was told about it. See the log of the worker for what happened before this line was written"

// messages are 1,000 texts of 200 bytes, each with one of the corpus' hard negatives in it; one in twenty holds a secret.
func messages(tb testing.TB) (all, clean []string) {
	var negatives, secrets []string
	for _, r := range corpus(tb, "testdata/corpus.tsv", defaultSeed) {
		switch {
		case len(r.text) > 190 || !isPlain(r.text):
		case strings.HasPrefix(r.kind, "negative."):
			negatives = append(negatives, r.text)
		case strings.HasPrefix(r.kind, "secret."):
			secrets = append(secrets, r.text)
		}
	}
	rnd := newBodies(defaultSeed)
	for i := range 1000 {
		if i%20 == 0 {
			all = append(all, (secrets[rnd.IntN(len(secrets))] + filler)[:200])
			continue
		}
		text := (negatives[rnd.IntN(len(negatives))] + filler)[:200]
		all = append(all, text)
		clean = append(clean, text)
	}
	return all, clean
}

func isPlain(s string) bool {
	for i := range len(s) {
		if !plainASCII[s[i]] {
			return false
		}
	}
	return true
}

func BenchmarkMessage200(b *testing.B) {
	c := newCleaner(b)
	all, _ := messages(b)
	b.ReportAllocs()
	i := 0
	var used int64
	for b.Loop() {
		used += int64(len(c.Clean(all[i%len(all)], Text, nil)))
		i++
	}
}

func BenchmarkMessage200CPU(b *testing.B) {
	c := newCleaner(b)
	all, clean := messages(b)
	for name, texts := range map[string][]string{"mixed": all, "clean": clean, "stack4K": {stack4K}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			took := cpuTime(func() {
				for i := range b.N {
					c.Clean(texts[i%len(texts)], Text, nil)
				}
			})
			b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), "cpu-ns/op")
		})
	}
	b.Run("std20", func(b *testing.B) {
		took := cpuTime(func() {
			for i := range b.N {
				s := all[i%len(all)]
				for _, re := range std20 {
					if re.MatchString(s) {
						s = re.ReplaceAllString(s, "****")
					}
				}
			}
		})
		b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), "cpu-ns/op")
	})
}

// std20 is what an operator would write instead: twenty patterns of the standard library.
var std20 = func() (res []*regexp.Regexp) {
	for _, p := range []string{
		`sk-[A-Za-z0-9_-]{20,}`, `gh[pousr]_[A-Za-z0-9]{36,}`, `github_pat_[A-Za-z0-9_]{40,}`, `glpat-[A-Za-z0-9_-]{20,}`, `xox[abprs]-[A-Za-z0-9-]{10,}`,
		`AIza[A-Za-z0-9_-]{35}`, `ya29\.[A-Za-z0-9_-]+`, `(?:AKIA|ASIA)[A-Z0-9]{16}`, `hf_[A-Za-z]{34}`, `gsk_[A-Za-z0-9]{40,}`, `npm_[A-Za-z0-9]{36}`, `pypi-[A-Za-z0-9_-]{50,}`,
		`eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+`, `(?i)bearer\s+[A-Za-z0-9._~+/=-]{16,}`, `(?i)basic\s+[A-Za-z0-9+/=]{16,}`, `-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END`,
		`://[^/\s:@]+:[^/\s@]+@`, `(?i)(?:api[_-]?key|secret|token|password|passwd|pwd)["']?\s*[:=]\s*["']?[^\s"',;&]{8,}`, `(?i)set-cookie:\s*[^\n]+`, `(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{20,}`,
	} {
		res = append(res, regexp.MustCompile(p))
	}
	return res
}()

// TestAllocations holds clean text to none.
func TestAllocations(t *testing.T) {
	c := newCleaner(t)
	var r Report
	for _, s := range []string{stack4K, "The token limit is 8192; request req_1 failed with code 429, retry in 3s", "日本語のエラー メッセージ", ""} {
		if n := testing.AllocsPerRun(100, func() { c.Clean(s, Text, &r) }); n != 0 {
			t.Errorf("%.1f allocations for %.40q", n, s)
		}
	}
}
