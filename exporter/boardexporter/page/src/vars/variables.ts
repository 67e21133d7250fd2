import type { VariableModel } from '../model';
import { formatForPromQL, formatValues } from './format';

export const ALL = '$__all';

export interface Option {
  text: string;
  value: string;
}

/** A variable with what it offers and what is chosen. */
export interface Variable {
  model: VariableModel;
  options: Option[];
  /** Chosen values; [ALL] stands for all of them. */
  value: string[];
}

export type Purpose = 'promql' | 'link' | 'text';

const REFERENCE = /\$\{(\w+)(?:\.([\w.[\]"'-]+))?(?::(\w+))?\}|\[\[(\w+)(?::(\w+))?\]\]|\$(\w+)/g;

/** Names of the variables that a text refers to. */
export function referencedNames(s: string): { name: string; format?: string }[] {
  return [...s.matchAll(REFERENCE)].map((m) => ({ name: (m[1] ?? m[4] ?? m[6])!, format: m[3] ?? m[5] }));
}

/** The values behind the choice: what All stands for, unless the variable has a value of its own for it. */
export function effectiveValues(v: Variable): string[] {
  if (!v.value.includes(ALL)) return v.value;
  return v.model.allValue ? [v.model.allValue] : v.options.map((o) => o.value);
}

/** What the choice is called. */
export function valueText(v: Variable): string {
  if (v.value.includes(ALL)) return 'All';
  return v.value.map((x) => v.options.find((o) => o.value === x)?.text ?? x).join(' + ');
}

/** Resolves ${name.path}; undefined leaves the reference as it is. */
export type Scope = (name: string, path: string | undefined) => string | undefined;

function variableText(v: Variable, purpose: Purpose, as: string | undefined): string {
  const all = v.value.includes(ALL);
  if (as === 'text' || (purpose === 'text' && !as)) return valueText(v);
  // An own value for All is written as it is: it is a pattern, not a value.
  if (all && v.model.allValue && as !== 'queryparam' && as !== 'percentencode') return v.model.allValue;
  if (as === 'queryparam') return formatValues(v.value, v.model.name, as);
  const values = effectiveValues(v);
  if (as) return formatValues(values, v.model.name, as);
  if (purpose === 'promql') return formatForPromQL(values, v.model.multi === true || v.model.includeAll === true);
  return formatValues(values, v.model.name, 'glob');
}

/** Fills variables into a text. Unknown names stay as they are. */
export function interpolate(s: string, vars: Variable[], purpose: Purpose, scope?: Scope): string {
  return s.replace(REFERENCE, (all, braced, path, as1, square, as2, bare) => {
    const name = (braced ?? square ?? bare) as string;
    const as = (as1 ?? as2) as string | undefined;
    const special = scope?.(name, path as string | undefined);
    if (special !== undefined) return as && as !== 'raw' && as !== 'text' ? formatValues([special], name, as) : special;
    const v = vars.find((x) => x.model.name === name);
    return v ? variableText(v, purpose, as) : all;
  });
}

/** The query parameters that carry the choice to another dashboard. */
export function urlParams(vars: Variable[]): [string, string][] {
  return vars
    .filter((v) => v.model.type !== 'constant')
    .flatMap((v) => v.value.map((x): [string, string] => [`var-${v.model.name}`, x]));
}

const byNumber = (s: string): number => Number(/-?\d+(?:\.\d+)?/.exec(s)?.[0] ?? Infinity);

export function sortOptions(options: Option[], sort: number | undefined): Option[] {
  const out = [...options];
  const dir = sort && sort % 2 === 0 ? -1 : 1;
  if (sort === 1 || sort === 2) out.sort((a, b) => dir * (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  if (sort === 3 || sort === 4) out.sort((a, b) => dir * (byNumber(a.text) - byNumber(b.text)));
  if (sort === 5 || sort === 6) out.sort((a, b) => dir * a.text.toLowerCase().localeCompare(b.text.toLowerCase()));
  return out;
}

/** Values kept by the variable's regex: a group named value or text, else the first group, else all of it. */
export function filterOptions(values: string[], regex: string | undefined): Option[] {
  const out = new Map<string, Option>();
  const m = regex ? /^\/(.*)\/([imsu]*)g?$/s.exec(regex) : null;
  const re = regex ? (m ? new RegExp(m[1]!, m[2]) : new RegExp(`^${regex}$`)) : null;
  for (const v of values) {
    const hit = re ? re.exec(v) : [v];
    if (!hit) continue;
    const groups = (hit as RegExpExecArray).groups;
    const value = groups?.value ?? groups?.text ?? hit[1] ?? v;
    if (!out.has(value)) out.set(value, { value, text: groups?.text ?? value });
  }
  return [...out.values()];
}

/** The values of a custom variable: "a, b : bee, c\, d". */
export function customOptions(query: string): Option[] {
  return (query.match(/(?:\\,|[^,])+/g) ?? []).map((part) => {
    const text = part.replace(/\\,/g, ',').trim();
    const pair = /^(.+?)\s:\s(.+)$/.exec(text);
    return pair ? { text: pair[1]!.trim(), value: pair[2]!.trim() } : { text, value: text };
  });
}
