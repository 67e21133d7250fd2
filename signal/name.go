package signal

import "strings"

// named is what the tables have under the name of a class or code.
type named struct {
	typ        typeName
	full, last []ref // the rules of the whole name, and of its last segment where that is another
	grpc       []ref // of a name that could be a status
}

// name looks a name up in every spelling.
func (e *Engine) name(name string) named {
	var buf [128]byte
	types := e.index[MatchType]
	if numeric(name) {
		return named{typ: typeName{full: name, last: name}, full: types[name]}
	}
	n := named{typ: parseType(name)}
	n.typ.qual, n.typ.root = hashFold(n.typ.qualifier), hashFold(rootOf(n.typ.qualifier))
	n.full = types[string(squash(buf[:0], n.typ.full))]
	if len(n.typ.last) != len(n.typ.full) {
		n.last = types[string(squash(buf[:0], n.typ.last))]
	}
	if upperWord(n.typ.last) {
		n.grpc = e.index[MatchGRPC][string(squash(buf[:0], n.typ.last))]
	}
	return n
}

// typed reads the name of a class or code.
func (d *decision) typed(s string, rank int16, kind Kind) {
	if s == "" || len(s) > 512 {
		return
	}
	n := d.names.get(d.seed, s, d.e.name)
	if d.bestOf(n.full, rank, kind, &n.typ) || d.bestOf(n.last, rank, kind, &n.typ) {
		return
	}
	if numeric(s) {
		d.number(s)
		return
	}
	if d.bestOf(n.grpc, rankGRPC, KindGRPCStatus, &typeName{}) {
		return
	}
	if strings.IndexByte(s, ' ') > 0 {
		d.sentence(s)
		return
	}
	d.wordIn(n.typ.last, rank)
}

// sentence handles an error.type that is a text (SDKs that write the message there).
func (d *decision) sentence(s string) {
	if d.in.nClasses == 0 {
		d.in.leading(s)
	}
	d.rescan(clip(s))
}

// number reads a type that is a number no table lists: a JSON-RPC code or an HTTP status.
func (d *decision) number(s string) {
	if status := httpStatus(s); status >= 400 {
		if d.ev.HTTPStatus == 0 {
			d.http = status
			d.httpStatus(status, KindHTTPStatus)
		}
		return
	}
	if d.ev.RPCCode == "" {
		d.rpc(s)
	}
}

// wordIn reads the name of a class that no table lists: a telling word in it.
func (d *decision) wordIn(name string, rank int16) {
	if r, length := d.telling(string(squash(d.buf[:0], name))); r != nil {
		d.take(r, min(rank, rankWord), KindException, name, length)
	}
}

// telling finds the longest telling word in a squashed name; of rows for the same word the one with more conditions.
func (d *decision) telling(key string) (found *Rule, length int) {
	d.e.names.scan(key, func(id int32, start, end int) {
		r := d.e.words[id]
		better := end-start > length || end-start == length && r.when.weight() > found.when.weight()
		if better && r.when.holds(d) {
			found, length = r, end-start
		}
	})
	return found, length
}
