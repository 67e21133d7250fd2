package problem

import (
	"encoding/json"
	"fmt"
	"math"
)

// toFloat reads a finite number from decoded JSON or from a raw pdata value.
func toFloat(v any) (float64, bool) {
	var f float64
	switch n := v.(type) {
	case float64:
		f = n
	case int64:
		f = float64(n)
	case int:
		f = float64(n)
	case json.Number:
		var err error
		if f, err = n.Float64(); err != nil {
			return 0, false
		}
	default:
		return 0, false
	}
	return f, finite(f)
}

// maxExact is the largest integer up to which float64 has them all; JSON allows
// an integer to be written 3.0.
const maxExact = 1 << 53

// toInt reads an integer, however its type spells it.
func toInt(v any) (int64, bool) {
	switch n := v.(type) {
	case int64:
		return n, true
	case int:
		return int64(n), true
	case json.Number:
		if i, err := n.Int64(); err == nil {
			return i, true
		}
	}
	f, ok := toFloat(v)
	if !ok || f != math.Trunc(f) || math.Abs(f) > maxExact {
		return 0, false
	}
	return int64(f), true
}

// show renders a value for an error: numbers as they are, the rest by kind.
func show(v any) string {
	if _, ok := toFloat(v); ok {
		return clip(fmt.Sprint(v))
	}
	return kindOf(v)
}

// kindOf names the JSON type of a value. Values themselves stay out of errors:
// they may be secrets.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case float64, int64, int, json.Number:
		return "a number"
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprintf("%T", v)
}
