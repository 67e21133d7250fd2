package redact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// hostileUnits are repeated to make the texts on which verifiers that look around could take quadratic time.
var hostileUnits = []string{
	"sk-", "sk-a", "sk-ant-", "eyJ", "eyJ.", "eyJhbGci.", "://", "://a:", "://a:b@", "token=", "token ", "token:\"", "password=", "password=\"", "password='", "api key ", "key is ",
	"cookie:", "cookie: a=", "set-cookie=", "@tcp(", "a:@tcp(", "-----BEGIN PRIVATE KEY-----", "-----BEGIN", "PRIVATE KEY", "ignore all ", "ignore ", "<system", "<system>", "![x](http", "![", "](http",
	"/home/", "/home/a b", "\\users\\", "AKIA", "bearer ", "bearer a1", "basic ", "basic YTpi", "authorization: ", "authorization: x ", "pat", "1//0", ":AA", "1:AA", "8Q~", "a8Q~", "JQQJ99", "+ASt",
	"curl -u ", "curl ", "mysql -p", "curl -u a:", "docker login -p ", "chpasswd", "| chpasswd", "echo a | chpasswd", "\"kty\"", "\"kty\":\"d\":\"", "\tTRUE\t", "\tTRUE\t1\t", ":5432:", ":5432:a:b:", "mnemonic ", "seed phrase: abc ",
	"[REDACTED", "[REDACTED_secret]", "[REDACTED_x", "\\", "\\\\", "\\n", "\\u0073", "\\x73", "%73", "%2", "&", "&amp;", "&#x73;", "{\"a\":", "[", "{\"token\":\"", "[\"token\",", "\"", "'", "\"\\", "0", "a", "a1", "A", "-", "=", ".", "a.", "/", " ", "\n", "\t", "│", "│\n",
	"ghp_\n", "ghp_aaaa1\n", "sk-proj-\n", "sk-proj-a1b2\n", "\x1b", "\x1b]", "\x1b[", "\u202e", "\u200b", "é", "\xff", "\u200d", "日", "１", "4111 ", "4111-", "+1 ", "1.1.1.1", "::", "a:", "DE89", "a@", "@", "a@b.", "\\n\\n", "name=\"token\" value=\"", "- name: token\n  value: ",
	"DefaultEndpointsProtocol=https;AccountKey=", "Private-Lines: 1\n", "https://x.test/reset/", "/reset/aaaaaaaaaaaaaaaaaaaa1", "Signature=", "?key=", "&key=a1b2c3d4e5f6", "jdbc:oracle:thin:", "YWJj", "c2stYWJj", "616263", "M.a.", "MTA.aaaaaa.",
}

// hostileBar is the most a hostile text may take, in nanoseconds a byte.
const hostileBar = 300.0

// TestHostile holds the time per byte to its bar and to its growth between 8 and 64 KiB.
func TestHostile(t *testing.T) {
	cfg := DefaultConfig()
	cfg.PII = true
	cfg.MaxLength = 0
	c, err := New(cfg)
	assert.NoError(t, err)
	perByte := func(s string) float64 {
		rounds := max(1, 1<<17/len(s))
		took := cpuTime(func() {
			for range rounds {
				c.Clean(s, Feedback, nil)
			}
		})
		return float64(took.Nanoseconds()) / float64(rounds*len(s))
	}
	for _, unit := range hostileUnits {
		fill := func(n int) string { return strings.Repeat(unit, n/len(unit)+1)[:n] }
		small, big := perByte(fill(8<<10)), perByte(fill(64<<10))
		for try := 0; try < 100 && (big > hostileBar || big > 3*small); try++ { // other work on the machine only adds time
			small, big = min(small, perByte(fill(8<<10))), min(big, perByte(fill(64<<10)))
		}
		if testing.Verbose() {
			t.Logf("%-32q %7.1f ns/byte at 8 KiB, %7.1f at 64 KiB", unit, small, big)
		}
		assert.LessOrEqual(t, big, hostileBar, "%q", unit)
		assert.LessOrEqual(t, big, 3*small+20, "%q grows with its length", unit)
	}
}
