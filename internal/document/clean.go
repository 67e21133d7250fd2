package document

import "github.com/harnesserr/harnesserr/redact"

// maxText bounds every member but detail, in bytes.
const maxText = 256

// cleaner removes what must not leave: credentials, control characters, paths
// into home directories. The processor has done so already; this is the second
// line, for records that did not come through it.
type cleaner struct {
	members *redact.Cleaner
	details *redact.Cleaner
}

func newCleaner(maxDetail int) (*cleaner, error) {
	cfg := redact.DefaultConfig()
	cfg.MaxLength = maxText
	members, err := redact.New(cfg)
	if err != nil {
		return nil, err
	}
	cfg.MaxLength = maxDetail
	details, err := redact.New(cfg)
	return &cleaner{members: members, details: details}, err
}

// text cleans a member of one line.
func (c *cleaner) text(s string) string { return c.members.Clean(s, redact.Name, nil) }

// detail cleans the member detail.
func (c *cleaner) detail(s string) string { return c.details.Clean(s, redact.Text, nil) }
