import type uPlot from 'uplot';
import { displayName, timeField, type Cell, type Field } from '../data/frame';
import { withAlpha, textOn } from '../field/color';
import { show, shownText } from '../field/display';
import { formatTime } from '../time/range';
import { h } from '../ui/dom';
import { showPopover } from '../ui/popover';
import { chartTheme, namesAxis, textWidth, timeAxis } from './axes';
import { chart } from './chart';
import { option, type PanelContext, type PanelRenderer } from './context';
import { hideTooltip, showTooltip } from './tooltip';

export interface Segment {
  from: number;
  to: number;
  text: string;
  color: string;
}

/** Stretches of one state. A sample holds until the next one; the last for one step. */
export function segments(times: number[], values: Cell[], state: (v: Cell) => { text: string; color: string } | undefined, step: number, mergeEqual: boolean): Segment[] {
  const out: Segment[] = [];
  times.forEach((t, i) => {
    const s = state(values[i] ?? null);
    if (!s) return;
    const to = times[i + 1] ?? t + step;
    const last = out[out.length - 1];
    if (mergeEqual && last && last.to === t && last.text === s.text && last.color === s.color) last.to = to;
    else out.push({ from: t, to, ...s });
  });
  return out;
}

interface Row {
  name: string;
  field: Field;
  segments: Segment[];
}

function collect(c: PanelContext): { rows: Row[]; times: number[] } {
  const times = (c.frames.map(timeField).find(Boolean)?.values ?? []) as number[];
  const step = times.length > 1 ? times[1]! - times[0]! : 60_000;
  const rows = c.frames.flatMap((fr) => {
    const own = (timeField(fr)?.values ?? []) as number[];
    return fr.fields.filter((f) => f.type !== 'time').map((field, i): Row => {
      const state = (v: Cell): { text: string; color: string } | undefined => {
        if (v === null) return undefined;
        const s = show(field, v, c.theme, i);
        return { text: shownText(s), color: s.color };
      };
      return { name: displayName(field), field, segments: segments(own, field.values, state, step, option(c, 'mergeValues', true)) };
    });
  });
  return { rows, times };
}

function paint(u: uPlot, rows: Row[], c: PanelContext): void {
  const { ctx, bbox } = u;
  const height = bbox.height / rows.length;
  const pad = (height * (1 - option(c, 'rowHeight', 0.9))) / 2;
  const custom = rows[0]!.field.config.custom ?? {};
  const alpha = (custom.fillOpacity ?? 70) / 100;
  const ratio = window.devicePixelRatio || 1;
  const labels = option(c, 'showValue', 'auto') !== 'never';
  const font = `${12 * ratio}px Inter, Arial, sans-serif`;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  rows.forEach((r, i) => {
    const top = bbox.top + i * height + pad;
    for (const s of r.segments) {
      const x0 = u.valToPos(s.from, 'x', true);
      const x1 = u.valToPos(s.to, 'x', true);
      const width = Math.max(ratio, x1 - x0);
      ctx.fillStyle = withAlpha(s.color, alpha);
      ctx.fillRect(x0, top, width, height - 2 * pad);
      if ((custom.lineWidth ?? 0) > 0) {
        ctx.strokeStyle = s.color;
        ctx.lineWidth = custom.lineWidth! * ratio;
        ctx.strokeRect(x0, top, width, height - 2 * pad);
      }
      if (labels && width > textWidth(s.text, font) + 8 * ratio) {
        ctx.fillStyle = alpha > 0.4 ? textOn(s.color) : chartTheme(c.theme).text;
        ctx.font = font;
        ctx.textBaseline = 'middle';
        ctx.fillText(s.text, Math.max(x0, bbox.left) + 4 * ratio, top + (height - 2 * pad) / 2);
      }
    }
  });
  ctx.restore();
}

function stateLegend(rows: Row[], c: PanelContext): HTMLElement | null {
  if (option(c, 'legend.showLegend', true) === false) return null;
  const states = new Map(rows.flatMap((r) => r.segments).map((s) => [s.text, s.color]));
  return h('div', { class: 'legend bottom', role: 'group', 'aria-label': 'Legend' },
    ...[...states].map(([text, color]) => h('span', { class: 'legend-entry' }, h('i', { class: 'swatch', style: { background: color } }), text)));
}

export const stateTimeline: PanelRenderer = (box, c) => {
  const { rows, times } = collect(c);
  const now = rows.map((r) => `${r.name} ${r.segments.at(-1)?.text ?? 'nothing'}`).join(', ');
  const plotBox = h('div', { class: 'plot', role: 'group', 'aria-label': `${c.title}: states over time. Last: ${now}` });
  const live = h('div', { class: 'sr-only', 'aria-live': 'polite' });
  box.append(h('div', { class: 'chart' }, plotBox, stateLegend(rows, c), live));
  const t = chartTheme(c.theme);
  const stateAt = (row: Row, time: number): Segment | undefined => row.segments.find((s) => time >= s.from && time < s.to);
  const rowAt = (u: uPlot, top: number): Row | undefined => rows[Math.floor((top / u.over.clientHeight) * rows.length)];

  const { destroy } = chart(plotBox, c, {
    data: [times, ...rows.map(() => times.map(() => null))] as uPlot.AlignedData,
    options: {
      padding: [4, 18, 0, 0],
      scales: { x: { time: true, range: () => [c.range.from, c.range.to] }, y: { range: () => [0, rows.length] } },
      axes: [{ ...timeAxis(t), grid: { show: false } }, namesAxis(t, rows.map((r) => r.name))],
      series: [{}, ...rows.map((r): uPlot.Series => ({ label: r.name, show: true, points: { show: false } }))],
      cursor: { y: false, points: { show: false } },
      hooks: { draw: [(u) => paint(u, rows, c)] },
    },
    onPoint: (u, index, at) => {
      if (index === null) {
        hideTooltip();
        return;
      }
      const time = u.posToVal(at.left, 'x');
      const single = option(c, 'tooltip.mode', 'single') !== 'multi';
      const list = (single ? [rowAt(u, at.top)].filter((r): r is Row => r !== undefined) : rows).map((r) => ({ r, s: stateAt(r, time) }));
      live.textContent = `${formatTime(time)}: ${rows.map((r) => `${r.name} ${stateAt(r, time)?.text ?? 'nothing'}`).join(', ')}`;
      const box2 = u.over.getBoundingClientRect();
      showTooltip({ x: box2.left + at.left, y: box2.top + at.top }, formatTime(time),
        list.map(({ r, s }) => ({ color: s?.color ?? 'transparent', name: r.name, value: s ? `${s.text}, ${formatTime(s.from)} to ${formatTime(s.to)}` : 'nothing' })));
    },
    onPick: (u, _index, at) => {
      const r = u.over.getBoundingClientRect();
      const row = rowAt(u, at.top - r.top);
      if (!row) return;
      hideTooltip();
      showPopover(plotBox, h('div', { class: 'card' }, h('div', { class: 'tooltip-title' }, row.name),
        h('ul', { class: 'annotations' }, ...row.segments.slice(-20).map((s) => h('li', {}, h('strong', {}, s.text), h('div', { class: 'dim' }, `${formatTime(s.from)} to ${formatTime(s.to)}`))))),
        { label: row.name, at });
    },
  });
  return () => {
    destroy();
    hideTooltip();
  };
};
