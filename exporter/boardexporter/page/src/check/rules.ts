/** What a place in a dashboard may hold. A rule reports everything the page would not draw. */
export interface Finding {
  /** Where, as panels[3].options.legend.mode */
  path: string;
  message: string;
}

export type Report = (path: string, message: string) => void;
export type Rule = (value: unknown, path: string, report: Report) => void;

export const isRecord = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v);

const shown = (v: unknown): string => {
  const s = JSON.stringify(v) ?? 'undefined';
  return s.length > 60 ? `${s.slice(0, 57)}…` : s;
};

/** Drawn, whatever the value. */
export const drawn: Rule = () => {};

/** Without any effect on a reading page: editors, plugins, Grafana's own bookkeeping. */
export const inert: Rule = () => {};

/** Drawn for these values only. */
export const only = (...values: unknown[]): Rule => (v, path, report) => {
  if (!values.includes(v)) report(path, `${shown(v)} is not drawn; drawn are ${values.map(shown).join(', ')}`);
};

/** A feature that is not drawn and must be off. */
export const off: Rule = (v, path, report) => {
  if (v !== undefined && v !== null && v !== false && v !== '' && !(Array.isArray(v) && v.length === 0) && !(isRecord(v) && Object.keys(v).length === 0)) {
    report(path, `${shown(v)} is not drawn`);
  }
};

export const test = (ok: (v: unknown) => boolean, what: string): Rule => (v, path, report) => {
  if (!ok(v)) report(path, `${shown(v)} ${what}`);
};

export const list = (rule: Rule): Rule => (v, path, report) => {
  if (!Array.isArray(v)) {
    if (v !== null && v !== undefined) report(path, 'a list is wanted');
    return;
  }
  v.forEach((x, i) => rule(x, `${path}[${i}]`, report));
};

/** Any keys, each value under the same rule. */
export const map = (rule: Rule): Rule => (v, path, report) => {
  if (isRecord(v)) for (const [k, x] of Object.entries(v)) rule(x, `${path}.${k}`, report);
};

/** These keys and no others. */
export const object = (keys: Record<string, Rule>): Rule => (v, path, report) => {
  if (v === null || v === undefined) return;
  if (!isRecord(v)) {
    report(path, 'an object is wanted');
    return;
  }
  for (const [k, x] of Object.entries(v)) {
    const rule = keys[k];
    const at = path ? `${path}.${k}` : k;
    if (rule) rule(x, at, report);
    else report(at, 'is not drawn');
  }
};

export const all = (...rules: Rule[]): Rule => (v, path, report) => rules.forEach((r) => r(v, path, report));

export const optional = (rule: Rule): Rule => (v, path, report) => {
  if (v !== undefined && v !== null) rule(v, path, report);
};
