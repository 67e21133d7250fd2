import { describeRange, formatTime, QUICK_RANGES, resolveRange, type RawRange, type TimeRange } from '../time/range';
import { h, icon, iconButton } from './dom';
import { closePopover, menuKeys, showPopover } from './popover';

const REFRESH = ['', '5s', '10s', '30s', '1m', '5m', '15m'];

/** The range moved by half of itself, or made twice as long around its middle. */
export function shifted(r: TimeRange, by: -1 | 1): RawRange {
  const half = (r.to - r.from) / 2;
  return { from: String(Math.round(r.from + by * half)), to: String(Math.round(r.to + by * half)) };
}

export function zoomedOut(r: TimeRange, now: number): RawRange {
  const half = (r.to - r.from) / 2;
  const to = Math.min(now, Math.round(r.to + half));
  return { from: String(Math.round(to - 4 * half)), to: String(to) };
}

function absoluteForm(raw: RawRange, range: TimeRange, change: (r: RawRange) => void): HTMLElement {
  const show = (s: string, ms: number): string => (s.startsWith('now') ? s : formatTime(ms));
  const from = h('input', { type: 'text', id: 'range-from', value: show(raw.from, range.from), autocomplete: 'off', spellcheck: 'false' });
  const to = h('input', { type: 'text', id: 'range-to', value: show(raw.to, range.to), autocomplete: 'off', spellcheck: 'false' });
  const error = h('p', { class: 'error-text', role: 'alert' });
  const apply = (): void => {
    try {
      const picked = { from: from.value.trim(), to: to.value.trim() };
      const r = resolveRange(picked, Date.now());
      const end = (s: string, ms: number): string => (s.startsWith('now') ? s : String(ms));
      closePopover(true);
      change({ from: end(picked.from, r.from), to: end(picked.to, r.to) });
    } catch (e) {
      error.textContent = (e as Error).message;
    }
  };
  const box = h('div', { class: 'range-form' },
    h('h3', {}, 'Absolute or relative range'),
    h('label', { for: 'range-from' }, 'From'), from, h('label', { for: 'range-to' }, 'To'), to, error,
    h('button', { type: 'button', class: 'btn primary', onclick: apply }, 'Apply'),
    h('p', { class: 'dim' }, 'Such as now-90m, now/d, 2026-01-31 13:45:00. Times are in your time zone.'));
  box.addEventListener('keydown', (e) => {
    if (e.key === 'Enter' && e.target instanceof HTMLInputElement) apply();
  });
  return box;
}

export interface TimeControls {
  raw: RawRange;
  range: TimeRange;
  refresh: string;
  setRange: (r: RawRange) => void;
  setRefresh: (r: string) => void;
  refreshNow: () => void;
}

function rangeButton(t: TimeControls): HTMLElement {
  const button = h('button', { type: 'button', class: 'btn', id: 'time-range', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' },
    icon('clock'), h('span', {}, describeRange(t.raw)), icon('down'));
  button.setAttribute('aria-label', `Time range: ${describeRange(t.raw)}`);
  button.addEventListener('click', () => {
    const list = h('ul', { class: 'menu quick' }, ...QUICK_RANGES.map((q) =>
      h('li', {}, h('button', {
        type: 'button', class: 'menu-item', 'aria-current': q.from === t.raw.from && q.to === t.raw.to ? 'true' : undefined,
        onclick: () => {
          closePopover(true);
          t.setRange({ from: q.from, to: q.to });
        },
      }, q.label))));
    menuKeys(list, 'button');
    showPopover(button, h('div', { class: 'range-picker' }, absoluteForm(t.raw, t.range, t.setRange), list), { label: 'Time range' });
  });
  return button;
}

function refreshPicker(t: TimeControls): HTMLElement {
  const select = h('select', { class: 'btn', id: 'refresh-interval', 'aria-label': 'Refresh interval', onchange: () => t.setRefresh(select.value) });
  const choices = REFRESH.includes(t.refresh) ? REFRESH : [...REFRESH, t.refresh];
  select.append(...choices.map((r) => h('option', { value: r, selected: r === t.refresh }, r || 'Off')));
  return select;
}

export function timeControls(t: TimeControls): HTMLElement {
  return h('div', { class: 'controls', role: 'group', 'aria-label': 'Time' },
    h('div', { class: 'btn-group' },
      iconButton('left', 'Move the range back', () => t.setRange(shifted(t.range, -1))),
      rangeButton(t),
      iconButton('right', 'Move the range forward', () => t.setRange(shifted(t.range, 1))),
      iconButton('zoomOut', 'Twice the range', () => t.setRange(zoomedOut(t.range, Date.now())))),
    h('div', { class: 'btn-group' }, iconButton('refresh', 'Refresh now', t.refreshNow, { id: 'refresh' }), refreshPicker(t)));
}
