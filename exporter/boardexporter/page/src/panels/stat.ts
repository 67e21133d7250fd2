import { displayName, numberFields, timeField, type Cell, type Field, type Frame } from '../data/frame';
import { reduceField } from '../data/reduce';
import { readable, textOn, withAlpha } from '../field/color';
import { show, shownText, type Shown } from '../field/display';
import { resolveLinks } from '../field/links';
import { h, svg, uniqueId } from '../ui/dom';
import { linkAddress } from '../ui/linklist';
import { textWidth } from './axes';
import { option, type PanelContext, type PanelRenderer } from './context';

export interface Reduced {
  frame: Frame;
  field: Field;
  value: number | null;
  shown: Shown;
  index: number;
}

/** Every numeric field reduced to one value, with its text and colour. */
export function reduceAll(c: PanelContext): Reduced[] {
  const calc = option<string[]>(c, 'reduceOptions.calcs', ['lastNotNull'])[0]!;
  return c.frames.flatMap((frame) => numberFields([frame]).map((field) => ({ frame, field }))).map(({ frame, field }, index) => {
    const value = reduceField(field, calc);
    return { frame, field, value, index, shown: show(field, value, c.theme, index) };
  });
}

/** A line of the past values, stretched over the lower part of the box. */
function spark(frame: Frame, values: Cell[], color: string, f: Field): SVGElement | null {
  const time = timeField(frame)?.values as number[] | undefined;
  const points = values.map((v, i) => [time?.[i] ?? i, v] as const).filter((p): p is readonly [number, number] => typeof p[1] === 'number');
  if (points.length < 2) return null;
  const [x0, x1] = [points[0]![0], points[points.length - 1]![0]];
  const lo = f.config.min ?? Math.min(...points.map((p) => p[1]));
  const hi = Math.max(...points.map((p) => p[1]));
  const at = ([t, v]: readonly [number, number]): string =>
    `${(((t - x0) / (x1 - x0)) * 100).toFixed(2)},${(38 - ((v - lo) / (hi - lo || 1)) * 34).toFixed(2)}`;
  const line = points.map(at).join(' ');
  const id = uniqueId('spark');
  return svg('svg', { class: 'spark', viewBox: '0 0 100 40', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('defs', {}, svg('linearGradient', { id, x1: 0, x2: 0, y1: 0, y2: 1 },
      svg('stop', { offset: '0', 'stop-color': color, 'stop-opacity': '0.4' }), svg('stop', { offset: '1', 'stop-color': color, 'stop-opacity': '0.05' }))),
    svg('polygon', { points: `0,40 ${line} 100,40`, fill: `url(#${id})` }),
    svg('polyline', { points: line, fill: 'none', stroke: color, 'stroke-width': '2', 'vector-effect': 'non-scaling-stroke' }));
}

/** Padding of a tile and its share of the gap, in pixels. */
const MARGIN = 22;
const FONT = '500 100px Inter, "Helvetica Neue", Arial, sans-serif';

/** The largest font size in pixels with which the text fits. */
function fontSize(text: string, width: number, height: number, max: number): number {
  const perPixel = textWidth(text, FONT) / 100;
  return Math.max(12, Math.min(max, height, perPixel ? width / perPixel : max));
}

function tile(r: Reduced, c: PanelContext, width: number, height: number, several: boolean): HTMLElement {
  const colorMode = option(c, 'colorMode', 'value');
  const background = colorMode.startsWith('background');
  const textMode = option(c, 'textMode', 'auto');
  const withName = textMode === 'name' || textMode === 'value_and_name' || (textMode === 'auto' && several);
  const withValue = textMode !== 'name' && textMode !== 'none';
  const text = shownText(r.shown) || 'No data';
  const color = background ? textOn(r.shown.color) : colorMode === 'none' ? 'inherit' : readable(r.shown.color, c.theme);
  const graph = option(c, 'graphMode', 'area') === 'area' && !several ? spark(r.frame, r.field.values, background ? withAlpha(textOn(r.shown.color), 0.7) : r.shown.color, r.field) : null;
  const room = height * (graph ? 0.55 : 0.75) - (withName ? 20 : 0);
  const size = fontSize(text, width - MARGIN, room, 72);
  const center = option(c, 'justifyMode', 'auto') === 'center' || (option(c, 'justifyMode', 'auto') === 'auto' && several === false);
  const value = h('span', { class: 'stat-value', style: { fontSize: `${size}px`, color } }, r.shown.prefix && h('span', { class: 'stat-unit' }, r.shown.prefix), r.shown.text || text, r.shown.suffix && h('span', { class: 'stat-unit' }, r.shown.suffix));
  const links = resolveLinks(r.field.config.links, c.links, { frame: r.frame, field: r.field, row: r.field.values.length - 1 });
  const href = links[0] && linkAddress(links[0], c.settings);
  const body = h(href ? 'a' : 'div', { class: `stat-tile ${center ? 'center' : ''}`, ...(href ? { href, title: links[0]!.title } : {}) },
    h('div', { class: 'stat-text' }, withName && h('span', { class: 'stat-name', style: { color: background ? color : undefined } }, displayName(r.field)), withValue && value),
    graph);
  if (background) body.style.background = r.shown.color;
  return body;
}

/** Beside or below each other, whichever leaves room for the larger figures. */
function inRows(all: Reduced[], c: PanelContext, w: number, height: number): boolean {
  const orientation = option(c, 'orientation', 'auto');
  if (orientation !== 'auto') return orientation === 'horizontal';
  const smallest = (width: number, room: number): number => Math.min(...all.map((r) => fontSize(shownText(r.shown), width - MARGIN, room - 20, 72)));
  return all.length > 1 && smallest(w, height / all.length) > smallest(w / all.length, height);
}

export const stat: PanelRenderer = (box, c) => {
  const all = reduceAll(c);
  const draw = (): void => {
    const { clientWidth: w, clientHeight: height } = box;
    const rows = inRows(all, c, w, height);
    const n = Math.max(1, all.length);
    box.replaceChildren(h('div', { class: rows ? 'stat rows' : 'stat' }, ...all.map((r) => tile(r, c, rows ? w : w / n, rows ? height / n : height, all.length > 1))));
  };
  draw();
  const observer = new ResizeObserver(draw);
  observer.observe(box);
  return () => observer.disconnect();
};
