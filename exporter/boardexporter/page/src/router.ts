import type { RawRange } from './time/range';

/** The page's address is its whole state: ?dashboard=UID&from=…&to=…&refresh=…&var-NAME=…&viewPanel=ID. */
export interface Route {
  dashboard: string | undefined;
  range: RawRange | undefined;
  /** "" is off, undefined is what the dashboard says. */
  refresh: string | undefined;
  viewPanel: number | undefined;
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
  return `?${p}`;
}

/** Grafana's address of a dashboard, /d/UID/name?query, as an address of this page; undefined for any other. */
export function hrefInPage(href: string): string | undefined {
  const m = /^\/d\/([^/?#]+)(?:\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/.exec(href);
  if (!m) return href.startsWith('?') ? href : undefined;
  const route = parseRoute(m[2] ?? '');
  return formatRoute({ ...route, dashboard: decodeURIComponent(m[1]!) });
}
