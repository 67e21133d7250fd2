import uPlot from 'uplot';
import type { CustomConfig } from '../model';
import { traceId, type Exemplar } from '../data/exemplars';
import { displayName, timeField, type Cell, type Field, type Frame } from '../data/frame';
import { joinByField } from '../data/join';
import { reduceField } from '../data/reduce';
import { resolveColor, seriesColor, thresholdValue, withAlpha } from '../field/color';
import { show, shownText } from '../field/display';
import { resolveLinks } from '../field/links';
import { formatText } from '../field/units';
import { formatTime } from '../time/range';
import { h } from '../ui/dom';
import { linkMenu } from '../ui/linklist';
import { showPopover } from '../ui/popover';
import { chartTheme, timeAxis, valueAxis } from './axes';
import { chart } from './chart';
import { option, remembered, type PanelContext, type PanelRenderer } from './context';
import { drawExemplars, exemplarAt, exemplarCard } from './exemplarmarks';
import { legend } from './legend';
import { barPaths, linePaths, stack } from './paths';
import { hideTooltip, showTooltip, type TooltipRow } from './tooltip';

interface Series {
  frame: Frame;
  field: Field;
  color: string;
  values: (number | null)[];
}

const custom = (f: Field): CustomConfig => f.config.custom ?? {};
const finite = (v: Cell): number | null => (typeof v === 'number' && Number.isFinite(v) ? v : null);

function collect(c: PanelContext): { x: number[]; series: Series[] } {
  const [wide] = joinByField(c.frames, undefined, false);
  const frame = c.frames.length > 1 ? wide : c.frames[0];
  const x = ((frame && timeField(frame)?.values) ?? []) as number[];
  const own = c.frames.flatMap((fr) => fr.fields.filter((f) => f.type === 'number').map((field) => ({ fr, field })));
  const columns = (frame?.fields ?? []).filter((f) => f.type === 'number');
  const series = own.map(({ fr, field }, i) => ({
    frame: fr,
    field,
    color: seriesColor(field.config, i, displayName(field), reduceField(field, 'lastNotNull'), c.theme),
    values: (columns[i]?.values ?? []).map(finite),
  }));
  return { x, series: series.filter((s) => !custom(s.field).hideFrom?.viz) };
}

/** The highest threshold that is drawn as a line. */
function topThreshold(f: Field): number {
  const mode = custom(f).thresholdsStyle?.mode ?? 'off';
  return mode.includes('line') || mode.includes('dashed') ? Math.max(0, ...(f.config.thresholds?.steps ?? []).map((s) => s.value ?? 0)) : 0;
}

/** Lower and upper end of the value axis: a tenth of room around the values, zero as a floor unless they go below it. */
export function valueRange(f: Field, low: number | null, high: number | null): [number, number] {
  const { min, max } = f.config;
  const { axisSoftMin = Infinity, axisSoftMax = -Infinity, drawStyle } = custom(f);
  let lo = Math.min(low ?? 0, axisSoftMin);
  let hi = Math.max(high ?? 0, axisSoftMax);
  // A flat line at zero says most beside the lines it stays below.
  if (lo === 0 && hi === 0) return [min ?? 0, max ?? ((topThreshold(f) * 1.2 || 1))];
  const room = (hi - lo || Math.abs(hi)) * 0.1;
  if (hi !== axisSoftMax) hi = hi <= 0 ? Math.min(0, hi + room) : hi + room;
  if (lo !== axisSoftMin) lo = lo >= 0 ? Math.max(0, lo - room) : lo - room;
  if (drawStyle === 'bars') [lo, hi] = [Math.min(0, lo), Math.max(0, hi)];
  return [min ?? lo, max ?? hi];
}

function drawThresholds(u: uPlot, f: Field, c: PanelContext): void {
  const mode = custom(f).thresholdsStyle?.mode ?? 'off';
  if (mode === 'off') return;
  const { ctx, bbox } = u;
  const { min = 0, max = 1 } = u.scales.y!;
  const steps = f.config.thresholds?.steps ?? [];
  const at = (v: number): number => u.valToPos(thresholdValue(v, f.config, { min: min!, max: max! }), 'y', true);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  steps.forEach((s, i) => {
    const color = resolveColor(s.color, c.theme);
    if (mode.includes('area')) {
      const bottom = s.value === null ? bbox.top + bbox.height : at(s.value);
      const next = steps[i + 1]?.value;
      ctx.fillStyle = withAlpha(color, 0.1);
      ctx.fillRect(bbox.left, next == null ? bbox.top : at(next), bbox.width, bottom - (next == null ? bbox.top : at(next)));
    }
    if (s.value === null || mode === 'area') return;
    ctx.strokeStyle = withAlpha(color, 0.8);
    ctx.lineWidth = 1.5 * (window.devicePixelRatio || 1);
    ctx.setLineDash(mode.includes('dashed') ? [10, 10] : []);
    ctx.beginPath();
    ctx.moveTo(bbox.left, at(s.value));
    ctx.lineTo(bbox.left + bbox.width, at(s.value));
    ctx.stroke();
  });
  ctx.restore();
}

function uplotSeries(s: Series, base: (number | null)[] | undefined, step: number, points: number): uPlot.Series {
  const cu = custom(s.field);
  const style = cu.drawStyle ?? 'line';
  const width = cu.lineWidth ?? 1;
  const opacity = (cu.fillOpacity ?? 0) / 100;
  const showPoints = cu.showPoints === 'always' || style === 'points' || (cu.showPoints !== 'never' && lonely(s.values));
  const fill = (u: uPlot): CanvasGradient | string => {
    if (cu.gradientMode !== 'opacity') return withAlpha(s.color, opacity);
    const g = u.ctx.createLinearGradient(0, u.bbox.top, 0, u.bbox.top + u.bbox.height);
    g.addColorStop(0, withAlpha(s.color, opacity));
    g.addColorStop(1, withAlpha(s.color, 0));
    return g;
  };
  return {
    label: displayName(s.field),
    scale: 'y',
    stroke: s.color,
    width: style === 'points' ? 0 : width,
    dash: cu.lineStyle?.fill === 'dash' ? (cu.lineStyle.dash ?? [10, 10]) : cu.lineStyle?.fill === 'dot' ? [0, 5] : undefined,
    cap: cu.lineStyle?.fill === 'dot' ? 'round' : undefined,
    fill: opacity > 0 && style !== 'points' ? fill : undefined,
    spanGaps: cu.spanNulls === true,
    points: { show: style !== 'bars' && showPoints && points < 500, size: cu.pointSize ?? 5, fill: s.color },
    paths: style === 'bars' ? barPaths(base, cu, step) : linePaths(cu),
  };
}

/** A line needs two neighbours; without any the values would not be seen. */
function lonely(v: (number | null)[]): boolean {
  return v.some((x, i) => x !== null && (v[i - 1] ?? null) === null && (v[i + 1] ?? null) === null);
}

/** The visible series whose line or bar is nearest to a height of the plot. */
function nearest(u: uPlot, index: number, top: number, visible: number[]): number | undefined {
  const y = u.posToVal(top, 'y');
  const dist = (i: number): number => {
    const v = u.data[i + 1]![index];
    return v === null || v === undefined ? Infinity : Math.abs(v - y);
  };
  const best = visible.reduce<number | undefined>((a, i) => (a === undefined || dist(i) < dist(a) ? i : a), undefined);
  return best !== undefined && dist(best) < Infinity ? best : undefined;
}

function rows(c: PanelContext, series: Series[], index: number, focus: number | undefined): TooltipRow[] {
  const mode = option(c, 'tooltip.mode', 'single');
  const order = option(c, 'tooltip.sort', 'none');
  const list = series
    .map((s, i) => ({ s, i, v: s.values[index] ?? null }))
    .filter(({ s, i, v }) => v !== null && !custom(s.field).hideFrom?.tooltip && (mode === 'multi' || i === focus));
  if (order !== 'none') list.sort((a, b) => (a.v! - b.v!) * (order === 'desc' ? -1 : 1));
  return list.map(({ s, i, v }) => {
    const d = show(s.field, v, c.theme, i);
    return { color: s.color, name: displayName(s.field), value: shownText(d), strong: i === focus && series.length > 1 };
  });
}

function pointCard(c: PanelContext, s: Series, x: number, v: number | null): HTMLElement {
  const time = timeField(s.frame)?.values ?? [];
  const row = time.indexOf(x);
  const links = resolveLinks(s.field.config.links, c.links, { frame: s.frame, field: s.field, row });
  return h('div', { class: 'card' },
    h('div', { class: 'tooltip-title' }, formatTime(x)),
    h('div', { class: 'tooltip-row strong' },
      h('i', { class: 'swatch', style: { background: s.color } }), h('span', { class: 'tooltip-name' }, displayName(s.field)),
      h('span', { class: 'tooltip-value' }, shownText(show(s.field, v, c.theme)))),
    links.length > 0 && linkMenu(links, c.settings));
}

/** What a screen reader says instead of the picture. */
function describe(series: Series[], c: PanelContext): string {
  const parts = series.slice(0, 8).map((s) => `${displayName(s.field)} ${shownText(show(s.field, reduceField(s.field, 'lastNotNull'), c.theme))}`);
  const more = series.length > 8 ? `, and ${series.length - 8} more` : '';
  return `${c.title}: chart of ${series.length} series, last values ${parts.join(', ')}${more}. Left and right arrow keys read the points, Enter opens links.`;
}

export const timeseries: PanelRenderer = (box, c) => {
  const { x, series } = collect(c);
  const step = x.length > 1 ? x[1]! - x[0]! : 60_000;
  const hidden = (): Set<string> => remembered(c, 'hidden', () => new Set<string>());
  let clean = (): void => {};

  const draw = (): void => {
    clean();
    const visible = series.map((_, i) => i).filter((i) => !hidden().has(displayName(series[i]!.field)));
    const plotBox = h('div', { class: 'plot', role: 'group', 'aria-label': describe(series, c) });
    const live = h('div', { class: 'sr-only', 'aria-live': 'polite' });
    const items = series.map((s, index) => ({ field: s.field, color: s.color, index })).filter((i) => !custom(i.field).hideFrom?.legend);
    const foot = legend(items, c, hidden(), (next) => {
      c.memory.set('hidden', next);
      draw();
    });
    const beside = option(c, 'legend.placement', 'bottom') === 'right';
    box.replaceChildren(h('div', { class: beside ? 'chart beside' : 'chart' }, plotBox, foot, live));

    const mode = series[0] ? (custom(series[0].field).stacking?.mode ?? 'none') : 'none';
    const shown = visible.map((i) => series[i]!.values);
    const stacked = mode === 'none' ? shown : stack(shown, mode === 'percent');
    const columns = series.map((s, i) => (visible.includes(i) ? stacked[visible.indexOf(i)]! : s.values.map(() => null)));
    const below = (i: number): (number | null)[] | undefined => (mode === 'none' ? undefined : stacked[visible.indexOf(i) - 1]);
    const first = series[0]!.field;
    const t = chartTheme(c.theme);
    const bands = mode === 'none' ? [] : visible.slice(1).map((i, k): uPlot.Band => ({ series: [i + 1, visible[k]! + 1] }))
      .filter((b) => custom(series[b.series[0] - 1]!.field).drawStyle !== 'bars');
    const cu = custom(first);

    const c2 = chart(plotBox, c, {
      data: [x, ...columns] as uPlot.AlignedData,
      options: {
        padding: [8, 18, 0, 0],
        scales: { x: { time: true, range: () => [c.range.from, c.range.to] }, y: { range: (_u, lo, hi) => valueRange(first, lo, hi) } },
        axes: [timeAxis(t), valueAxis(t, {
          scale: 'y', unit: mode === 'percent' ? 'percentunit' : first.config.unit, decimals: first.config.decimals, label: cu.axisLabel,
          right: cu.axisPlacement === 'right', hidden: cu.axisPlacement === 'hidden',
        })],
        series: [{}, ...series.map((s, i) => uplotSeries(s, below(i), step, x.length))],
        bands,
        cursor: { points: { show: (_u, i) => custom(series[i - 1]!.field).drawStyle === 'bars' ? h('i') : (undefined as unknown as HTMLElement) } },
        hooks: { draw: [(u) => drawThresholds(u, first, c), (u) => drawExemplars(u, c)] },
      },
      onPoint: (u, index, at) => {
        const r = u.over.getBoundingClientRect();
        const e = index === null ? undefined : exemplarAt(u, c.exemplars, at);
        if (index === null) {
          hideTooltip();
          return;
        }
        const focus = nearest(u, index, at.top, visible);
        const list = e ? exemplarRows(e, first) : rows(c, series.map((s, i) => (visible.includes(i) ? s : { ...s, values: [] })), index, focus);
        live.textContent = `${formatTime(x[index]!)}: ${list.map((l) => `${l.name} ${l.value}`).join(', ') || 'no value'}`;
        showTooltip({ x: r.left + at.left, y: r.top + at.top }, formatTime(e ? e.time : x[index]!), list, e ? 'Exemplar: click for its trace' : undefined);
      },
      onPick: (u, index, at) => {
        hideTooltip();
        const r = u.over.getBoundingClientRect();
        const e = exemplarAt(u, c.exemplars, { left: at.left - r.left, top: at.top - r.top });
        const focus = nearest(u, index, at.top - r.top, visible);
        if (e) showPopover(plotBox, exemplarCard(e, c), { label: 'Exemplar', at });
        else if (focus !== undefined) showPopover(plotBox, pointCard(c, series[focus]!, x[index]!, series[focus]!.values[index] ?? null), { label: 'Value', at });
      },
    });
    clean = c2.destroy;
  };
  if (series.length) draw();
  return () => {
    clean();
    hideTooltip();
  };
};

function exemplarRows(e: Exemplar, f: Field): TooltipRow[] {
  const id = traceId(e);
  return [
    { color: 'transparent', name: 'value', value: formatText(e.value, f.config.unit) },
    ...(id ? [{ color: 'transparent', name: 'trace', value: id }] : []),
  ];
}
