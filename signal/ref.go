package signal

import (
	"fmt"
	"math"
)

// ref is a rule with what its score depends on, side by side with the other rules of the same key: those of a common word
// are many, and most are not looked at any closer.
type ref struct {
	*Rule
	file      uint8 // number of the rule's file
	weight    uint8 // of the rule's condition
	elsewhere relation
	user      bool
	typed     bool // a type rule: the qualifier counts
	exact     bool // and has to fit
	// qual and root are hashes of the qualifier of a type rule and of its root; 0 is none.
	qual, root uint32
}

// maxFiles is how many files of rules there can be.
const maxFiles = 128

// fileSet is a set of files of rules.
type fileSet [maxFiles / 64]uint64

func (s *fileSet) has(file uint8) bool { return s[file/64]&(1<<(file%64)) != 0 }

func (s *fileSet) add(file uint8) { s[file/64] |= 1 << (file % 64) }

// enlist numbers a file and files it under its homes.
func (e *Engine) enlist(t *table) error {
	if e.files == maxFiles {
		return fmt.Errorf("%s: more than %d files of rules", t.name, maxFiles)
	}
	t.number = uint8(e.files)
	e.files++
	for _, home := range t.homes {
		set := e.homes[home]
		set.add(t.number)
		e.homes[home] = set
	}
	return nil
}

// home is the files of a provider, client library or framework.
func (e *Engine) home(name string) fileSet { return e.homes[name] }

// refer makes the ref of a rule.
func refer(r *Rule) ref {
	return ref{Rule: r, file: r.file.number, weight: uint8(min(r.when.weight(), math.MaxUint8)), elsewhere: elsewhere(r), user: r.file.user, typed: r.match == MatchType, exact: r.out.exact,
		qual: hashFold(r.qualifier), root: hashFold(r.root)}
}

// distinctive is how long a text must be to mean the same on the records of another vendor or framework.
const distinctive = 16

// relation of a rule's file to a record.
type relation uint8

const (
	abroad  relation = iota // words of another vendor
	apart                   // words of another vendor that mean nothing here
	general                 // a protocol or the general tables
	atHome
)

// elsewhere is the relation of a rule to the records of other vendors and frameworks than its file's.
func elsewhere(r *Rule) relation {
	switch {
	case len(r.file.homes) == 0:
		return general
	case r.match == MatchMessage && r.length() < distinctive, r.file.private, r.match == MatchHTTP, r.match == MatchStop && r.value[0] >= '0' && r.value[0] <= '9':
		return apart
	}
	return abroad
}
