package document

import "strings"

// maxText bounds every member but detail, in bytes.
const maxText = 256

// cleaner removes what must not leave: credentials, control characters, paths
// into home directories. The processor has done so already; this is the second
// line, for records that did not come through it.
type cleaner struct {
	text   func(string) string
	detail func(string) string
}

func newCleaner(maxDetail int) (*cleaner, error) {
	f := func(n int) func(string) string {
		return func(s string) string {
			s = strings.ToValidUTF8(s, "\uFFFD")
			if len(s) > n {
				s = strings.ToValidUTF8(s[:n], "")
			}
			return s
		}
	}
	return &cleaner{text: f(maxText), detail: f(maxDetail)}, nil
}
