import { COLOR_MODES, knowsColor } from '../field/color';
import { MATCHERS } from '../field/overrides';
import { knowsUnit } from '../field/units';
import { all, drawn, inert, isRecord, list, map, object, off, only, optional, test, type Rule } from './rules';

/** Rules for field settings: defaults, overrides and what each panel type adds under "custom". */

const color = test((v) => typeof v === 'string' && knowsColor(v), 'is no colour the page knows');
const number = test((v) => v === null || typeof v === 'number', 'is no number');

/** Leftovers of a record that Grafana's schema shares with dashboard links. */
const linkLeftovers = { type: inert, icon: inert, tooltip: inert, tags: off, asDropdown: off, includeVars: off, keepTime: off, placement: inert };
export const dataLinks = list(object({ title: drawn, url: drawn, targetBlank: drawn, oneClick: off, internal: off, ...linkLeftovers }));

const fieldColor = object({ mode: only(...COLOR_MODES), fixedColor: color, seriesBy: only('last') });
const thresholds = object({ mode: only('absolute', 'percentage'), steps: list(object({ value: number, color })) });
const result = object({ text: drawn, color: optional(color), index: inert, icon: off });

const mappings: Rule = list((v, path, report) => {
  const options: Record<string, Rule> = {
    value: map(result),
    range: object({ from: number, to: number, result }),
    regex: object({ pattern: drawn, result }),
    special: object({ match: only('null', 'nan', 'null+nan', 'empty', 'true', 'false'), result }),
  };
  const type = isRecord(v) ? String(v.type) : '';
  if (!options[type]) report(`${path}.type`, `"${type}" is not drawn; drawn are ${Object.keys(options).join(', ')}`);
  else object({ type: drawn, options: options[type] })(v, path, report);
});

const hideFrom = object({ legend: drawn, tooltip: drawn, viz: drawn });

const CUSTOM: Record<string, Record<string, Rule>> = {
  timeseries: {
    drawStyle: only('line', 'bars', 'points'),
    lineInterpolation: only('linear', 'smooth', 'stepBefore', 'stepAfter'),
    lineWidth: number,
    lineStyle: object({ fill: only('solid', 'dash', 'dot'), dash: drawn }),
    fillOpacity: number,
    gradientMode: only('none', 'opacity'),
    showPoints: only('auto', 'always', 'never'),
    pointSize: number,
    spanNulls: only(true, false),
    stacking: object({ mode: only('none', 'normal', 'percent'), group: only('A') }),
    thresholdsStyle: object({ mode: only('off', 'line', 'dashed', 'area', 'line+area', 'dashed+area') }),
    axisLabel: drawn,
    axisPlacement: only('auto', 'left', 'right', 'hidden'),
    axisSoftMin: number,
    axisSoftMax: number,
    axisColorMode: only('text'),
    axisBorderShow: off,
    axisCenteredZero: off,
    axisGridShow: only(true),
    scaleDistribution: object({ type: only('linear') }),
    barAlignment: only(-1, 0, 1),
    barWidthFactor: number,
    insertNulls: off,
    hideFrom,
  },
  'state-timeline': { lineWidth: number, fillOpacity: number, spanNulls: off, insertNulls: off, hideFrom: object({ legend: off, tooltip: off, viz: off }) },
  table: {
    align: only('auto', 'left', 'center', 'right'),
    width: number,
    minWidth: number,
    hidden: drawn,
    inspect: off,
    filterable: off,
    cellOptions: object({ type: only('auto', 'color-text', 'color-background'), mode: only('basic'), applyToRow: off, wrapText: off }),
  },
  stat: {},
  bargauge: {},
  text: {},
};

export function fieldRules(type: string): Record<string, Rule> {
  return {
    unit: test((v) => typeof v === 'string' && knowsUnit(v), 'is no unit the page can write'),
    decimals: number,
    min: number,
    max: number,
    displayName: drawn,
    noValue: drawn,
    color: fieldColor,
    thresholds,
    mappings,
    links: dataLinks,
    custom: object(CUSTOM[type] ?? {}),
    description: inert,
    filterable: off,
    fieldMinMax: off,
    nullValueMode: off,
  };
}

const matcher: Rule = (v, path, report) => {
  const options: Record<string, Rule> = {
    byName: drawn,
    byRegexp: drawn,
    byFrameRefID: drawn,
    byType: only('number', 'string', 'time'),
    byNames: object({ mode: only('include', 'exclude'), names: drawn, prefix: inert, readOnly: inert }),
  };
  const id = isRecord(v) ? String(v.id) : '';
  if (!MATCHERS.includes(id)) report(`${path}.id`, `"${id}" is not drawn; drawn are ${MATCHERS.join(', ')}`);
  else object({ id: drawn, options: options[id]!, scope: only('series') })(v, path, report);
};

/** An override sets "unit" or, below custom, "custom.align". */
function property(type: string): Rule {
  const rules = fieldRules(type);
  const custom = CUSTOM[type] ?? {};
  return (v, path, report) => {
    const id = isRecord(v) ? String(v.id) : '';
    const rule = id.startsWith('custom.') ? custom[id.slice(7)] : rules[id];
    if (!rule) report(`${path}.id`, `property "${id}" is not drawn`);
    else object({ id: drawn, value: rule })(v, path, report);
  };
}

export function fieldConfig(type: string): Rule {
  return object({
    defaults: object(fieldRules(type)),
    overrides: list(all(object({ matcher, properties: list(property(type)), __systemRef: inert }))),
  });
}
