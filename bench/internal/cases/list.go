package cases

// List returns every case, in the order of the report.
func List() []Case {
	return append(append(floor(), peers()...), ours()...)
}
