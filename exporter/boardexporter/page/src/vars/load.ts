import type { VariableModel } from '../model';
import type { PromClient } from '../data/prom';
import type { TimeRange } from '../time/range';
import { ALL, customOptions, filterOptions, interpolate, referencedNames, sortOptions, type Option, type Variable } from './variables';

/** What the page offers for a data source variable: its own store, and trace stores by the name examples give them. */
function dataSources(type: string): Option[] {
  return type === 'prometheus' ? [{ text: 'This board', value: 'board' }] : [{ text: type, value: type }];
}

export function queryText(m: VariableModel): string {
  return typeof m.query === 'string' ? m.query : (m.query?.query ?? '');
}

export type VariableQuery = { kind: 'values'; match?: string; label: string } | { kind: 'names' } | { kind: 'result'; expr: string };

/** The queries Grafana's Prometheus source understands; undefined for any other. */
export function parseVariableQuery(q: string): VariableQuery | undefined {
  const values = /^label_values\((?:(.+),\s*)?([\w.]+)\s*\)\s*$/s.exec(q.trim());
  if (values) return { kind: 'values', match: values[1]?.trim(), label: values[2]! };
  if (/^label_names\(\s*\)$/.test(q.trim())) return { kind: 'names' };
  const result = /^query_result\((.+)\)\s*$/s.exec(q.trim());
  return result ? { kind: 'result', expr: result[1]! } : undefined;
}

async function queryOptions(m: VariableModel, q: string, prom: PromClient, range: TimeRange, signal: AbortSignal): Promise<Option[]> {
  const parsed = parseVariableQuery(q);
  if (!parsed) throw new Error(`variable ${m.name}: unknown query "${q}"`);
  let found: string[];
  if (parsed.kind === 'names') found = await prom.labelNames(range, signal);
  else if (parsed.kind === 'values') found = await prom.labelValues(parsed.label, parsed.match, range, signal);
  else {
    const r = await prom.query(parsed.expr, range.to, signal);
    if (r.resultType !== 'vector') throw new Error(`variable ${m.name}: query_result of a ${r.resultType}`);
    found = r.result.map((s) => {
      const { __name__: name = '', ...labels } = s.metric;
      const inner = Object.entries(labels).map(([k, v]) => `${k}="${v}"`).join(',');
      return `${name}{${inner}} ${s.value[1]} ${s.value[0] * 1000}`;
    });
  }
  return sortOptions(filterOptions(found, m.regex), m.sort);
}

const list = (v: string | string[] | undefined): string[] => (v === undefined || v === '' ? [] : Array.isArray(v) ? v : [v]);

/** The choice that holds after loading: the wanted one as far as it is offered, else a default. */
export function chooseValue(m: VariableModel, options: Option[], wanted: string[] | undefined): string[] {
  const want = wanted?.length ? wanted : list(m.current?.value);
  if (m.includeAll && want.includes(ALL)) return [ALL];
  const offered = (x: string): boolean => options.some((o) => o.value === x);
  // A value from the address is kept even when it has no data now: the reader asked for it.
  const kept = want.filter((x) => offered(x) || (wanted?.includes(x) && m.allowCustomValue !== false && x !== ALL));
  if (kept.length) return m.multi ? kept : [kept[0]!];
  if (m.includeAll) return [ALL];
  return options[0] ? [options[0].value] : [];
}

async function loadOne(m: VariableModel, before: Variable[], wanted: string[] | undefined, prom: PromClient, range: TimeRange, signal: AbortSignal): Promise<Variable> {
  const q = interpolate(queryText(m), before, 'promql');
  switch (m.type) {
    case 'textbox':
      return { model: m, options: [], value: [wanted?.[0] ?? list(m.current?.value)[0] ?? queryText(m)] };
    case 'constant':
      return { model: m, options: [], value: [queryText(m)] };
    case 'custom':
    case 'interval': {
      const options = customOptions(q);
      return { model: m, options, value: chooseValue(m, options, wanted) };
    }
    case 'datasource': {
      const options = dataSources(queryText(m));
      return { model: m, options, value: wanted?.length ? wanted : [options[0]!.value] };
    }
    case 'query': {
      const options = await queryOptions(m, q, prom, range, signal);
      return { model: m, options, value: chooseValue(m, options, wanted) };
    }
    default:
      throw new Error(`unknown variable type "${(m as VariableModel).type}"`);
  }
}

/** Variables in an order in which each comes after those its query refers to. */
export function inOrder(models: VariableModel[]): VariableModel[] {
  const out: VariableModel[] = [];
  const visit = (m: VariableModel, path: string[]): void => {
    if (out.includes(m)) return;
    if (path.includes(m.name)) throw new Error(`variables depend on each other: ${[...path, m.name].join(' > ')}`);
    for (const { name } of referencedNames(queryText(m))) {
      const dep = models.find((x) => x.name === name);
      if (dep && dep !== m) visit(dep, [...path, m.name]);
    }
    out.push(m);
  };
  models.forEach((m) => visit(m, []));
  return out;
}

/**
 * Loads variables one after the other, since queries of later ones use values of earlier
 * ones. The result is in the order of the dashboard. A variable whose query fails offers
 * nothing and carries the error.
 */
export async function loadVariables(
  models: VariableModel[],
  wanted: (name: string) => string[] | undefined,
  prom: PromClient,
  range: TimeRange,
  signal: AbortSignal,
): Promise<{ vars: Variable[]; errors: Error[] }> {
  const loaded: Variable[] = [];
  const errors: Error[] = [];
  for (const m of inOrder(models)) {
    try {
      loaded.push(await loadOne(m, loaded, wanted(m.name), prom, range, signal));
    } catch (e) {
      signal.throwIfAborted();
      errors.push(e as Error);
      loaded.push({ model: m, options: [], value: wanted(m.name) ?? list(m.current?.value) });
    }
  }
  return { vars: models.map((m) => loaded.find((v) => v.model === m)!), errors };
}
