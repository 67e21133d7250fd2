package signal

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/harnesserr/harnesserr/registry"
)

// table is one rule file.
type table struct {
	name  string
	title string
	// homes are the vendors, client libraries or frameworks whose words the file lists; none for protocols and general rules.
	homes []string
	// roots are the first segments of the names of their error classes ("openai", "agents").
	roots []string
	// private says that the words mean something only at home (numbers of an enumeration, bare business codes).
	private bool
	// user says that the file is a user's own: its rules come before all others.
	user bool
	// number is the file's number in its engine.
	number uint8
	rows   []*Rule
	// outcomes are what the rows say, each once.
	outcomes map[outcome]*outcome
}

// share returns the one copy of an outcome that the rows of the file share.
func (t *table) share(o outcome) *outcome {
	if t == nil {
		return &o
	}
	if shared := t.outcomes[o]; shared != nil {
		return shared
	}
	if t.outcomes == nil {
		t.outcomes = map[outcome]*outcome{}
	}
	o.code, o.concept = strings.Clone(o.code), strings.Clone(o.concept)
	o.reason, o.sideEffects, o.origin = strings.Clone(o.reason), strings.Clone(o.sideEffects), registry.Origin(strings.Clone(string(o.origin)))
	t.outcomes[o] = &o
	return &o
}

// columns of a rule file, separated by tabs; the last three may be left out.
const (
	colMatch = iota
	colValue
	colWhen
	colCode
	colSet
	colSource
	numColumns
)

// parseTable reads a rule file. It returns every problem it finds, each with file and line. What is kept is copied: most of
// the text is for readers.
func parseTable(name, src string) (*table, error) {
	t := &table{name: name, rows: make([]*Rule, 0, strings.Count(src, "\n"))}
	rules := make([]Rule, 0, cap(t.rows)+1) // one piece of memory for all rows
	var errs []error
	line := 0
	for text := range strings.Lines(src) {
		line++
		text = strings.TrimRight(text, "\r\n")
		switch {
		case strings.HasPrefix(text, "#!"):
			if err := t.directive(strings.Clone(strings.TrimSpace(text[2:]))); err != nil {
				errs = append(errs, fmt.Errorf("%s:%d: %w", name, line, err))
			}
		case strings.TrimSpace(text) == "" || text[0] == '#':
		default:
			rules = append(rules, Rule{id: name + ":" + strconv.Itoa(line), file: t})
			r := &rules[len(rules)-1]
			if err := r.parse(kept(strings.Split(text, "\t"))); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", r.id, err))
				continue
			}
			t.rows = append(t.rows, r)
		}
	}
	return t, errors.Join(errs...)
}

// kept copies the cells of which a rule keeps a part.
func kept(cells []string) []string {
	if len(cells) > colWhen {
		cells[colValue], cells[colWhen] = strings.Clone(cells[colValue]), strings.Clone(cells[colWhen])
	}
	return cells
}

// directive reads a `#!` line: title, home, root or private.
func (t *table) directive(s string) error {
	key, rest, _ := strings.Cut(s, " ")
	switch key {
	case "title":
		t.title = strings.TrimSpace(rest)
	case "home":
		t.homes = append(t.homes, strings.Fields(rest)...)
	case "root":
		t.roots = append(t.roots, strings.Fields(rest)...)
	case "private":
		t.private = true
	default:
		return fmt.Errorf("directive %q: want one of title, home, root, private", key)
	}
	return nil
}

// parse reads the cells of one row.
func (r *Rule) parse(cells []string) error {
	if len(cells) < colCode+1 || len(cells) > numColumns {
		return fmt.Errorf("%d columns: want match, value, when, code and, where needed, set and source, separated by tabs", len(cells))
	}
	var set string
	if len(cells) > colSet {
		set = strings.TrimSpace(cells[colSet])
	}
	r.value = strings.TrimSpace(cells[colValue])
	if err := r.setMatch(strings.TrimSpace(cells[colMatch])); err != nil {
		return err
	}
	if err := r.setValue(); err != nil {
		return err
	}
	if when := strings.TrimSpace(cells[colWhen]); when != "" {
		r.when = &condition{}
		if err := r.when.parse(when); err != nil {
			return err
		}
	}
	var out outcome
	if err := out.parse(strings.TrimSpace(cells[colCode]), set); err != nil {
		return err
	}
	r.out = r.file.share(out)
	return nil
}

func (r *Rule) setMatch(name string) error {
	if key, ok := strings.CutPrefix(name, "attr."); ok && key != "" {
		r.match, r.key = MatchAttr, strings.Clone(key)
		return nil
	}
	for m, n := range matchNames {
		if n == name {
			r.match = Match(m)
			return nil
		}
	}
	return fmt.Errorf("match %q: want one of %s or attr.KEY", name, strings.Join(matchNames[:MatchAttr], ", "))
}

// setValue checks the value and cuts it into what the look-up needs.
func (r *Rule) setValue() error {
	if r.value == "" {
		return errors.New("value is empty")
	}
	switch r.match {
	case MatchType:
		n := parseType(r.value)
		if n.last == "" {
			return fmt.Errorf("value %q: not a type name", r.value)
		}
		r.qualifier, r.root = n.qualifier, strings.ToLower(rootOf(n.qualifier))
	case MatchMessage:
		return r.setMessage()
	case MatchWord:
		if len(squash(nil, r.value)) < gram {
			return fmt.Errorf("value %q: want at least %d letters or digits", r.value, gram)
		}
	case MatchHTTP:
		if httpStatus(strings.ReplaceAll(r.value, "x", "0")) == 0 {
			return fmt.Errorf("value %q: want an HTTP status (429) or a range of a hundred (5xx)", r.value)
		}
	case MatchRPC:
		if !numeric(r.value) {
			return fmt.Errorf("value %q: want a number", r.value)
		}
	}
	return nil
}

// setMessage reads `^text` (at the start), `=text` (the whole text) and `one * two` (in this order).
func (r *Rule) setMessage() error {
	text := r.value
	switch text[0] {
	case '^':
		r.anchor, text = atStart, text[1:]
	case '=':
		r.anchor, text = whole, text[1:]
	}
	parts := strings.Split(strings.ToLower(text), "*")
	for i, p := range parts {
		if i > 0 && i < len(parts)-1 {
			parts[i] = strings.TrimSpace(p)
		}
	}
	if len(parts) > 1 {
		parts[0] = strings.TrimRight(parts[0], " ")
		parts[len(parts)-1] = strings.TrimLeft(parts[len(parts)-1], " ")
	}
	if len(parts[0]) < gram && r.anchor != whole {
		return fmt.Errorf("value %q: the first fragment of a message needs at least %d bytes", r.value, gram)
	}
	r.value, r.rest = parts[0], parts[1:]
	return nil
}

// parse reads the `when` column: words KEY=VALUE, values may be quoted and hold alternatives separated by `|`.
func (c *condition) parse(s string) error {
	words, err := splitWords(s)
	if err != nil {
		return fmt.Errorf("when: %w", err)
	}
	for _, w := range words {
		key, value, ok := strings.Cut(w, "=")
		if !ok || value == "" {
			return fmt.Errorf("when %q: want KEY=VALUE", w)
		}
		if attr, not, is := attrKey(key); is {
			a := attrCondition{key: attr, not: not}
			for _, v := range strings.Split(value, "|") {
				a.values = append(a.values, string(squash(nil, v)))
			}
			c.attrs = append(c.attrs, a)
			continue
		}
		if err := c.set(key, strings.Split(value, "|")); err != nil {
			return fmt.Errorf("when %s: %w", w, err)
		}
	}
	return nil
}

// attrKey cuts the attribute out of `attr.KEY` and `noattr.KEY`.
func attrKey(key string) (attr string, not, ok bool) {
	if attr, ok = strings.CutPrefix(key, "noattr."); ok {
		return attr, true, attr != ""
	}
	attr, ok = strings.CutPrefix(key, "attr.")
	return attr, false, ok && attr != ""
}

func (c *condition) set(key string, values []string) error {
	for _, v := range values {
		switch key {
		case "op":
			g, ok := groupNames[v]
			if !ok {
				return fmt.Errorf("%q: want one of model, tool, agent, mcp, a2a, retrieval, guardrail, other", v)
			}
			c.groups |= g
		case "protocol":
			if err := setBit(&c.protocols, v, "none", "mcp", "a2a"); err != nil {
				return err
			}
		case "role":
			if err := setBit(&c.roles, v, "unknown", "client", "server", "internal"); err != nil {
				return err
			}
		case "status":
			if err := setBit(&c.statuses, v, "unset", "ok", "error"); err != nil {
				return err
			}
		case "home":
			c.homes = append(c.homes, v)
		case "msg":
			c.messages = append(c.messages, phraseOf(v))
		case "nomsg":
			c.without = append(c.without, phraseOf(v))
		case "http":
			n := httpStatus(v)
			if n == 0 {
				return fmt.Errorf("%q: want an HTTP status", v)
			}
			c.http = append(c.http, n)
		case "type":
			c.types = append(c.types, string(squash(nil, parseType(v).last)))
		case "method":
			c.methods = append(c.methods, v)
		default:
			return errors.New("want one of op, protocol, role, status, home, msg, nomsg, http, type, method, attr.KEY, noattr.KEY")
		}
	}
	return nil
}

func setBit(bits *uint8, v string, names ...string) error {
	for i, n := range names {
		if n == v {
			*bits |= 1 << i
			return nil
		}
	}
	return fmt.Errorf("%q: want one of %s", v, strings.Join(names, ", "))
}

// parse reads the columns code and set.
func (o *outcome) parse(code, set string) error {
	switch {
	case code == "none":
		o.control = true
	case code == "unwrap":
		o.unwrap = true
	case strings.HasPrefix(code, "@"):
		o.concept = code[1:]
	case registry.Valid(code):
		if _, known := registry.Lookup(code); !known && !registry.IsPrivate(code) {
			return fmt.Errorf("code %q: not in the registry; private codes begin with x-", code)
		}
		o.code = code
	default:
		return fmt.Errorf("code %q: want a registry code, a private x-CATEGORY.NAME code, @CONCEPT, unwrap or none", code)
	}
	if set == "" {
		return nil
	}
	words, err := splitWords(set)
	if err != nil {
		return fmt.Errorf("set: %w", err)
	}
	for _, w := range words {
		if err := o.set(w); err != nil {
			return fmt.Errorf("set %s: %w", w, err)
		}
	}
	return nil
}

func (o *outcome) set(word string) error {
	switch word {
	case "weak":
		o.weak = true
		return nil
	case "repeats":
		o.repeats = true
		return nil
	case "exact":
		o.exact = true
		return nil
	}
	key, value, _ := strings.Cut(word, "=")
	switch key {
	case "retryable":
		return setTri(&o.retryable, value)
	case "model_recoverable":
		return setTri(&o.modelRecoverable, value)
	case "class":
		for c := ClassTask; c < numClasses; c++ {
			if classNames[c] == value {
				o.class = c
				return nil
			}
		}
		return fmt.Errorf("%q: want one of %s", value, strings.Join(classNames[ClassTask:], ", "))
	case "origin":
		for _, origin := range []registry.Origin{registry.OriginModel, registry.OriginHarness, registry.OriginTool, registry.OriginUpstream, registry.OriginUser} {
			if string(origin) == value {
				o.origin = origin
				return nil
			}
		}
		return fmt.Errorf("%q: want one of model, harness, tool, upstream, user", value)
	case "action":
		a, ok := actionOf(value)
		if !ok {
			return fmt.Errorf("%q: want one of %s", value, strings.Join(actionNames[ActionRetry:], ", "))
		}
		o.action = a
		return nil
	case "side_effects":
		o.sideEffects = value
		return nil
	case "reason":
		o.reason = value
		return nil
	}
	return errors.New("want one of weak, repeats, exact, retryable=, model_recoverable=, class=, origin=, action=, side_effects=, reason=")
}

func setTri(t *Tri, value string) error {
	switch value {
	case "true":
		*t = True
	case "false":
		*t = False
	default:
		return fmt.Errorf("%q: want true or false", value)
	}
	return nil
}

// splitWords cuts s at spaces outside double quotes and takes the quotes away.
func splitWords(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	quoted, open := false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
			open = true
		case c == ' ' && !quoted:
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if quoted {
		return nil, fmt.Errorf("%q: a quotation mark is missing", s)
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}
