// Package keys tells the attributes that matter apart from those that do not, without a branch that depends on a key.
package keys

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed attributes.tsv
var attributesFile string

// Flags say what the presence of an attribute means.
type Flags uint8

// The flags of attributes.tsv.
const (
	// Marker: one is enough to know GenAI or agent telemetry by.
	Marker Flags = 1 << iota
	// Foreign: belongs to another convention (HTTP, DB, messaging, RPC).
	Foreign
	// Evidence: may show a failure.
	Evidence
)

// ID is the number of a known attribute; 0 is none.
type ID uint16

// Max is how many attributes a Set can hold, user-defined ones included.
const Max = 512

// Set is a fixed set of attribute keys.
type Set struct {
	names  []string // by ID
	flags  []Flags
	roles  []string
	byRole map[string][]ID
	// first is an attribute by its slot, next another with the same.
	first [Slots]ID
	next  []ID
}

// row is a line of attributes.tsv; its last column, who writes the attribute, is for readers.
type row struct {
	name, role string
	flags      Flags
}

func parseRows() ([]row, error) {
	var rows []row
	for i, line := range strings.Split(attributesFile, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 4 {
			return nil, fmt.Errorf("attributes.tsv:%d: %d columns, want 4", i+1, len(cells))
		}
		r := row{name: cells[0], role: cells[1]}
		for _, f := range strings.Split(cells[2], ",") {
			switch f {
			case "marker":
				r.flags |= Marker
			case "foreign":
				r.flags |= Foreign
			case "evidence":
				r.flags |= Evidence
			case "":
			default:
				return nil, fmt.Errorf("attributes.tsv:%d: flag %q", i+1, f)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// Extra are further attributes of one role.
type Extra struct {
	Role  string
	Flags Flags
	Names []string
}

// New builds the set of attributes.tsv and the extra attributes; one that is in the set already keeps its
// role and gains the flags.
func New(extra []Extra) (*Set, error) {
	s := &Set{names: []string{""}, flags: []Flags{0}, roles: []string{""}, byRole: map[string][]ID{}}
	rows, err := parseRows()
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		s.add(r.name, r.role, r.flags)
	}
	known := map[string]ID{}
	for id, n := range s.names {
		known[n] = ID(id)
	}
	for _, e := range extra {
		for _, n := range e.Names {
			if id := known[n]; id != 0 {
				s.flags[id] |= e.Flags
				continue
			}
			known[n] = ID(len(s.names))
			s.add(n, e.Role, e.Flags)
		}
	}
	if len(s.names) > Max {
		return nil, fmt.Errorf("%d attributes: the most that can be looked at are %d", len(s.names)-1, Max-1)
	}
	s.fill()
	return s, nil
}

func (s *Set) add(name, role string, flags Flags) {
	id := ID(len(s.names))
	s.names, s.flags, s.roles = append(s.names, name), append(s.flags, flags), append(s.roles, role)
	s.byRole[role] = append(s.byRole[role], id)
}

func (s *Set) fill() {
	s.next = make([]ID, len(s.names))
	for id := ID(1); int(id) < len(s.names); id++ {
		if name := s.names[id]; name != "" {
			first := &s.first[Slot(name)]
			s.next[id], *first = *first, id
		}
	}
}

// Find returns the number of an attribute, or 0.
func (s *Set) Find(key string) ID { return s.FindIn(Slot(key), key) }

// FindIn is Find for a key whose slot is known; Slots stands for a slot that is not.
func (s *Set) FindIn(slot uint, key string) ID {
	if slot >= Slots {
		slot = Slot(key)
	}
	for id := s.first[slot&(Slots-1)]; id != 0; id = s.next[id] {
		if s.names[id] == key {
			return id
		}
	}
	return 0
}

// Flags returns what the presence of the attribute means.
func (s *Set) Flags(id ID) Flags { return s.flags[id] }

// Name returns the attribute's key.
func (s *Set) Name(id ID) string { return s.names[id] }

// Role returns the attributes of a role in order of precedence.
func (s *Set) Role(role string) []ID { return s.byRole[role] }

// RoleOf returns the role of an attribute.
func (s *Set) RoleOf(id ID) string { return s.roles[id] }

// Len is one more than the greatest ID.
func (s *Set) Len() int { return len(s.names) }
