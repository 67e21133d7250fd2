import { h } from '../ui/dom';

export interface TooltipRow {
  color: string;
  name: string;
  value: string;
  strong?: boolean;
}

const MAX_ROWS = 20;

/** One box for the whole page: only one chart is under the pointer. */
let box: HTMLElement | undefined;

export function hideTooltip(): void {
  box?.remove();
  box = undefined;
}

/** Shows rows beside a point of the window; it never takes the pointer. */
export function showTooltip(at: { x: number; y: number }, title: string, rows: TooltipRow[], note?: string): void {
  box ??= document.body.appendChild(h('div', { class: 'tooltip', 'aria-hidden': 'true' }));
  box.replaceChildren(
    h('div', { class: 'tooltip-title' }, title),
    ...rows.slice(0, MAX_ROWS).map((r) =>
      h('div', { class: r.strong ? 'tooltip-row strong' : 'tooltip-row' },
        h('i', { class: 'swatch', style: { background: r.color } }), h('span', { class: 'tooltip-name' }, r.name), h('span', { class: 'tooltip-value' }, r.value)),
    ),
  );
  if (rows.length > MAX_ROWS) box.append(h('div', { class: 'dim' }, `and ${rows.length - MAX_ROWS} more`));
  if (note) box.append(h('div', { class: 'dim tooltip-note' }, note));
  const { offsetWidth: w, offsetHeight: height } = box;
  const left = at.x + 16 + w > window.innerWidth ? at.x - w - 16 : at.x + 16;
  box.style.left = `${Math.max(4, left)}px`;
  box.style.top = `${Math.max(4, Math.min(at.y + 10, window.innerHeight - height - 4))}px`;
}
