import type { RawRange } from './time/range';

/** The page's address is its whole state: ?dashboard=UID&from=…&to=…&refresh=…&var-NAME=…&viewPanel=ID&runbook=PATH. */
export interface Route {
  dashboard: string | undefined;
  range: RawRange | undefined;
  /** "" is off, undefined is what the dashboard says. */
  refresh: string | undefined;
  viewPanel: number | undefined;
  /** Path of a runbook to show. */
  runbook: string | undefined;
  vars: Map<string, string[]>;
}

export function parseRoute(search: string): Route {
  const p = new URLSearchParams(search);
  const vars = new Map<string, string[]>();
  for (const key of new Set(p.keys())) if (key.startsWith('var-')) vars.set(key.slice(4), p.getAll(key));
  const [from, to] = [p.get('from'), p.get('to')];
  return {
    dashboard: p.get('dashboard') ?? undefined,
    range: from && to ? { from, to } : undefined,
    refresh: p.get('refresh') ?? undefined,
    viewPanel: p.has('viewPanel') ? Number(p.get('viewPanel')) : undefined,
    runbook: p.get('runbook') ?? undefined,
    vars,
  };
}

export function formatRoute(r: Route): string {
  const p = new URLSearchParams();
  if (r.dashboard) p.set('dashboard', r.dashboard);
  if (r.range) {
    p.set('from', r.range.from);
    p.set('to', r.range.to);
  }
  if (r.refresh !== undefined) p.set('refresh', r.refresh);
  for (const [name, values] of r.vars) for (const v of values) p.append(`var-${name}`, v);
  if (r.viewPanel !== undefined) p.set('viewPanel', String(r.viewPanel));
  if (r.runbook !== undefined) p.set('runbook', r.runbook);
  return `?${p}`;
}

/** Where dashboards and alerts find the runbooks; the board serves the same files by itself. */
export const RUNBOOK_BASE = 'https://github.com/harnesserr/harnesserr/blob/main/dashboards/runbooks/';

export function runbookHref(path: string): string {
  return `?${new URLSearchParams({ runbook: path })}`;
}

/** Grafana's address of a dashboard, /d/UID/name?query, or that of a runbook as an address of this page; undefined for any other. */
export function hrefInPage(href: string): string | undefined {
  if (href.startsWith(RUNBOOK_BASE)) return runbookHref(href.slice(RUNBOOK_BASE.length));
  const m = /^\/d\/([^/?#]+)(?:\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/.exec(href);
  if (!m) return href.startsWith('?') ? href : undefined;
  const route = parseRoute(m[2] ?? '');
  return formatRoute({ ...route, dashboard: decodeURIComponent(m[1]!) });
}
