import uPlot from 'uplot';
import { resolveColor, withAlpha } from '../field/color';
import { formatTime } from '../time/range';
import { runbookHref } from '../router';
import { h } from '../ui/dom';
import { showPopover } from '../ui/popover';
import type { Annotation } from '../data/annotations';
import type { PanelContext } from './context';

/** What the time series and the state timeline have in common: size, crosshair, zoom, annotations. */
export interface ChartSetup {
  options: Omit<uPlot.Options, 'width' | 'height'>;
  data: uPlot.AlignedData;
  /** The pointer or the arrow keys stand on a point; null when they left. */
  onPoint: (u: uPlot, index: number | null, at: { left: number; top: number }) => void;
  /** A click or Enter on a point. */
  onPick: (u: uPlot, index: number, at: DOMRect) => void;
}

const MARKER_GAP = 14;

/** Annotations whose markers would cover each other share one. */
export function groupMarkers(list: { at: number; a: Annotation }[], gap: number): { at: number; list: Annotation[] }[] {
  const out: { at: number; list: Annotation[] }[] = [];
  for (const { at, a } of [...list].sort((x, y) => x.at - y.at)) {
    const last = out[out.length - 1];
    if (last && at - last.at < gap) last.list.push(a);
    else out.push({ at, list: [a] });
  }
  return out;
}

export function annotationList(list: Annotation[]): HTMLElement {
  return h('ul', { class: 'annotations' }, ...list.map((a) =>
    h('li', {},
      h('strong', {}, a.title), a.text && ` ${a.text}`,
      a.alert && h('a', { class: 'runbook-link', href: runbookHref(`alerts/${a.alert}.md`) }, 'Runbook'),
      h('div', { class: 'dim' }, a.to > a.from ? `${formatTime(a.from)} to ${formatTime(a.to)}` : formatTime(a.from)),
      a.tags.length > 0 && h('div', {}, ...a.tags.map((t) => h('span', { class: 'tag' }, t))),
    )));
}

/** What any of the annotations of one colour covers: overlapping ones must not add up to a darker shade. */
export function covered(list: Annotation[]): { from: number; to: number; color: string }[] {
  const out: { from: number; to: number; color: string }[] = [];
  for (const { from, to, color } of [...list].sort((x, y) => x.color.localeCompare(y.color) || x.from - y.from)) {
    const last = out[out.length - 1];
    if (last && last.color === color && from <= last.to) last.to = Math.max(last.to, to);
    else out.push({ from, to, color });
  }
  return out;
}

function drawAnnotations(u: uPlot, c: PanelContext): void {
  const { ctx, bbox } = u;
  const at = (time: number): number => u.valToPos(time, 'x', true);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const a of covered(c.annotations)) {
    ctx.fillStyle = withAlpha(resolveColor(a.color, c.theme), 0.09);
    ctx.fillRect(at(a.from), bbox.top, Math.max(1, at(a.to) - at(a.from)), bbox.height);
  }
  ctx.lineWidth = window.devicePixelRatio || 1;
  ctx.setLineDash([4, 4]);
  for (const a of c.annotations) {
    ctx.strokeStyle = withAlpha(resolveColor(a.color, c.theme), 0.8);
    for (const time of a.to > a.from ? [a.from, a.to] : [a.from]) {
      ctx.beginPath();
      ctx.moveTo(at(time), bbox.top);
      ctx.lineTo(at(time), bbox.top + bbox.height);
      ctx.stroke();
    }
  }
  ctx.restore();
}

function markers(u: uPlot, c: PanelContext): void {
  u.over.querySelectorAll('.marker').forEach((m) => m.remove());
  const visible = c.annotations
    .map((a) => ({ a, at: u.valToPos(Math.max(a.from, u.scales.x!.min!), 'x') }))
    .filter(({ a, at }) => a.to >= u.scales.x!.min! && at <= u.over.clientWidth);
  for (const { at, list } of groupMarkers(visible, MARKER_GAP)) {
    const names = [...new Set(list.map((a) => a.title))].join(', ');
    const button = h('button', {
      type: 'button', class: 'marker', 'aria-label': `${list.length} annotation${list.length > 1 ? 's' : ''}: ${names}`,
      style: { left: `${at}px`, color: resolveColor(list[0]!.color, c.theme) },
      onclick: () => showPopover(button, annotationList(list), { label: 'Annotations' }),
    });
    // The chart's own drag must not start on a marker.
    button.addEventListener('mousedown', (e) => e.stopPropagation());
    u.over.append(button);
  }
}

/** Arrow keys walk over the points, Enter picks one. */
function keyboard(u: uPlot, box: HTMLElement, s: ChartSetup): void {
  let index: number | null = null;
  box.tabIndex = 0;
  box.addEventListener('keydown', (e) => {
    const last = u.data[0].length - 1;
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[e.key];
    if (step !== undefined) {
      e.preventDefault();
      index = Math.min(last, Math.max(0, (index ?? last) + step));
      const left = u.valToPos(u.data[0][index]!, 'x');
      u.setCursor({ left, top: u.over.clientHeight / 2 });
      s.onPoint(u, index, { left, top: u.over.clientHeight / 2 });
    } else if (e.key === 'Enter' && index !== null && e.target === box) {
      const r = u.over.getBoundingClientRect();
      s.onPick(u, index, new DOMRect(r.left + u.valToPos(u.data[0][index]!, 'x'), r.top + r.height / 2, 0, 0));
    }
  });
  box.addEventListener('blur', () => {
    index = null;
    s.onPoint(u, null, { left: 0, top: 0 });
  });
}

/** Puts a chart into the box and keeps it in its size. */
export function chart(box: HTMLElement, c: PanelContext, s: ChartSetup): { plot: uPlot; destroy: () => void } {
  let hovering = false;
  const hooks = s.options.hooks ?? {};
  const plot = new uPlot(
    {
      ...s.options,
      width: Math.max(40, box.clientWidth),
      height: Math.max(40, box.clientHeight),
      ms: 1,
      legend: { show: false },
      cursor: {
        ...s.options.cursor,
        drag: { x: true, y: false, setScale: false },
        sync: c.syncKey ? { key: c.syncKey, scales: ['x', null] } : undefined,
      },
      hooks: {
        ...hooks,
        drawClear: [...(hooks.drawClear ?? []), (u) => drawAnnotations(u, c)],
        ready: [...(hooks.ready ?? []), (u) => markers(u, c)],
        setSize: [(u) => markers(u, c)],
        setCursor: [
          (u) => {
            if (hovering) s.onPoint(u, u.cursor.idx ?? null, { left: u.cursor.left ?? 0, top: u.cursor.top ?? 0 });
          },
        ],
        setSelect: [
          (u) => {
            if (u.select.width < 6) return;
            c.zoom({ from: u.posToVal(u.select.left, 'x'), to: u.posToVal(u.select.left + u.select.width, 'x') });
            u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
      },
    },
    s.data,
    box,
  );
  plot.over.addEventListener('mouseenter', () => (hovering = true));
  plot.over.addEventListener('mouseleave', () => {
    hovering = false;
    s.onPoint(plot, null, { left: 0, top: 0 });
  });
  let down = { x: 0, y: 0 };
  plot.over.addEventListener('mousedown', (e) => (down = { x: e.clientX, y: e.clientY }));
  plot.over.addEventListener('click', (e) => {
    if (Math.abs(e.clientX - down.x) > 4 || (e.target as Element).closest('.marker')) return;
    if (plot.cursor.idx != null) s.onPick(plot, plot.cursor.idx, new DOMRect(e.clientX, e.clientY, 0, 0));
  });
  keyboard(plot, box, s);
  const observer = new ResizeObserver(() => {
    if (box.clientWidth > 0 && (box.clientWidth !== plot.width || box.clientHeight !== plot.height)) {
      plot.setSize({ width: Math.max(40, box.clientWidth), height: Math.max(40, box.clientHeight) });
    }
  });
  observer.observe(box);
  return {
    plot,
    destroy: () => {
      observer.disconnect();
      plot.destroy();
    },
  };
}
