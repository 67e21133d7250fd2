import { displayName, type Field } from '../data/frame';
import { reduceField, reducerTitle } from '../data/reduce';
import { show, shownText } from '../field/display';
import { h } from '../ui/dom';
import { option, type PanelContext } from './context';

export interface LegendItem {
  field: Field;
  color: string;
  /** Place of the series in the panel; the key under which it is hidden. */
  index: number;
}

/** A click shows one series alone, and all again at the next; with Ctrl it takes one out or in. */
export function nextHidden(hidden: ReadonlySet<string>, all: string[], name: string, single: boolean): Set<string> {
  if (single) {
    const out = new Set(hidden);
    if (!out.delete(name)) out.add(name);
    return out;
  }
  const others = all.filter((n) => n !== name);
  const alone = !hidden.has(name) && others.every((n) => hidden.has(n));
  return new Set(alone ? [] : others);
}

export function legend(items: LegendItem[], c: PanelContext, hidden: ReadonlySet<string>, change: (hidden: Set<string>) => void): HTMLElement | null {
  if (option(c, 'legend.showLegend', true) === false || option(c, 'legend.displayMode', 'list') === 'hidden') return null;
  const calcs = option<string[]>(c, 'legend.calcs', []);
  const names = items.map((i) => displayName(i.field));
  const toggle = (i: LegendItem): HTMLElement => {
    const name = displayName(i.field);
    return h('button', {
      type: 'button', class: 'legend-item', 'aria-pressed': String(!hidden.has(name)), title: `${name}: click to show it alone, Ctrl+click to hide it`,
      onclick: (e: MouseEvent) => change(nextHidden(hidden, names, name, e.ctrlKey || e.metaKey)),
    }, h('i', { class: 'swatch', style: { background: i.color } }), name);
  };
  const text = (i: LegendItem, calc: string): string => shownText(show(i.field, reduceField(i.field, calc), c.theme));
  const placement = option(c, 'legend.placement', 'bottom');
  if (option(c, 'legend.displayMode', 'list') === 'table') {
    return h('div', { class: `legend legend-table ${placement}` },
      h('table', {},
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Name'), ...calcs.map((k) => h('th', { scope: 'col', class: 'num' }, reducerTitle(k))))),
        h('tbody', {}, ...items.map((i) => h('tr', {}, h('td', {}, toggle(i)), ...calcs.map((k) => h('td', { class: 'num' }, text(i, k))))))));
  }
  return h('div', { class: `legend ${placement}`, role: 'group', 'aria-label': 'Legend' },
    ...items.map((i) => h('span', { class: 'legend-entry' }, toggle(i), ...calcs.map((k) => h('span', { class: 'dim' }, ` ${reducerTitle(k)}: ${text(i, k)}`)))));
}
