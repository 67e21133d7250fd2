package redact

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ruleID is an index into the names of a Cleaner's rules.
type ruleID uint16

// Rules whose logic is code. The rest are named in tables/prefixes.tsv.
const (
	ruleNone ruleID = iota
	ruleUnscanned
	ruleTruncated
	ruleUTF8
	ruleControl
	ruleSecret
	rulePassword
	ruleToken
	ruleBearer
	ruleBasic
	ruleURLPassword
	ruleURLToken
	ruleCookie
	ruleJWT
	rulePrivateKey
	ruleCommandLine
	ruleEncoded
	ruleAzureKey
	ruleDiscord
	ruleTelegram
	ruleSeedPhrase
	ruleHome
	ruleMarker
	ruleInjection
	ruleLink
	ruleEmail
	rulePhone
	ruleCard
	ruleIBAN
	ruleIP
	ruleMAC
	ruleSSN
	numCodeRules
)

var codeRules = [numCodeRules]string{
	ruleNone:        "none",
	ruleUnscanned:   "unscanned",
	ruleTruncated:   "truncated",
	ruleUTF8:        "invalid_utf8",
	ruleControl:     "control",
	ruleSecret:      "secret",
	rulePassword:    "password",
	ruleToken:       "token",
	ruleBearer:      "bearer",
	ruleBasic:       "basic_auth",
	ruleURLPassword: "url_password",
	ruleURLToken:    "url_token",
	ruleCookie:      "cookie",
	ruleJWT:         "jwt",
	rulePrivateKey:  "private_key",
	ruleCommandLine: "command_line",
	ruleEncoded:     "encoded",
	ruleAzureKey:    "azure_key",
	ruleDiscord:     "discord_token",
	ruleTelegram:    "telegram_token",
	ruleSeedPhrase:  "seed_phrase",
	ruleHome:        "home",
	ruleMarker:      "marker",
	ruleInjection:   "injection",
	ruleLink:        "link",
	ruleEmail:       "email",
	rulePhone:       "phone",
	ruleCard:        "card",
	ruleIBAN:        "iban",
	ruleIP:          "ip",
	ruleMAC:         "mac",
	ruleSSN:         "ssn",
}

// isCredential reports whether what the rule finds gives access, which mode drop takes as a reason to drop the string.
func (r ruleID) isCredential() bool {
	return r >= ruleSecret && r < ruleHome || r >= numCodeRules
}

//go:embed tables/prefixes.tsv
var prefixesTSV string

// prefixRule is a row of tables/prefixes.tsv.
type prefixRule struct {
	rule     ruleID
	prefix   string
	body     charset
	min, max int
	random   bool // r, d: the body must look random
	anyRun   bool // d: without an unbroken run of letters and digits
	digits   bool // n: with two digits
	anywhere bool // a
	exact    bool // c: case counts
	keep     bool // k
	fixed    bool // x
	uuid     bool // u
}

// builtin holds the tables, parsed once. A table that does not parse is a bug that every test meets.
var builtin = func() (b struct {
	names    []string // rule names by ruleID
	prefixes []prefixRule
}) {
	b.names = append(b.names, codeRules[:]...)
	for i, row := range tableRows(prefixesTSV) {
		p, name, err := parsePrefixRule(row)
		if err != nil {
			panic(fmt.Sprintf("tables/prefixes.tsv row %d: %v", i+1, err))
		}
		id := slices.Index(b.names, name)
		if id < 0 {
			id = len(b.names)
			b.names = append(b.names, name)
		}
		p.rule = ruleID(id)
		b.prefixes = append(b.prefixes, p)
	}
	return b
}()

// Rules returns the names of all built-in rules, sorted.
func Rules() []string {
	names := slices.Clone(builtin.names[1:])
	slices.Sort(names)
	return names
}

// tableRows splits a table into fields, without comments and empty lines.
func tableRows(table string) (rows [][]string) {
	for line := range strings.Lines(table) {
		line = strings.TrimRight(line, "\n")
		if line != "" && line[0] != '#' {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	return rows
}

func parsePrefixRule(f []string) (p prefixRule, name string, err error) {
	if len(f) != 6 {
		return p, "", fmt.Errorf("%d fields, want 6", len(f))
	}
	p.prefix = f[1]
	if p.body, err = parseCharset(f[2]); err != nil {
		return p, "", err
	}
	if p.min, err = strconv.Atoi(f[3]); err != nil {
		return p, "", err
	}
	if f[4] != "-" {
		if p.max, err = strconv.Atoi(f[4]); err != nil {
			return p, "", err
		}
	}
	for _, flag := range strings.TrimLeft(f[5], "-") {
		switch flag {
		case 'r':
			p.random = true
		case 'd':
			p.random, p.anyRun = true, true
		case 'n':
			p.random, p.digits = true, true
		case 'a':
			p.anywhere = true
		case 'c':
			p.exact = true
		case 'k':
			p.keep = true
		case 'x':
			p.fixed = true
		case 'u':
			p.uuid = true
		default:
			return p, "", fmt.Errorf("unknown flag %q", flag)
		}
	}
	return p, f[0], nil
}
