import type { Panel, Target } from '../model';
import type { Resolution } from './interval';
import type { Field, Frame } from './frame';
import type { Labels, PromClient, QueryResult } from './prom';

/** What Prometheus writes for numbers that JSON lacks. */
export function parseValue(s: string): number {
  if (s === '+Inf' || s === 'Inf') return Infinity;
  return s === '-Inf' ? -Infinity : Number(s);
}

/** legendFormat with {{label}} filled in. */
export function fillLegend(format: string, labels: Labels): string {
  return format.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (_, name: string) => labels[name] ?? '');
}

function metricText(labels: Labels): string {
  const { __name__: name = '', ...rest } = labels;
  const inner = Object.entries(rest).map(([k, v]) => `${k}="${v}"`).join(', ');
  return inner ? `${name}{${inner}}` : name || 'Value';
}

/** The labels in which series differ, for targets that leave the legend to us. */
function autoLegend(all: Labels[], own: Labels): string {
  const names = Object.keys(own).filter((k) => k !== '__name__' && all.some((l) => l[k] !== own[k]));
  if (names.length === 1) return own[names[0]!]!;
  if (names.length === 0) return metricText(own);
  return names.map((k) => `${k}="${own[k]}"`).join(', ');
}

export function seriesName(t: Target, all: Labels[], own: Labels): string {
  if (!t.legendFormat) return Object.keys(own).length ? metricText(own) : t.expr;
  if (t.legendFormat === '__auto') return Object.keys(own).length ? autoLegend(all, own) : t.expr;
  return fillLegend(t.legendFormat, own);
}

type Series = { metric: Labels; points: [number, number | null][] };

function toSeries(r: QueryResult): Series[] {
  const point = ([t, v]: [number, string]): [number, number | null] => [t * 1000, parseValue(v)];
  switch (r.resultType) {
    case 'matrix':
      return r.result.map((s) => ({ metric: s.metric, points: s.values.map(point) }));
    case 'vector':
      return r.result.map((s) => ({ metric: s.metric, points: [point(s.value)] }));
    case 'scalar':
      return [{ metric: {}, points: [point(r.result)] }];
    default:
      throw new Error(`a ${r.resultType} can't be drawn`);
  }
}

/** Fills the steps without a sample with null, so that gaps stay gaps. */
function onGrid(points: [number, number | null][], r: Resolution): [number, number | null][] {
  const at = new Map(points);
  const out: [number, number | null][] = [];
  for (let t = r.from; t <= r.to; t += r.step) out.push([t, at.get(t) ?? null]);
  return out;
}

/** NaN is "no value" to every panel. */
const noNaN = (v: number | null): number | null => (v !== null && Number.isNaN(v) ? null : v);

export function timeSeriesFrames(t: Target, result: QueryResult, r?: Resolution): Frame[] {
  const all = toSeries(result);
  const metrics = all.map((s) => s.metric);
  return all.map((s) => {
    const points = r && result.resultType === 'matrix' ? onGrid(s.points, r) : s.points;
    return {
      refId: t.refId,
      fields: [
        { name: 'Time', type: 'time', values: points.map((p) => p[0]), config: {} },
        {
          name: 'Value',
          type: 'number',
          labels: s.metric,
          values: points.map((p) => noNaN(p[1])),
          config: { displayNameFromSource: seriesName(t, metrics, s.metric) },
        },
      ],
    };
  });
}

/** One frame with a column for every label; the value is "Value", or "Value #A" beside other targets. */
export function tableFrame(t: Target, result: QueryResult, alone: boolean): Frame[] {
  const all = toSeries(result);
  if (all.length === 0) return [];
  const names = [...new Set(all.flatMap((s) => Object.keys(s.metric)))].sort();
  const rows = all.flatMap((s) => s.points.map(([time, v]) => ({ metric: s.metric, time, v })));
  const fields: Field[] = [
    { name: 'Time', type: 'time', values: rows.map((x) => x.time), config: {} },
    ...names.map((n): Field => ({ name: n, type: 'string', values: rows.map((x) => x.metric[n] ?? ''), config: {} })),
    { name: alone ? 'Value' : `Value #${t.refId}`, type: 'number', values: rows.map((x) => noNaN(x.v)), config: {} },
  ];
  return [{ refId: t.refId, fields }];
}

/** Asks every visible target of a panel; frames come in the order of the targets. */
export async function queryPanel(
  panel: Panel,
  prom: PromClient,
  r: Resolution,
  now: number,
  fill: (s: string) => string,
  signal: AbortSignal,
): Promise<Frame[]> {
  const targets = (panel.targets ?? []).filter((t) => !t.hide);
  const parts = await Promise.all(
    targets.map(async (t): Promise<Frame[]> => {
      const expr = fill(t.expr);
      const instant = t.instant === true && t.range !== true;
      const result = instant ? await prom.query(expr, now, signal) : await prom.queryRange(expr, r, signal);
      const named = { ...t, expr, legendFormat: t.legendFormat && fill(t.legendFormat) };
      return t.format === 'table' ? tableFrame(named, result, targets.length === 1) : timeSeriesFrames(named, result, instant ? undefined : r);
    }),
  );
  return parts.flat();
}
