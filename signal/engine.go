package signal

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sort"
	"strconv"
	"strings"
	"sync"
)

//go:embed tables/*.tsv
var tableFiles embed.FS

// Engine decides. It is immutable and safe for concurrent use.
type Engine struct {
	// types by squashed name, whole and last segment; words, stops, ... by their own normal forms.
	index [numMatches]map[string][]ref
	// http are the rules of a status from 100 to 599, and of a whole hundred under 1 to 5.
	http [600][]ref
	// attrs are the attribute keys that rules name; true: one matches on its value, so that it is evidence by itself.
	attrs map[string]bool
	// text finds the messages of the rules and the triggers; names finds the words inside squashed type names.
	text, names *scanner
	messages    []ref
	words       []*Rule
	// whole are messages too short to be scanned, by their full text.
	concepts      map[string][8]string
	codeActions   map[string]Action
	reasonActions map[string]Action
	// regexps are the messages of users' own rules that are regular expressions.
	regexps []regexpRule
	rules   []*Rule
	// homes are the files of each provider, client library or framework, by their numbers.
	homes map[string]fileSet
	files int
}

// builtin is the engine of the built-in tables alone.
var builtin = sync.OnceValues(func() (*Engine, error) { return New(nil) })

// Default returns the engine of the built-in tables.
func Default() *Engine {
	e, err := builtin()
	if err != nil {
		panic("built-in tables: " + err.Error()) // a test compiles them, so a release can't get here
	}
	return e
}

// New compiles the built-in tables with a user's own rules in front. The error names file, line and reason of every
// row that is wrong.
func New(own []UserRule) (*Engine, error) {
	e := &Engine{attrs: map[string]bool{}, homes: map[string]fileSet{}}
	for m := range e.index {
		e.index[m] = make(map[string][]ref, indexSize[m])
	}
	e.rules = make([]*Rule, 0, 1<<13)
	errs := []error{e.addUser(own)}
	names, err := fs.Glob(tableFiles, "tables/*.tsv")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	for _, name := range names {
		errs = append(errs, e.addFile(name))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	e.conceive()
	for i := range e.http {
		key := strconv.Itoa(i)
		if i < 10 {
			key += "xx"
		}
		e.http[i] = e.index[MatchHTTP][key]
	}
	e.buildScanners()
	return e, check(e.rules[:len(own)], e.concepts)
}

// indexSize is about how many keys the built-in tables have, so that the maps need not grow.
var indexSize = [numMatches]int{MatchType: 6144, MatchStop: 256, MatchAttr: 320}

func (e *Engine) addFile(name string) error {
	text, err := tableFiles.ReadFile(name)
	if err != nil {
		return err
	}
	f := bytes.NewReader(text)
	base := strings.TrimPrefix(name, "tables/")
	switch base {
	case "concepts.tsv":
		e.concepts, err = parseConcepts(base, f)
	case "actions.tsv":
		e.codeActions, e.reasonActions, err = parseActions(base, f)
	default:
		var t *table
		if t, err = parseTable(base, string(text)); err == nil {
			err = e.addTable(t)
		}
	}
	return err
}

func (e *Engine) addTable(t *table) error {
	if err := e.enlist(t); err != nil {
		return err
	}
	for _, r := range t.rows {
		e.add(r)
	}
	return nil
}

// add files a rule under every key that evidence may ask for.
func (e *Engine) add(r *Rule) {
	r.order = int32(len(e.rules))
	e.rules = append(e.rules, r)
	if r.when != nil {
		for i := range r.when.attrs {
			if key := r.when.attrs[i].key; !e.attrs[key] {
				e.attrs[key] = false
			}
		}
	}
	switch r.match {
	case MatchMessage:
		e.messages = append(e.messages, refer(r))
		if len(r.value) < gram {
			e.file(MatchMessage, r.value, r)
		}
	case MatchWord:
		e.words = append(e.words, r)
	case MatchType:
		n := parseType(r.value)
		full, last := string(squash(nil, n.full)), string(squash(nil, n.last))
		e.file(MatchType, last, r)
		if full != last {
			e.file(MatchType, full, r)
		}
		if numeric(r.value) {
			e.file(MatchType, r.value, r)
		}
	case MatchStop:
		e.file(MatchStop, string(stopKey(nil, r.value)), r)
	case MatchAttr:
		e.attrs[r.key] = true
		e.file(MatchAttr, r.key+"="+string(squash(nil, r.value)), r)
	case MatchState:
		e.file(MatchState, string(stateKey(nil, r.value)), r)
	case MatchHTTP, MatchRPC, MatchEvent:
		e.file(r.match, strings.ToLower(r.value), r)
	default:
		e.file(r.match, string(squash(nil, r.value)), r)
	}
}

func (e *Engine) file(m Match, key string, r *Rule) {
	e.index[m][key] = append(e.index[m][key], refer(r))
}

func (e *Engine) buildScanners() {
	texts := make([]string, 0, len(e.messages)+len(triggers))
	for _, r := range e.messages {
		texts = append(texts, r.value)
	}
	for _, t := range triggers {
		texts = append(texts, t.text)
	}
	e.text = newScanner(e.enlistPhrases(texts))
	words := make([]string, 0, len(e.words))
	for _, r := range e.words {
		words = append(words, string(squash(nil, r.value)))
	}
	e.names = newScanner(words)
}

// enlistPhrases numbers the phrases of conditions and adds them to the texts that are looked for.
func (e *Engine) enlistPhrases(texts []string) []string {
	ids := map[string]int32{}
	enlist := func(phrases []phrase) {
		for i := range phrases {
			p := &phrases[i]
			if len(p.parts) != 1 || len(p.parts[0]) < gram {
				continue
			}
			id, ok := ids[p.parts[0]]
			if !ok && len(ids) < maxPhrases {
				id = int32(len(ids) + 1)
				ids[p.parts[0]] = id
				texts = append(texts, p.parts[0])
			}
			p.id = id
		}
	}
	for _, r := range e.rules {
		if r.when != nil {
			enlist(r.when.messages)
			enlist(r.when.without)
		}
	}
	return texts
}

// check looks for mistakes that no single row shows: unknown concepts, rows of one file that contradict each other. A test
// does it for the built-in tables, so that a start pays for a user's own rules only.
func check(rules []*Rule, concepts map[string][8]string) error {
	var errs []error
	type place struct {
		file *table
		key  string
	}
	seen := map[place]*Rule{}
	for _, r := range rules {
		if c := r.out.concept; c != "" {
			if _, ok := concepts[c]; !ok {
				errs = append(errs, fmt.Errorf("%s: concept @%s is not in concepts.tsv", r.id, c))
			}
		}
		k := place{r.file, fmt.Sprint(r.match, r.key, strings.ToLower(r.value), r.rest, r.anchor, r.when.String())}
		if first := seen[k]; first != nil && *first.out != *r.out && !r.file.user {
			errs = append(errs, fmt.Errorf("%s: contradicts %s", r.id, first.id))
		}
		seen[k] = r
	}
	return errors.Join(errs...)
}

// Attributes returns the attributes whose values belong into Evidence.Words, sorted: those that a rule matches on, which
// are evidence by themselves, and those that only conditions ask for.
func (e *Engine) Attributes() (matched, asked []string) {
	for k, match := range e.attrs {
		if match {
			matched = append(matched, k)
		} else {
			asked = append(asked, k)
		}
	}
	sort.Strings(matched)
	sort.Strings(asked)
	return matched, asked
}

// WantsEvent reports whether a rule names the event.
func (e *Engine) WantsEvent(name string) bool { return len(e.index[MatchEvent][name]) > 0 }

// RTACode returns the code of the Realtime Agent profile that a text begins with, or "".
func (e *Engine) RTACode(text string) string {
	token := tokenAt(text)
	if len(token) > 32 {
		return ""
	}
	var buf [32]byte
	if len(e.index[MatchRTA][string(squash(buf[:0], token))]) == 0 {
		return ""
	}
	return token
}
