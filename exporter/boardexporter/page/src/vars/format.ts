/** The ways a variable's values are written into a text, by the name behind its colon: ${var:csv}. */

type Formatter = (values: string[], name: string) => string;

export const escapeRegex = (s: string): string => s.replace(/[\\^$*+?.()|[\]{}/]/g, '\\$&');

/** Inside a PromQL string literal a backslash is itself written twice. */
const promEscape = (s: string): string => s.replace(/\\/g, '\\\\').replace(/"/g, '\\"');
const promRegexEscape = (s: string): string => promEscape(s.replace(/[\\^$*+?.()|[\]{}]/g, '\\$&'));

const percent = (s: string): string => encodeURIComponent(s).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

const FORMATS: Record<string, Formatter> = {
  raw: (v) => v.join(','),
  csv: (v) => v.join(','),
  pipe: (v) => v.join('|'),
  glob: (v) => (v.length === 1 ? v[0]! : `{${v.join(',')}}`),
  regex: (v) => (v.length === 1 ? escapeRegex(v[0]!) : `(${v.map(escapeRegex).join('|')})`),
  json: (v) => JSON.stringify(v.length === 1 ? v[0] : v),
  singlequote: (v) => v.map((x) => `'${x.replace(/'/g, "\\'")}'`).join(','),
  doublequote: (v) => v.map((x) => `"${x.replace(/"/g, '\\"')}"`).join(','),
  percentencode: (v) => percent(v.length === 1 ? v[0]! : `{${v.join(',')}}`),
  queryparam: (v, name) => v.map((x) => `var-${percent(name)}=${percent(x)}`).join('&'),
  text: (v) => v.join(' + '),
};

export function knowsFormat(name: string): boolean {
  return name in FORMATS;
}

export function formatValues(values: string[], name: string, as: string): string {
  const f = FORMATS[as];
  if (!f) throw new Error(`unknown variable format "${as}"`);
  return f(values, name);
}

/**
 * A variable inside PromQL without a format: variables that may hold several values stand
 * in regular expressions, the others in plain strings.
 */
export function formatForPromQL(values: string[], several: boolean): string {
  if (!several) return promEscape(values[0] ?? '');
  return values.length === 1 ? promRegexEscape(values[0]!) : `(${values.map(promRegexEscape).join('|')})`;
}
