package signal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// UserRule is a rule of a user's own, in the cells of a table row. Such rules come before every built-in one, and among
// them the first that matches wins.
type UserRule struct {
	// Where names the rule in errors and in Verdict.Rule: "rules[2]", "acme.tsv:7".
	Where string
	// Match, Value, When, Code and Set are the cells as tables/README.md describes them. Match may also be
	// message_regexp; Value is then a regular expression (RE2) that is tried on every text of a failing record.
	Match, Value, When, Code, Set string
}

// regexpRule is a user's rule whose message is a regular expression.
type regexpRule struct {
	*Rule
	re *regexp.Regexp
}

// ReadRules reads a file of own rules in the format of the built-in tables. The error names every bad line.
func ReadRules(name string, src io.Reader) ([]UserRule, error) {
	var rules []UserRule
	var errs []error
	in := bufio.NewScanner(src)
	in.Buffer(make([]byte, 0, 64<<10), 1<<20)
	for line := 1; in.Scan(); line++ {
		text := strings.TrimRight(in.Text(), "\r")
		if strings.TrimSpace(text) == "" || text[0] == '#' {
			continue
		}
		cells := strings.Split(text, "\t")
		for len(cells) < numColumns {
			cells = append(cells, "")
		}
		r := UserRule{
			Where: name + ":" + strconv.Itoa(line),
			Match: cells[colMatch], Value: cells[colValue], When: cells[colWhen], Code: cells[colCode], Set: cells[colSet],
		}
		if _, err := r.compile(nil); err != nil {
			errs = append(errs, err)
		}
		rules = append(rules, r)
	}
	if err := in.Err(); err != nil {
		errs = append(errs, fmt.Errorf("%s: %w", name, err))
	}
	return rules, errors.Join(errs...)
}

// Validate checks one rule by itself. The error begins with Where.
func (u UserRule) Validate() error {
	_, err := u.compile(nil)
	return err
}

func (u UserRule) compile(t *table) (regexpRule, error) {
	match := u.Match
	if match == "message_regexp" {
		match = "message"
	}
	r := &Rule{id: u.Where, file: t}
	err := r.parse([]string{match, u.Value, u.When, u.Code, u.Set})
	var re *regexp.Regexp
	if err == nil && u.Match == "message_regexp" {
		re, err = regexp.Compile(u.Value)
	}
	if err != nil {
		return regexpRule{}, fmt.Errorf("%s: %w", u.Where, err)
	}
	return regexpRule{r, re}, nil
}

func (e *Engine) addUser(own []UserRule) error {
	t := &table{name: "rules", user: true}
	errs := []error{e.enlist(t)}
	for _, u := range own {
		r, err := u.compile(t)
		switch {
		case err != nil:
			errs = append(errs, err)
		case r.re != nil:
			r.order = int32(len(e.rules))
			e.rules = append(e.rules, r.Rule)
			e.regexps = append(e.regexps, r)
		default:
			e.add(r.Rule)
		}
	}
	return errors.Join(errs...)
}
