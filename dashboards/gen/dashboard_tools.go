package main

import (
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"

	"github.com/harnesserr/harnesserr/dashboards/contract"
	"github.com/harnesserr/harnesserr/registry"
)

// toolsLoop is about tool calls and about the harness's own loop around them.
func toolsLoop() *dashboard.DashboardBuilder {
	s := fleet()
	tools := s.only(oneOf(contract.LabelOperation, "execute_tool", "mcp"), ne(contract.LabelPeer, ""))
	runs := s.only(oneOf(contract.LabelOperation, "invoke_agent", "invoke_workflow"))
	byCode := "{{" + contract.LabelCode + "}}"
	b := withFleet(page(uidTools, "Tools and loop",
		"Tools that fail, arguments that models get wrong, and runs that hit a limit, a guard or nobody's approval."))

	b = b.WithRow(row(1, "Tools")).
		WithPanel(grid(10, "Tools and MCP servers",
			explain("Calls and the three ratios of each tool or MCP server in the time range.",
				"Task failures: the tool ran and failed, open its code. Transport failures: its server is away or slow. Follow the name to the peer's page."),
			ratioTargets(tools, contract.LabelPeer), "Calls",
			append([]column{peerColumn("service")}, ratioColumns()...)...,
		)).
		WithPanel(bars(11, "Tool failures by code",
			explain("Failures that tools report or that the way to them causes, per interval: execution failed, time-out, not available, permission, sandbox.",
				"Time-outs: compare with the tool's duration. Permission and sandbox: see whether the agent should have tried at all.")).
			Span(12).Height(9).DataLinks(linkList(codeLinks()...)).
			WithTarget(over("A", counted(s.failures().with(match(contract.LabelCode, "tool\\..*")), wInterval, contract.LabelCode), byCode)))

	b = b.WithRow(row(2, "What models get wrong about tools")).
		WithPanel(bars(20, "Wrong calls by code",
			explain("Calls of tools that do not exist or with arguments their schema does not accept: the model's mistake, before any tool ran.",
				"Feed the error back to the model; if one tool stands out, its description or schema is hard to follow.")).
			DataLinks(linkList(codeLinks()...)).
			WithTarget(over("A", counted(s.failures().with(oneOf(contract.LabelCode, registry.OutputUnknownTool, registry.OutputInvalidToolArguments)), wInterval, contract.LabelCode), byCode))).
		WithPanel(ranking(21, "Tools called wrongly",
			explain("The same by tool or MCP server over the time range.",
				"Shorten the list of tools, name them apart, give examples in the descriptions.")).
			WithTarget(now("A", "sort_desc("+counted(s.failures().with(oneOf(contract.LabelCode, registry.OutputUnknownTool, registry.OutputInvalidToolArguments), ne(contract.LabelPeer, "")), wRange, contract.LabelPeer)+" > 0)", "{{"+contract.LabelPeer+"}}"))).
		WithPanel(seconds(22, "Tool duration, 95th percentile",
			explain("95 % of the calls of a tool are faster than this, per interval; an estimate between bucket bounds.",
				"Set a tool's time-out above this line, and below the run's own limit.")).
			WithTarget(over("A", quantile(0.95, tools.durations(), wInterval, contract.LabelPeer), "{{"+contract.LabelPeer+"}}").Exemplar(true)))

	b = b.WithRow(row(3, "Loop, context and guards")).
		WithPanel(bars(30, "Runs that hit a limit",
			explain("Runs ended by their own limits: turns, budget, time, repetition; and context that could not be made to fit.",
				"Repetition and turns: the agent makes no progress, read a trace. Budget and time: decide whether the limit or the task is wrong.")).
			DataLinks(linkList(codeLinks()...)).
			WithTarget(over("A", counted(s.failures().with(match(contract.LabelCode, "(loop|context)\\..*")), wInterval, contract.LabelCode), byCode))).
		WithPanel(bars(31, "Stopped by a guard or a person",
			explain("Guardrails, refusals, filters, denied approvals, denied permissions and sandbox violations per interval.",
				"A rise after a prompt or tool change is usually wanted work that is now blocked; a rise without one may be an attack.")).
			DataLinks(linkList(codeLinks()...)).
			WithTarget(over("A", counted(s.failures().with(match(contract.LabelCode, "policy\\..*|tool.permission_denied|tool.sandbox_violation")), wInterval, contract.LabelCode), byCode))).
		WithPanel(ranking(32, "Services whose runs hit a limit",
			explain("Failures of loop and context by service over the time range.",
				"Start with the first: its agent's limits, prompts and compaction.")).
			WithTarget(now("A", "sort_desc("+counted(s.failures().with(match(contract.LabelCode, "(loop|context)\\..*")), wRange, contract.LabelService)+" > 0)", "{{"+contract.LabelService+"}}")))

	b = b.WithRow(row(4, "Runs")).
		WithPanel(grid(40, "Agent runs by service",
			explain("Runs of agents and workflows with the three ratios in the time range. A run that failed for a tool or model below it counts here too: this is who is hurt, the other rows show who is broken.",
				"Take the service with the worst ratio and look which of its peers fails on Agent errors."),
			ratioTargets(runs, contract.LabelService), "Calls",
			append([]column{text(contract.LabelService, titleService)}, ratioColumns()...)...,
		)).
		WithPanel(grid(41, "Waiting for someone",
			explain("Work that was interrupted in the time range because it needs a person, input or credentials, by service and operation. No failure.",
				"Tell the people who have to answer; consider a time limit after which the run is ended."),
			[]*prometheus.DataqueryBuilder{rows("A", counted(s.notFailures().with(eq(contract.LabelClass, contract.ClassInterrupted)), wRange, contract.LabelService, contract.LabelOperation, contract.LabelPeer)+" > 0")},
			"Interrupted",
			text(contract.LabelService, titleService), text(contract.LabelOperation, "Operation"), peerColumn("service"), integer("Value", "Interrupted"),
		).NoValue("Nothing waited in this time range"))
	return b
}
