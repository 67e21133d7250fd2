package problem

import "strings"

const (
	// MetaKey is the key in MCP's _meta (draft 7.1).
	MetaKey = "org.agenterrors/harness-error"
	// ExtensionURI names the A2A extension (draft 8.1) and is the key in the
	// metadata of A2A messages and tasks.
	ExtensionURI = "https://agenterrors.org/ext/a2a/v1"
)

// Maybe reports whether text can hold a harness error object: JSON that names
// one of the type URIs, the key of MCP or the extension of A2A. It is the test
// to make before Find; it allocates nothing and its answer yes means little.
func Maybe(text string) bool {
	json := strings.TrimLeft(text, " \t\r\n")
	return json != "" && (json[0] == '{' || json[0] == '[') && named(json)
}

// named looks for "harness-error", which both type URIs and the key have in
// them, and for the host of the extension's URI. Both hold "rror", so one pass does,
// and the search for it is twice as fast as one that begins with the common "e".
func named(text string) bool {
	for {
		i := strings.Index(text, "rror")
		if i < 0 {
			return false
		}
		before, after := text[:i], text[i+len("rror"):]
		if strings.HasSuffix(before, "harness-e") || strings.HasSuffix(before, "agente") && strings.HasPrefix(after, "s.org") {
			return true
		}
		text = after
	}
}

// Find looks for an object in JSON text: the object itself or a message of MCP,
// A2A, JSON-RPC or gRPC that carries it. Text over MaxText, text that is not
// JSON as a whole and objects in other places are not found; the words of an
// error in a model's or a tool's ordinary output are no failure.
//
// Where there are several, the first in this order counts: _meta, error data,
// status message, metadata, then nested messages.
func Find[T string | []byte](text T) (Found, bool) {
	if len(text) > MaxText {
		return Found{}, false
	}
	s := string(text)
	if !Maybe(s) {
		return Found{}, false
	}
	v, err := decode(s)
	if err != nil {
		return Found{}, false
	}
	return search{}.value(v)
}

// FindEmbedded is Find for messages of exceptions, which often end in the body of
// the response: text before and after the JSON is passed over.
func FindEmbedded(message string) (Found, bool) {
	if len(message) > MaxText || !named(message) {
		return Found{}, false
	}
	for range maxEmbedded {
		i := strings.IndexByte(message, '{')
		if i < 0 {
			break
		}
		message = message[i:]
		if v, _, err := decodeFirst(message); err == nil {
			if f, ok := (search{}).value(v); ok {
				return f, true
			}
		}
		message = message[1:]
	}
	return Found{}, false
}

// maxEmbedded is how many braces are tried: a message may speak of {placeholders}
// first, but it must not make the search quadratic.
const maxEmbedded = 4

// FindTree is Find on a decoded tree of map[string]any, []any and scalars, as
// encoding/json and pcommon.Value.AsRaw make them. Values may be strings of JSON
// in their turn, two deep.
func FindTree(v any) (Found, bool) { return search{}.value(v) }

// search is the way down to a value: how many levels, how many of them by
// decoding a string, and whether through an MCP task.
type search struct {
	depth, strings int
	mcpTask        bool
}

const maxStrings = 2

func (s search) value(v any) (Found, bool) {
	if s.depth++; s.depth > MaxDepth {
		return Found{}, false
	}
	switch v := v.(type) {
	case map[string]any:
		return s.message(v)
	case []any:
		return s.list(v)
	case []byte:
		return s.value(string(v))
	case string:
		if s.strings++; s.strings > maxStrings || len(v) > MaxText || !Maybe(v) {
			return Found{}, false
		}
		if decoded, err := decode(v); err == nil {
			return s.value(decoded)
		}
	}
	return Found{}, false
}

// list is a batch of messages or a stream's events; at the top it may also be the
// array that A2A 1.0 puts into error data. Objects listed further down are taken
// for what they are most of the time: data, for example of a tool that reads logs.
func (s search) list(list []any) (Found, bool) {
	if s.depth == 1 {
		if o, ok := firstTyped(list); ok {
			return found(o, CarrierA2AErrorData)
		}
	}
	for _, v := range list {
		if m, ok := v.(map[string]any); ok && hasType(m) {
			continue
		}
		if f, ok := s.value(v); ok {
			return f, true
		}
	}
	return Found{}, false
}

// nestedKeys are the members that hold a further message: results of JSON-RPC,
// tasks and events of A2A and MCP, and what instrumentation libraries put
// around a tool's result.
var nestedKeys = [...]string{
	"result", "task", "statusUpdate", "status_update", "message", "msg",
	"response", "output", "outputs", "parts",
}

func (s search) message(m map[string]any) (Found, bool) {
	if hasType(m) {
		return found(m, CarrierBare)
	}
	for _, key := range [...]string{"_meta", "meta"} {
		if o, ok := member(m, key, MetaKey); ok {
			return found(o, CarrierMCPMeta)
		}
	}
	if f, ok := s.protocolError(m); ok {
		return f, true
	}
	if o, ok := inStatus(m); ok {
		return found(o, CarrierA2AStatus)
	}
	if o, ok := member(m, "metadata", ExtensionURI); ok {
		return found(o, CarrierA2AMetadata)
	}
	for _, key := range nestedKeys {
		v, ok := m[key]
		if !ok {
			continue
		}
		in := s
		in.mcpTask = s.mcpTask || key == "task"
		if f, ok := in.value(v); ok {
			return f, true
		}
	}
	return Found{}, false
}

func found(m map[string]any, c Carrier) (Found, bool) {
	return Found{Object: read(m), Carrier: c}, true
}

// member returns m[key][name] if both are objects.
func member(m map[string]any, key, name string) (map[string]any, bool) {
	in, _ := m[key].(map[string]any)
	o, ok := in[name].(map[string]any)
	return o, ok
}

// protocolError looks into the error of a JSON-RPC response, the body
// {"error": google.rpc.Status}, or such an error standing alone.
func (s search) protocolError(m map[string]any) (Found, bool) {
	e, ok := m["error"].(map[string]any)
	if !ok {
		if m["code"] == nil || m["message"] == nil && m["details"] == nil {
			return Found{}, false
		}
		e = m
	}
	switch data := e["data"].(type) {
	case map[string]any:
		if o, ok := inData(data); ok {
			if s.mcpTask || m["taskId"] != nil {
				return found(o, CarrierMCPTask)
			}
			return found(o, CarrierJSONRPCData)
		}
	case []any:
		if o, ok := firstTyped(data); ok {
			return found(o, CarrierA2AErrorData)
		}
	}
	if details, ok := e["details"].([]any); ok {
		if o, ok := firstTyped(details); ok {
			return found(o, CarrierRPCStatus)
		}
	}
	if hasType(e) {
		return found(e, CarrierBare)
	}
	return Found{}, false
}

// inData reads error data: the object, or one that shares data with others and
// so stands under its name.
func inData(data map[string]any) (map[string]any, bool) {
	if hasType(data) {
		return data, true
	}
	for _, key := range [...]string{MetaKey, "harness-error"} {
		if o, ok := data[key].(map[string]any); ok && (hasType(o) || hasCode(o)) {
			return o, true
		}
	}
	return nil, false
}

func firstTyped(list []any) (map[string]any, bool) {
	for _, v := range list {
		if m, ok := v.(map[string]any); ok {
			if o, ok := typed(m); ok {
				return o, true
			}
		}
	}
	return nil, false
}

// typed reads an element of error data: the object, its members beside the
// @type of a protobuf Struct, or the Struct's ProtoJSON with the object as value.
func typed(m map[string]any) (map[string]any, bool) {
	if hasType(m) {
		return m, true
	}
	t, _ := m["@type"].(string)
	if t != structType && !strings.HasSuffix(t, "/"+structType) {
		return nil, false
	}
	o, ok := m["value"].(map[string]any)
	return o, ok && hasType(o)
}

const structType = "google.protobuf.Struct"

// inStatus looks into the message of a task's status, or of a status standing
// alone. Data parts are told by their data, which all versions of A2A have; gRPC
// nests it once more.
func inStatus(m map[string]any) (map[string]any, bool) {
	message, ok := member(m, "status", "message")
	if !ok && m["state"] != nil {
		message, ok = m["message"].(map[string]any)
	}
	if !ok {
		return nil, false
	}
	for _, key := range [...]string{"parts", "content"} {
		parts, _ := message[key].([]any)
		for _, v := range parts {
			part, _ := v.(map[string]any)
			data, _ := part["data"].(map[string]any)
			if hasType(data) {
				return data, true
			}
			if inner, ok := data["data"].(map[string]any); ok && hasType(inner) {
				return inner, true
			}
		}
	}
	o, ok := member(message, "metadata", ExtensionURI)
	return o, ok
}
