package document

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// PutMap writes the document into dst, member for member and in the order of
// JSON. It goes through the JSON text, so that there is one encoder.
func (d *Document) PutMap(dst pcommon.Map) error {
	body, err := d.JSON(false)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if _, err := dec.Token(); err != nil { // the opening brace
		return err
	}
	return putMembers(dec, dst)
}

// putMembers reads members up to and with the closing brace.
func putMembers(dec *json.Decoder, dst pcommon.Map) error {
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		if err := putValue(dec, dst.PutEmpty(name.(string))); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}

func putValue(dec *json.Decoder, dst pcommon.Value) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	switch v := token.(type) {
	case string:
		dst.SetStr(v)
	case bool:
		dst.SetBool(v)
	case json.Number:
		if n, err := v.Int64(); err == nil {
			dst.SetInt(n)
			return nil
		}
		f, err := v.Float64()
		dst.SetDouble(f)
		return err
	case json.Delim:
		if v == '{' {
			return putMembers(dec, dst.SetEmptyMap())
		}
		return putElements(dec, dst.SetEmptySlice())
	default:
		return fmt.Errorf("unexpected token %v", v)
	}
	return nil
}

// putElements reads elements up to and with the closing bracket.
func putElements(dec *json.Decoder, dst pcommon.Slice) error {
	for dec.More() {
		if err := putValue(dec, dst.AppendEmpty()); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}
