package main

import "time"

// The incident: in the middle of the story OpenAI limits and Anthropic is overloaded, and the ledger agent was upgraded.
const (
	steps         = 78 // payloads of spans, a second apart: each everyday failure happens once
	incidentBegin = 30
	incidentEnd   = 41
)

// story is what `harnesserr replay` sends, file by file.
func story() []chapter {
	w := newWorld()
	chapters := []chapter{{file: "1-before.json"}, {file: "2-incident.json"}, {file: "3-after.json"}}
	troubles := everyday()
	for i := range steps {
		w.now = start.Add(time.Duration(i) * time.Second)
		c := &chapters[0]
		switch {
		case i >= incidentEnd:
			c = &chapters[2]
		case i >= incidentBegin:
			c = &chapters[1]
		}
		incident := i >= incidentBegin && i < incidentEnd
		c.payloads = append(c.payloads, tracePayload(w.step(i, incident, troubles)...))
		switch i % 20 {
		case 15:
			c.payloads = append(c.payloads, w.claudeEvents(i, incident).payload)
		case 12:
			c.payloads = append(c.payloads, w.codexEvents(i).payload)
		case 19:
			c.payloads = append(c.payloads, w.durations(research, "anthropic", uint64(i+1), uint64(i/20), "anthropic.RateLimitError"))
		}
	}
	return chapters
}

// step is one second of the fleet: mostly runs that go well, each other second an everyday failure until each of them happened.
func (w *world) step(i int, incident bool, troubles []failure) []*run {
	healthy := []func() *run{w.supportRun, w.researchRun, w.invoiceRun}
	runs := []*run{healthy[i%3]()}
	if i%2 == 1 && i/2 < len(troubles) {
		runs = append(runs, troubles[i/2].run(w))
	}
	if i%30 == 20 {
		runs = append(runs, w.mirrored()...)
	}
	if i%20 == 15 {
		runs = append(runs, retried.run(w))
	}
	if !incident {
		return runs
	}
	runs = append(runs, rateLimited.run(w))
	switch i % 4 {
	case 0:
		runs = append(runs, retried.run(w))
	case 1:
		runs = append(runs, overloaded.run(w))
	case 2:
		runs = append(runs, brokenContract.run(w))
	case 3:
		runs = append(runs, versionGap.run(w))
	}
	return runs
}

func (w *world) claudeEvents(i int, incident bool) *events {
	troubles := []func(*events){
		func(e *events) {
			e.claude("tool_result", attrs{"tool_name", "Bash", "success", "false", "error_type", "ShellError"})
		},
		func(e *events) {
			e.claude("tool_decision", attrs{"tool_name", "Write", "decision", "reject", "source", "user_reject"})
		},
		func(e *events) {
			e.claude("compaction", attrs{"trigger", "auto", "success", "false", "error", "API Error"})
		},
		func(e *events) { e.claude("api_refusal", attrs{"attempt", "1", "server_fallback_hop", false}) },
	}
	if incident {
		return w.claudeCode(func(e *events) {
			e.claude("api_error", attrs{"status_code", "529", "attempt", "11",
				"error", `529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`})
		})
	}
	return w.claudeCode(troubles[i/20%len(troubles)])
}

func (w *world) codexEvents(i int) *events {
	troubles := []func(*events){
		func(e *events) {
			e.codex("api_request", attrs{"http.response.status_code", 429, "attempt", 1, "error.message", "http 429 Too Many Requests: usage limit reached"})
		},
		func(e *events) {
			e.codex("tool_result", attrs{"tool_name", "shell", "success", "false", "output", "exit code 1"})
		},
		func(e *events) {
			e.codex("tool_decision", attrs{"tool_name", "shell", "decision", "denied", "source", "user"})
		},
	}
	return w.codex(troubles[i/20%len(troubles)])
}
