import type uPlot from 'uplot';
import { traceId, type Exemplar } from '../data/exemplars';
import { formatText } from '../field/units';
import { formatTime } from '../time/range';
import { h } from '../ui/dom';
import { traceAddress } from '../ui/settings';
import type { PanelContext } from './context';

const SIZE = 4;
const REACH = 7;

/** Position in the plot; values beyond the axis stand at its end. */
function position(u: uPlot, e: Exemplar, canvas: boolean): [number, number] {
  const { min, max } = u.scales.y!;
  const v = Math.min(max ?? e.value, Math.max(min ?? e.value, e.value));
  return [u.valToPos(e.time, 'x', canvas), u.valToPos(v, 'y', canvas)];
}

export function drawExemplars(u: uPlot, c: PanelContext): void {
  const { ctx } = u;
  const size = SIZE * (window.devicePixelRatio || 1);
  ctx.save();
  ctx.fillStyle = c.theme === 'dark' ? '#6ed0e0' : '#1f78c1';
  ctx.strokeStyle = c.theme === 'dark' ? '#111217' : '#ffffff';
  for (const e of c.exemplars) {
    if (e.time < u.scales.x!.min! || e.time > u.scales.x!.max!) continue;
    const [x, y] = position(u, e, true);
    ctx.beginPath();
    ctx.moveTo(x, y - size);
    ctx.lineTo(x + size, y);
    ctx.lineTo(x, y + size);
    ctx.lineTo(x - size, y);
    ctx.closePath();
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}

export function exemplarAt(u: uPlot, list: Exemplar[], at: { left: number; top: number }): Exemplar | undefined {
  return list.find((e) => {
    const [x, y] = position(u, e, false);
    return Math.abs(x - at.left) <= REACH && Math.abs(y - at.top) <= REACH;
  });
}

/** Trace, labels and value of an exemplar, with the way to its trace. */
export function exemplarCard(e: Exemplar, c: PanelContext): HTMLElement {
  const id = traceId(e);
  const address = id && traceAddress(c.settings, id);
  const labels = Object.entries({ ...e.series, ...e.labels }).filter(([k]) => k !== '__name__');
  return h('div', { class: 'card' },
    h('div', { class: 'tooltip-title' }, `Exemplar at ${formatTime(e.time)}`),
    h('dl', { class: 'labels' }, h('dt', {}, 'value'), h('dd', {}, formatText(e.value, c.frames[0]?.fields.at(-1)?.config.unit)),
      ...labels.flatMap(([k, v]) => [h('dt', {}, k), h('dd', {}, v)])),
    id && (address
      ? h('a', { class: 'btn primary', href: address, target: '_blank', rel: 'noopener noreferrer' }, 'Open the trace')
      : h('button', { type: 'button', class: 'btn', onclick: () => void navigator.clipboard?.writeText(id) }, 'Copy the trace id')),
    id && !address && h('p', { class: 'dim' }, 'Name your trace tool in the settings to open traces from here.'));
}
