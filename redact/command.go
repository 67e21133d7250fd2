package redact

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed tables/commands.tsv
var commandsTSV string

const maxCommand = 1024 // bytes of a command line that are looked at

// commandRule is a row of tables/commands.tsv.
type commandRule struct {
	option   string
	position int // of an argument; 0 for an option
	form     string
}

// command is a command with all its rows.
type command struct {
	name  string
	rules []commandRule
}

var commandForms = map[string]bool{"value": true, "glued": true, "either": true, "userpass": true, "commapass": true, "oracle": true, "passarg": true, "position": true, "cookie": true}

var commands = func() (cmds []command) {
	for i, f := range tableRows(commandsTSV) {
		if len(f) != 3 || !commandForms[f[2]] {
			panic(fmt.Sprintf("tables/commands.tsv row %d: want command, option and a known form", i+1))
		}
		r := commandRule{option: f[1], form: f[2]}
		if n, err := strconv.Atoi(f[1]); err == nil {
			r.option, r.position = "", n
		}
		k := len(cmds) - 1
		for ; k >= 0 && cmds[k].name != f[0]; k-- {
		}
		if k < 0 {
			k = len(cmds)
			cmds = append(cmds, command{name: f[0]})
		}
		cmds[k].rules = append(cmds[k].rules, r)
	}
	return cmds
}()

// argument is one argument of a command line, without its quotes.
type argument struct{ a, b int }

// command looks at the arguments that follow a command, typed or listed (["mysql", "-p…"]).
func (sc *scanner) command(end int, cmd *command) {
	s := sc.s
	limit := min(len(s), end+maxCommand)
	positional := 0
	var prev *commandRule    // the option whose value comes next
	if isQuote(at(s, end)) { // closes the command's own quote in a list
		end++
	}
	for i := end; ; {
		arg, next := nextArgument(s, i, limit)
		sc.work += next - i + 4*len(cmd.rules)
		if arg.b == arg.a {
			return
		}
		i = next
		text := s[arg.a:arg.b]
		if prev != nil {
			sc.commandSecret(arg, prev.form)
			prev = nil
			continue
		}
		isOption := text[0] == '-' || text[0] == '/' && len(text) > 2 && strings.IndexByte(text, ':') > 0
		if !isOption {
			positional++
		}
		for k := range cmd.rules {
			r := &cmd.rules[k]
			switch {
			case r.position > 0:
				if !isOption && positional == r.position {
					sc.commandSecret(arg, r.form)
				}
			case text == r.option:
				if r.form != "glued" {
					prev = r
				}
			case strings.HasPrefix(text, r.option):
				from := arg.a + len(r.option)
				if s[from] == '=' {
					from++
				} else if r.form == "value" || strings.HasPrefix(r.option, "--") || r.form == "cookie" {
					continue
				}
				sc.commandSecret(argument{from, arg.b}, r.form)
			}
		}
	}
}

// nextArgument returns the argument at or after i and where to go on. An empty one ends the command.
func nextArgument(s string, i, limit int) (argument, int) {
	for i < limit {
		c := s[i]
		if c == '[' && strings.HasPrefix(s[i:], tokenStart) {
			return argument{i, tokenEnd(s, i+len(tokenStart))}, tokenEnd(s, i+len(tokenStart))
		}
		if c == ' ' || c == '\t' || c == ',' || c == '[' || c == ']' {
			i++
		} else if c == '\\' && at(s, i+1) == '\n' {
			i += 2
		} else if c == '\\' && isQuote(at(s, i+1)) {
			i++
		} else {
			break
		}
	}
	if i >= limit || s[i] == '\n' || s[i] == ';' || s[i] == '|' || s[i] == '&' || s[i] == '>' || s[i] == ')' {
		return argument{}, i
	}
	if q := s[i]; isQuote(q) {
		a := i + 1
		b := a
		for b < limit && s[b] != q && s[b] != '\n' {
			b++
		}
		if b == a { // '' or a quote that closes what surrounds the command
			return argument{}, i
		}
		end := b
		if at(s, b-1) == '\\' {
			end--
		}
		return argument{a, end}, min(b+1, limit)
	}
	a := i
	for i < limit && s[i] > ' ' && !isQuote(s[i]) && s[i] != ';' && s[i] != '|' && s[i] != '\\' && s[i] != ',' && s[i] != ']' {
		i++
	}
	if i > a && at(s, i) == ',' { // a comma inside an argument, unless it separates a list
		if n := at(s, i+1); n > ' ' && !isQuote(n) {
			for i < limit && s[i] > ' ' && !isQuote(s[i]) && s[i] != ';' && s[i] != '|' {
				i++
			}
		}
	}
	if i == a {
		return argument{}, i
	}
	if i < limit && isQuote(s[i]) && i-a < 3 && s[a] == '-' { // -p'secret'
		q := s[i]
		b := i + 1
		for b < limit && s[b] != q && s[b] != '\n' {
			b++
		}
		return argument{a, b}, min(b+1, limit)
	}
	return argument{a, i}, i
}

func (sc *scanner) commandSecret(arg argument, form string) {
	s := sc.s
	for arg.a < arg.b && isQuote(s[arg.a]) {
		arg.a++
	}
	text := s[arg.a:arg.b]
	switch form {
	case "userpass":
		k := strings.IndexAny(text, ":%")
		if k < 0 {
			return
		}
		if user := text[:k]; k == len(text)-1 && len(user) >= 12 && mixed(user) { // a key instead of user and password
			arg.b--
			break
		}
		arg.a += k + 1
	case "commapass":
		k := strings.IndexByte(text, ',')
		if k < 0 {
			return
		}
		arg.a += k + 1
	case "oracle":
		k := strings.IndexByte(text, '/')
		if k <= 0 || strings.Contains(text, "://") {
			return
		}
		arg.a += k + 1
		if e := strings.IndexByte(s[arg.a:arg.b], '@'); e >= 0 {
			arg.b = arg.a + e
		}
	case "passarg":
		if !strings.HasPrefix(text, "pass:") {
			return
		}
		arg.a += len("pass:")
	case "position":
		if !mixed(text) && !strings.ContainsAny(text, "!#$%^*@") || strings.ContainsAny(text, "()<>`") {
			return
		}
	case "cookie":
		sc.cookies(arg.a - 1)
		return
	}
	if v := s[arg.a:arg.b]; len(v) >= 4 && !redacted(v) && !placeholder(v) && v[0] != '-' && !strings.EqualFold(v, "x-oauth-basic") {
		sc.add(arg.a, arg.b, ruleCommandLine, 2)
	}
}

// piped verifies echo SECRET | command, whose command (one that reads a secret from its input) stands at i.
func (sc *scanner) piped(i int) {
	s := sc.s
	low := max(0, i-256)
	line := s[low:i]
	if k := strings.LastIndexByte(line, '\n'); k >= 0 {
		low += k + 1
		line = s[low:i]
	}
	sc.work += len(line)
	bar := strings.LastIndexByte(line, '|')
	if bar < 0 {
		return
	}
	for _, echo := range []string{"echo ", "printf "} {
		k := strings.LastIndex(line[:bar], echo)
		if k < 0 {
			continue
		}
		from := low + k + len(echo)
		for strings.HasPrefix(s[from:], "-n ") || strings.HasPrefix(s[from:], "-e ") {
			from += 3
		}
		arg, _ := nextArgument(s, from, low+bar)
		if v := s[arg.a:arg.b]; strings.IndexByte(v, ':') > 0 && !strings.HasPrefix(v, "http") {
			arg.a += strings.IndexByte(v, ':') + 1
		}
		sc.commandSecret(arg, "value")
	}
}
