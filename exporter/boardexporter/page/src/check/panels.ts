import { knowsReducer } from '../data/reduce';
import { knowsTransformation, VALUE_TESTS } from '../data/transform';
import { RENDERERS } from '../panels';
import { parseDuration } from '../time/range';
import { undrawnMarkdown } from '../ui/markdown';
import { dataLinks, fieldConfig } from './fields';
import { drawn, inert, isRecord, list, map, object, off, only, optional, test, type Rule } from './rules';

/** Rules for panels: options by panel type, targets, transformations. */

const calc = test((v) => typeof v === 'string' && knowsReducer(v), 'is no calculation the page knows');
const calcs = list(calc);
const legend = object({ showLegend: drawn, displayMode: only('list', 'table', 'hidden'), placement: only('bottom', 'right'), calcs, values: off, sortBy: off, sortDesc: inert, width: off, isVisible: inert, asTable: inert });
const hiddenLegend = object({ showLegend: only(false), displayMode: inert, placement: inert, calcs: off });
const tooltip = object({ mode: only('single', 'multi', 'none'), sort: only('none', 'asc', 'desc'), maxHeight: inert, maxWidth: inert, hideZeros: off });
const reduceOptions = object({ calcs, fields: only(''), values: only(false), limit: inert });
const duration = test((v) => {
  try {
    parseDuration(String(v).replace(/^>/, ''));
    return true;
  } catch {
    return false;
  }
}, 'is no duration');

const OPTIONS: Record<string, Record<string, Rule>> = {
  timeseries: { legend, tooltip, timezone: off, orientation: only('', 'horizontal'), annotations: inert },
  stat: {
    colorMode: only('value', 'none', 'background', 'background_solid'), graphMode: only('none', 'area'), justifyMode: only('auto', 'center'),
    textMode: only('auto', 'value', 'name', 'value_and_name', 'none'), orientation: only('', 'auto', 'horizontal', 'vertical'), reduceOptions,
    showPercentChange: only(false), percentChangeColorMode: inert, wideLayout: only(true), text: off,
  },
  bargauge: {
    displayMode: only('basic', 'gradient'), orientation: only('horizontal'), reduceOptions, showUnfilled: drawn, valueMode: only('color', 'text', 'hidden'),
    namePlacement: only('auto', 'left'), legend: hiddenLegend, sizing: only('auto'), minVizWidth: inert, minVizHeight: inert, maxVizHeight: inert, text: off,
  },
  table: {
    showHeader: drawn, cellHeight: only('sm', 'md', 'lg'), frameIndex: drawn, showTypeIcons: only(false), enablePagination: off, frozenColumns: off,
    sortBy: list(object({ displayName: drawn, desc: drawn })), footer: object({ show: drawn, reducer: calcs, fields: drawn, countRows: drawn, enablePagination: off }),
  },
  'state-timeline': {
    legend: object({ showLegend: drawn, displayMode: only('list'), placement: only('bottom'), calcs: off }), tooltip, showValue: only('auto', 'always', 'never'),
    rowHeight: drawn, mergeValues: drawn, alignValue: only('left'), perPage: inert, timezone: off,
  },
  text: { mode: only('markdown'), content: test((v) => undrawnMarkdown(String(v)) === undefined, 'holds Markdown that is not drawn'), code: inert },
};

const sort = list(object({ field: drawn, desc: drawn }));
const filterConfig = object({ id: only(...VALUE_TESTS), options: drawn });
const TRANSFORMATION: Record<string, Rule> = {
  organize: object({ excludeByName: map(drawn), includeByName: map(drawn), indexByName: map(drawn), renameByName: map(drawn), orderByMode: only('manual'), orderBy: off }),
  sortBy: object({ sort, fields: off }),
  filterByValue: object({ type: only('include', 'exclude'), match: only('any', 'all'), filters: list(object({ fieldName: drawn, config: filterConfig })) }),
  labelsToFields: object({ mode: only('columns', 'rows'), keepLabels: drawn, valueLabel: drawn }),
  joinByField: object({ byField: drawn, mode: only('outer', 'inner') }),
  merge: object({}),
  limit: object({ limitField: drawn }),
};

const transformation: Rule = (v, path, report) => {
  const id = isRecord(v) ? String(v.id) : '';
  if (!knowsTransformation(id)) report(`${path}.id`, `transformation "${id}" is not drawn; drawn are ${Object.keys(TRANSFORMATION).join(', ')}`);
  else object({ id: drawn, disabled: drawn, options: TRANSFORMATION[id]!, filter: off, topic: off })(v, path, report);
};

const target = (panel: string): Rule =>
  object({
    refId: drawn, expr: drawn, hide: drawn, instant: drawn, range: drawn, exemplar: drawn, legendFormat: drawn,
    format: panel === 'table' ? only('table', 'time_series') : only('time_series', ''),
    interval: off, intervalFactor: only(1), step: off, editorMode: inert, datasource: inert, queryType: inert, useBackend: inert, fullMetaSearch: inert,
    includeNullMetadata: inert, disableTextWrap: inert, key: inert, requestId: inert,
  });

/** An instant and a range query at once would be two answers. */
const oneAnswer: Rule = (v, path, report) => {
  if (isRecord(v) && v.instant === true && v.range === true) report(path, 'instant and range at once are not drawn');
};

const position: Rule = (v, path, report) => {
  if (!isRecord(v) || !['x', 'y', 'w', 'h'].every((k) => typeof v[k] === 'number')) report(path, 'a position with x, y, w and h is wanted');
  else if (Number(v.x) + Number(v.w) > 24) report(path, 'is wider than the 24 columns');
};

export const panel: Rule = (v, path, report) => {
  const type = isRecord(v) ? String(v.type) : '';
  if (type !== 'row' && !RENDERERS[type]) {
    report(`${path}.type`, `panel type "${type}" is not drawn; drawn are row, ${Object.keys(RENDERERS).join(', ')}`);
    return;
  }
  const common: Record<string, Rule> = { id: test((x) => typeof x === 'number', 'a number is wanted'), type: drawn, title: drawn, gridPos: position, datasource: inert, repeat: off, repeatDirection: inert, repeatPanelId: off, maxPerRow: inert };
  const rules: Record<string, Rule> = type === 'row'
    ? { ...common, collapsed: drawn, panels: list(panel), targets: off }
    : {
      ...common, description: drawn, transparent: drawn, interval: optional(duration), maxDataPoints: drawn, pluginVersion: inert, links: dataLinks,
      targets: list((t, p, r) => {
        target(type)(t, p, r);
        oneAnswer(t, p, r);
      }),
      transformations: list(transformation), options: object(OPTIONS[type]!), fieldConfig: fieldConfig(type),
      timeFrom: off, timeShift: off, hideTimeOverride: inert, libraryPanel: off, cacheTimeout: inert, queryCachingTTL: inert, alert: off,
    };
  object(rules)(v, path, report);
  if (isRecord(v) && typeof v.description === 'string') {
    const bad = undrawnMarkdown(v.description);
    if (bad) report(`${path}.description`, `Markdown ${bad} is not drawn`);
  }
};
