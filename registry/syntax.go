package registry

import "strings"

// Valid reports whether code has the syntax of draft 4.1: a category and a
// reason of lower-case ASCII letters, digits and underscores, joined by one
// dot; a private category begins with "x-" and may hold further hyphens. As a
// regular expression:
//
//	^([a-z0-9_]+|x-[a-z0-9_-]+)\.[a-z0-9_]+$
//
// It says nothing about whether the code is registered.
func Valid(code string) bool {
	category, reason, ok := strings.Cut(code, ".")
	if !ok || !isWord(reason, false) {
		return false
	}
	if rest, private := strings.CutPrefix(category, "x-"); private {
		return isWord(rest, true)
	}
	return isWord(category, false)
}

// IsPrivate reports whether code is valid and its category begins with "x-".
func IsPrivate(code string) bool {
	return strings.HasPrefix(code, "x-") && Valid(code)
}

// Category returns the part of a valid code before the dot, and "" for a
// string that is no code.
func Category(code string) string {
	if !Valid(code) {
		return ""
	}
	return code[:strings.IndexByte(code, '.')]
}

// KnownCategory reports whether category is one of the seven of draft 5.1. A
// code whose reason is unknown but whose category is known is legal; it has no
// defaults for retryable and model_recoverable.
func KnownCategory(category string) bool {
	switch category {
	case CategoryOutput, CategoryLoop, CategoryContext, CategoryTool,
		CategoryPolicy, CategoryUpstream, CategoryHarness:
		return true
	}
	return false
}

func isWord(s string, hyphen bool) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '_':
		case c == '-' && hyphen:
		default:
			return false
		}
	}
	return s != ""
}
