package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bodies makes the random parts of test texts, so that no file holds anything that looks like a secret.
type bodies struct {
	*rand.Rand
	known map[string]string // by number, within one row
}

func newBodies(seed uint64) *bodies { return &bodies{rand.New(rand.NewPCG(seed, 4)), nil} }

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// alphabets of the kinds that are n characters of one.
var alphabets = map[string]string{
	"alnum":  letters + "0123456789",
	"alpha":  letters,
	"hex":    "0123456789abcdef",
	"HEX":    "0123456789ABCDEF",
	"upper":  letters[:26] + "0123456789",
	"lower":  letters[26:] + "0123456789",
	"base32": letters[:26] + "234567",
	"digit":  "0123456789",
	"b64":    letters + "0123456789+/",
	"url":    letters + "0123456789-_",
	"azure":  letters + "0123456789_~.-",
	"bech":   "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}

func (b *bodies) pick(alphabet string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[b.IntN(len(alphabet))]
	}
	return string(out)
}

func (b *bodies) choice(of ...string) string { return of[b.IntN(len(of))] }

// expand replaces every ⟦number:kind:argument⟧ of a template.
func (b *bodies) expand(s string) string {
	const open, end = "⟦", "⟧"
	var out strings.Builder
	for {
		i := strings.Index(s, open)
		if i < 0 {
			return out.String() + s
		}
		out.WriteString(s[:i])
		j, depth := i+len(open), 1
		for depth > 0 {
			switch {
			case strings.HasPrefix(s[j:], open):
				depth++
				j += len(open)
			case strings.HasPrefix(s[j:], end):
				depth--
				j += len(end)
			default:
				j++
			}
		}
		number, spec, _ := strings.Cut(s[i+len(open):j-len(end)], ":")
		if _, ok := b.known[number]; !ok {
			kind, arg, _ := strings.Cut(spec, ":")
			b.known[number] = b.body(kind, arg)
		}
		out.WriteString(b.known[number])
		s = s[j:]
	}
}

func (b *bodies) body(kind, arg string) string {
	switch kind {
	case "uuid":
		return fmt.Sprintf("%s-%s-4%s-a%s-%s", b.body("hex", "8"), b.body("hex", "4"), b.body("hex", "3"), b.body("hex", "3"), b.body("hex", "12"))
	case "UUID":
		return strings.ToUpper(b.body("uuid", ""))
	case "jwt":
		enc := func(v map[string]any) string {
			text, _ := json.Marshal(v)
			return base64.RawURLEncoding.EncodeToString(text)
		}
		return enc(map[string]any{"alg": b.choice("HS256", "RS256", "ES256"), "typ": "JWT"}) + "." +
			enc(map[string]any{"sub": b.body("alnum", "12"), "iat": 1760000000 + b.IntN(1e6)}) + "." + b.body("url", "43")
	case "password":
		return b.choice("Tr0ub4dor", "hunter2", "S3cr3t", "Winter", "pgPass", "Qw3rty") + b.pick("!#$%^*_-", 1) + b.body("alnum", "8")
	case "urlpassword":
		return b.choice("Tr0ub4dor", "Winter", "Qw3rty") + b.pick("!$*_-", 1) + b.body("alnum", "8")
	case "base64of":
		return base64.StdEncoding.EncodeToString([]byte(b.expand(arg)))
	case "hexof":
		return hex.EncodeToString([]byte(b.expand(arg)))
	case "escaped":
		return strings.ReplaceAll(url.QueryEscape(b.expand(arg)), "+", "%20")
	case "escapedpath":
		return url.PathEscape(b.expand(arg))
	}
	n, err := strconv.Atoi(arg)
	if err != nil || alphabets[kind] == "" {
		panic("unknown kind of body: " + kind + ":" + arg)
	}
	text := b.pick(alphabets[kind], n)
	if kind == "digit" && text[0] == '0' {
		text = "1" + text[1:]
	}
	return text
}

// corpus makes the rows of a template file with the random bodies of one seed.
func corpus(t testing.TB, path string, seed uint64) (rows []row) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	b := newBodies(seed)
	for i, f := range tableRows(string(data)) {
		require.Len(t, f, 6, "%s row %d", path, i+1)
		r := row{id: f[0], kind: f[1]}
		require.NoError(t, json.Unmarshal([]byte(f[2]), &r.text), f[0])
		require.NoError(t, json.Unmarshal([]byte(f[3]), &r.secrets), f[0])
		require.NoError(t, json.Unmarshal([]byte(f[4]), &r.keep), f[0])
		b.known = map[string]string{}
		r.text = b.expand(r.text)
		for k := range r.secrets {
			r.secrets[k] = b.expand(r.secrets[k])
			require.Contains(t, r.text, r.secrets[k], f[0])
		}
		for k := range r.keep {
			if r.keep[k] = b.expand(r.keep[k]); r.keep[k] == "*" {
				r.keep[k] = r.text
			}
			require.Contains(t, r.text, r.keep[k], f[0])
		}
		rows = append(rows, r)
	}
	return rows
}
