package problem

// RPCError is the error member of a JSON-RPC response (draft 6.3). Data is the
// object, or for A2A 1.0 an array of typed values.
type RPCError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// RPCResponse is a JSON-RPC 2.0 response with either a result or an error.
type RPCResponse struct {
	JSONRPC string    `json:"jsonrpc"`
	ID      any       `json:"id"`
	Result  any       `json:"result,omitempty"`
	Error   *RPCError `json:"error,omitempty"`
}

// summary is the text for operators: detail, or the title where there is none.
func (o *Object) summary() string {
	switch {
	case o.Detail != "":
		return o.Detail
	case o.Title != "":
		return o.Title
	}
	return o.Code
}
