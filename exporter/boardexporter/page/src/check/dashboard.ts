import { knowsColor } from '../field/color';
import { LINK_NAMES } from '../field/links';
import { parseDuration, parseTime } from '../time/range';
import { knowsFormat } from '../vars/format';
import { inOrder, parseVariableQuery, queryText } from '../vars/load';
import { referencedNames } from '../vars/variables';
import type { Dashboard, VariableModel } from '../model';
import { panel } from './panels';
import { drawn, inert, isRecord, list, object, off, only, optional, test, type Finding, type Report, type Rule } from './rules';

const succeeds = (f: () => unknown): boolean => {
  try {
    f();
    return true;
  } catch {
    return false;
  }
};
const time = test((v) => succeeds(() => parseTime(String(v), 0, false)), 'is no time');
const refresh = test((v) => v === '' || v === false || succeeds(() => parseDuration(String(v))), 'is no duration');

const query: Rule = (v, path, report) => {
  const text = queryText({ query: v } as VariableModel);
  if (!parseVariableQuery(text)) report(path, `"${text}" is not understood; label_values, label_names and query_result are`);
};

const VARIABLE: Record<string, Record<string, Rule>> = {
  query: { query, regex: test((v) => succeeds(() => new RegExp(String(v).replace(/^\/|\/\w*$/g, ''))), 'is no regular expression'), refresh: drawn, sort: only(0, 1, 2, 3, 4, 5, 6), definition: inert, staticOptions: off },
  custom: { query: drawn, valuesFormat: only('csv') },
  datasource: { query: only('prometheus', 'tempo', 'jaeger'), regex: off, refresh: inert },
  textbox: { query: drawn },
  constant: { query: drawn },
  interval: { query: drawn, auto: only(false), refresh: inert },
};

const variable: Rule = (v, path, report) => {
  const type = isRecord(v) ? String(v.type) : '';
  const own = VARIABLE[type];
  if (!own) {
    report(`${path}.type`, `variable type "${type}" is not drawn; drawn are ${Object.keys(VARIABLE).join(', ')}`);
    return;
  }
  object({
    type: drawn, name: drawn, label: drawn, description: drawn, hide: only(0, 1, 2), multi: drawn, includeAll: drawn, allValue: drawn, allowCustomValue: drawn,
    current: drawn, options: inert, datasource: inert, skipUrlSync: only(false), auto: inert, auto_min: inert, auto_count: inert, id: inert, state: inert,
    ...(type === 'interval' ? {} : { auto: only(false) }), ...own,
  })(v, path, report);
};

const annotation: Rule = (v, path, report) => {
  // Grafana's own annotations live in its database, which a page without it lacks.
  if (isRecord(v) && v.builtIn === 1) return;
  object({
    name: drawn, enable: drawn, hide: drawn, iconColor: test((c) => typeof c === 'string' && knowsColor(c), 'is no colour the page knows'), expr: drawn, step: optional(refresh),
    titleFormat: drawn, textFormat: drawn, tagKeys: drawn, datasource: inert, builtIn: only(0), placement: inert, type: only('', 'tags', 'dashboard'), filter: off, target: inert, useValueForTime: off,
  })(v, path, report);
};

const link: Rule = object({
  type: only('link', 'dashboards'), title: drawn, url: drawn, tags: drawn, asDropdown: drawn, includeVars: drawn, keepTime: drawn, targetBlank: drawn, icon: inert, tooltip: drawn, placement: inert,
});

const dashboard: Rule = object({
  uid: drawn, title: drawn, description: drawn, tags: drawn, graphTooltip: only(0, 1), time: object({ from: time, to: time }), timezone: only('browser', ''), refresh,
  panels: list(panel), templating: object({ list: list(variable) }), annotations: object({ list: list(annotation) }), links: list(link),
  id: inert, version: inert, schemaVersion: test((v) => Number(v) >= 36, 'is an older schema than the page reads'), editable: inert, style: inert, fiscalYearStartMonth: inert, liveNow: inert,
  weekStart: inert, timepicker: inert, preload: inert, gnetId: inert, revision: inert, iteration: inert, snapshot: off, __inputs: off, __requires: inert, __elements: off,
});

const TIME_NAMES = ['__interval', '__interval_ms', '__rate_interval', '__rate_interval_ms', '__range', '__range_s', '__range_ms', '__from', '__to'];

/** Every variable in a text must be one the page can fill in. */
function references(text: string, known: Set<string>, path: string, report: Report): void {
  for (const { name, format } of referencedNames(text)) {
    if (!known.has(name)) report(path, `$${name} is no variable of this dashboard`);
    if (format && !knowsFormat(format)) report(path, `variable format "${format}" is unknown`);
  }
}

/** Walks all texts in which variables are filled in. */
function checkReferences(d: Dashboard, report: Report): void {
  const names = (d.templating?.list ?? []).map((v) => v.name);
  const inQuery = new Set([...names, ...TIME_NAMES]);
  const inLink = new Set([...names, ...LINK_NAMES]);
  const walk = (v: unknown, path: string): void => {
    if (Array.isArray(v)) v.forEach((x, i) => walk(x, `${path}[${i}]`));
    else if (isRecord(v)) {
      for (const [k, x] of Object.entries(v)) {
        const at = path ? `${path}.${k}` : k;
        if (typeof x === 'string' && k === 'expr') references(x, inQuery, at, report);
        else if (typeof x === 'string' && k === 'url') references(x, inLink, at, report);
        else walk(x, at);
      }
    }
  };
  walk(d, '');
  (d.templating?.list ?? []).forEach((v, i) => references(queryText(v), inQuery, `templating.list[${i}].query`, report));
  if (!succeeds(() => inOrder(d.templating?.list ?? []))) report('templating.list', 'variables depend on each other in a circle');
}

/** Everything in a dashboard file that the page would not draw, by its place in the file. */
export function checkDashboard(value: unknown): Finding[] {
  const out: Finding[] = [];
  const report: Report = (path, message) => out.push({ path, message });
  if (!isRecord(value) || typeof value.uid !== 'string' || !Array.isArray(value.panels)) {
    report('', 'is no dashboard of the classic schema (uid and panels are missing)');
    return out;
  }
  dashboard(value, '', report);
  if (out.length === 0) checkReferences(value as unknown as Dashboard, report);
  return out;
}
