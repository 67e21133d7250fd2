package signal

import "sort"

// TableInfo is what one built-in table knows.
type TableInfo struct {
	// File is its name under tables/, Title what people call its subject.
	File, Title string
	// Homes are the providers or frameworks whose words it lists; none for protocols and general rules.
	Homes []string
	// Rows by what they match, named as in the first column; attr.KEY rows count as attr.
	Rows map[string]int
	// Codes are the registry codes and concepts that its rows lead to, sorted.
	Codes []string
}

// Catalogue lists the built-in tables, sorted by file.
func (e *Engine) Catalogue() []TableInfo {
	byFile := map[*table]*TableInfo{}
	codes := map[*table]map[string]bool{}
	for _, r := range e.rules {
		if r.file.user {
			continue
		}
		info := byFile[r.file]
		if info == nil {
			info = &TableInfo{File: r.file.name, Title: r.file.title, Homes: r.file.homes, Rows: map[string]int{}}
			byFile[r.file], codes[r.file] = info, map[string]bool{}
		}
		match := matchNames[r.match]
		if r.match == MatchAttr {
			match = "attr"
		}
		info.Rows[match]++
		switch {
		case r.out.code != "":
			codes[r.file][r.out.code] = true
		case r.out.concept != "":
			codes[r.file]["@"+r.out.concept] = true
		}
	}
	list := make([]TableInfo, 0, len(byFile))
	for t, info := range byFile {
		for c := range codes[t] {
			info.Codes = append(info.Codes, c)
		}
		sort.Strings(info.Codes)
		list = append(list, *info)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].File < list[j].File })
	return list
}
