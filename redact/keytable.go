package redact

import (
	_ "embed"
	"fmt"
	"slices"
)

//go:embed tables/keys.tsv
var keysTSV string

// keyClass says what stands after a name.
type keyClass uint8

const (
	classNever keyClass = iota
	classWeak
	classCode
	classStrong
	classPassword
	classWords
)

var keyClasses = map[string]keyClass{
	"never": classNever, "weak": classWeak, "code": classCode, "strong": classStrong, "password": classPassword, "words": classWords,
}

// keyWord is a word that names of secrets end in.
type keyWord struct {
	word    string
	class   keyClass      // of the word alone
	bounded bool          // must not be glued to letters before it
	names   [32][]keyName // by the byte before the word, modulo 32; longest first
}

// keyName is a longer name that ends in a keyWord, without separators.
type keyName struct {
	name  string
	class keyClass
}

var keyWords = func() (words []keyWord) {
	for i, f := range tableRows(keysTSV) {
		if err := addKeyRow(&words, f); err != nil {
			panic(fmt.Sprintf("tables/keys.tsv row %d: %v", i+1, err))
		}
	}
	for i := range words {
		for _, names := range words[i].names {
			slices.SortStableFunc(names, func(x, y keyName) int { return len(y.name) - len(x.name) })
		}
	}
	return words
}()

func addKeyRow(words *[]keyWord, f []string) error {
	if len(f) != 3 {
		return fmt.Errorf("%d fields, want 3", len(f))
	}
	class, ok := keyClasses[f[1]]
	if !ok {
		return fmt.Errorf("unknown class %q", f[1])
	}
	if f[2] == "-" || f[2] == "b" {
		*words = append(*words, keyWord{word: f[0], class: class, bounded: f[2] == "b"})
		return nil
	}
	i := slices.IndexFunc(*words, func(w keyWord) bool { return w.word == f[2] })
	if i < 0 || len(f[0]) <= len(f[2]) || !foldSuffix(f[0], f[2]) {
		return fmt.Errorf("%q does not end in a word of an earlier row", f[0])
	}
	names := &(*words)[i].names
	bucket := f[0][len(f[0])-len(f[2])-1] & 31
	names[bucket] = append(names[bucket], keyName{f[0], class})
	return nil
}

// classify returns the class of a name that ends in w; norm is the name in lower case without separators, or as much of
// its end as fits.
func (w *keyWord) classify(norm []byte) keyClass {
	before := len(norm) - len(w.word) - 1
	if before < 0 {
		return w.class
	}
	for _, n := range w.names[norm[before]&31] {
		if len(norm) >= len(n.name) && string(norm[len(norm)-len(n.name):]) == n.name {
			return n.class
		}
	}
	return w.class
}
