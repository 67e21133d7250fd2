package document

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
)

// Logs returns a new batch that holds the selected records of ld, with what a
// document can hold of them and nothing else. It returns false, and allocates
// nothing, when there are none. ld is not changed.
func (s Selector) Logs(ld plog.Logs) (out plog.Logs, found bool) {
	for _, rl := range ld.ResourceLogs().All() {
		var to plog.LogRecordSlice
		foundHere := false
		for _, sl := range rl.ScopeLogs().All() {
			for _, record := range sl.LogRecords().All() {
				if !s.Selects(record.Attributes()) {
					continue
				}
				if !found {
					out, found = plog.NewLogs(), true
				}
				if !foundHere {
					to, foundHere = newRecords(out, rl.Resource()), true
				}
				copyRecord(record, to.AppendEmpty())
			}
		}
	}
	return out, found
}

func newRecords(ld plog.Logs, resource pcommon.Resource) plog.LogRecordSlice {
	rl := ld.ResourceLogs().AppendEmpty()
	copyResource(resource, rl.Resource())
	return rl.ScopeLogs().AppendEmpty().LogRecords()
}

func copyRecord(from, to plog.LogRecord) {
	from.CopyTo(to)
	if to.Body().Type() != pcommon.ValueTypeStr {
		pcommon.NewValueEmpty().CopyTo(to.Body())
	}
	keepNeeded(to.Attributes())
}

// FromLogs returns a document for each selected record of ld, in ld's order.
// Document.Ordinal is the record's place among all records of ld.
func (b *Builder) FromLogs(ld plog.Logs) []Document {
	var docs []Document
	ordinal := 0
	for _, rl := range ld.ResourceLogs().All() {
		for _, sl := range rl.ScopeLogs().All() {
			for _, record := range sl.LogRecords().All() {
				if b.Selects(record.Attributes()) {
					doc := b.FromLog(rl.Resource(), record)
					doc.Ordinal = ordinal
					docs = append(docs, doc)
				}
				ordinal++
			}
		}
	}
	return docs
}

// KeepRecords returns the records of ld at the given ordinals, which ascend. ld
// is not changed.
func KeepRecords(ld plog.Logs, ordinals []int) plog.Logs {
	out := plog.NewLogs()
	ld.CopyTo(out)
	keep := keeper{ordinals: ordinals}
	out.ResourceLogs().RemoveIf(func(rl plog.ResourceLogs) bool {
		rl.ScopeLogs().RemoveIf(func(sl plog.ScopeLogs) bool {
			sl.LogRecords().RemoveIf(func(plog.LogRecord) bool { return !keep.next() })
			return sl.LogRecords().Len() == 0
		})
		return rl.ScopeLogs().Len() == 0
	})
	return out
}
