package problem

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Member is an extension member that Encode appends to an object. Value is
// anything encoding/json can write.
type Member struct {
	Name  string
	Value any
}

// Encode returns the JSON text of o: type first, then the members in the order
// of Object, then extra. It fails if Validate does; HTML characters are not
// escaped, and nothing follows the closing brace.
func (o *Object) Encode(extra ...Member) ([]byte, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("harness error object not well-formed: %w", err)
	}
	text, err := encode(wireOf(o))
	if err != nil {
		return nil, err
	}
	for _, m := range extra {
		name, err := encode(m.Name)
		if err != nil {
			return nil, err
		}
		value, err := encode(m.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		text = append(text[:len(text)-1], ',')
		text = append(append(append(text, name...), ':'), value...)
		text = append(text, '}')
	}
	return text, nil
}

// MarshalJSON is Encode without extensions.
func (o Object) MarshalJSON() ([]byte, error) { return o.Encode() }

// plain is Object without its methods; wire adds what Object leaves out.
type (
	plain Object
	wire  struct {
		Type string `json:"type"`
		plain
		Causes []wire `json:"causes,omitempty"`
	}
)

func wireOf(o *Object) wire {
	w := wire{Type: TypeURI, plain: plain(*o)}
	for i := range o.Causes {
		w.Causes = append(w.Causes, wireOf(&o.Causes[i]))
	}
	return w
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
