// Package block keeps measured figures current inside a page that people write.
package block

import (
	"fmt"
	"os"
	"strings"
)

// Replace puts text between the comments <!-- NAME begin --> and <!-- NAME end --> of a Markdown file.
func Replace(file, name, text string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin, end := "<!-- "+name+" begin -->", "<!-- "+name+" end -->"
	before, rest, ok := strings.Cut(string(page), begin)
	if !ok {
		return fmt.Errorf("%s: no %s", file, begin)
	}
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		return fmt.Errorf("%s: no %s after %s", file, end, begin)
	}
	return os.WriteFile(file, []byte(before+begin+"\n"+strings.TrimSpace(text)+"\n"+end+after), 0o644)
}
