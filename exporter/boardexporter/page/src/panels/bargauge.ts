import { displayName } from '../data/frame';
import { readable, resolveColor, thresholdColor, thresholdValue, withAlpha } from '../field/color';
import { shownText } from '../field/display';
import { resolveLinks } from '../field/links';
import { h } from '../ui/dom';
import { linkMenu } from '../ui/linklist';
import { showPopover } from '../ui/popover';
import { option, type PanelContext, type PanelRenderer } from './context';
import { reduceAll, type Reduced } from './stat';

function background(r: Reduced, c: PanelContext, min: number, max: number): string {
  const f = r.field.config;
  if (option(c, 'displayMode', 'gradient') !== 'gradient') return r.shown.color;
  if (f.color?.mode !== 'thresholds') return `linear-gradient(90deg, ${withAlpha(r.shown.color, 0.45)}, ${r.shown.color})`;
  const span = (r.value ?? min) - min || 1;
  const stops = (f.thresholds?.steps ?? []).filter((s) => s.value === null || thresholdValue(s.value, f, { min, max }) < (r.value ?? min));
  return `linear-gradient(90deg, ${stops.map((s) => `${resolveColor(s.color, c.theme)} ${s.value === null ? 0 : Math.round(((thresholdValue(s.value, f, { min, max }) - min) / span) * 100)}%`).join(', ')}, ${thresholdColor(r.value, f, c.theme, { min, max })} 100%)`;
}

export const barGauge: PanelRenderer = (box, c) => {
  const all = reduceAll(c).filter((r) => r.value !== null);
  const values = all.map((r) => r.value!);
  const min = all[0]?.field.config.min ?? Math.min(0, ...values);
  const max = all[0]?.field.config.max ?? Math.max(0, ...values);
  const unfilled = option(c, 'showUnfilled', true);
  const colored = option(c, 'valueMode', 'color') === 'color';
  const row = (r: Reduced): HTMLElement => {
    const width = max > min ? Math.max(0, Math.min(1, (r.value! - min) / (max - min))) : 0;
    const links = resolveLinks(r.field.config.links, c.links, { frame: r.frame, field: r.field, row: r.field.values.length - 1 });
    const name = displayName(r.field);
    const label = links.length
      ? h('button', { type: 'button', class: 'bar-name linked', 'aria-haspopup': 'menu', title: name, onclick: (e: Event) => showPopover(e.currentTarget as HTMLElement, linkMenu(links, c.settings), { label: `Links of ${name}` }) }, name)
      : h('span', { class: 'bar-name', title: name }, name);
    return h('li', { class: 'bar-row' }, label,
      h('span', { class: unfilled ? 'bar-track unfilled' : 'bar-track' }, h('span', { class: 'bar-fill', style: { width: `${width * 100}%`, background: background(r, c, min, max) } })),
      option(c, 'valueMode', 'color') !== 'hidden' && h('span', { class: 'bar-value', style: { color: colored ? readable(r.shown.color, c.theme) : undefined } }, shownText(r.shown)));
  };
  box.append(h('ul', { class: 'bars', 'aria-label': c.title }, ...all.map(row)));
  return () => {};
};
