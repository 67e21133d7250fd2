import { displayName, frameLength, pickRows, type Field, type Frame } from '../data/frame';
import { reduceField } from '../data/reduce';
import { sortedRows } from '../data/transform';
import { readable, textOn } from '../field/color';
import { show, shownText } from '../field/display';
import { resolveLinks, type ResolvedLink } from '../field/links';
import { h, icon } from '../ui/dom';
import { linkAddress, linkElement, linkMenu } from '../ui/linklist';
import { showPopover } from '../ui/popover';
import { option, remembered, type PanelContext, type PanelRenderer } from './context';

/** More rows than this are counted, not drawn: nobody reads them and the browser would stall. */
const MAX_ROWS = 500;

interface Sort {
  column: string;
  desc: boolean;
}

function align(f: Field): string {
  const a = f.config.custom?.align ?? 'auto';
  if (a !== 'auto') return a;
  return f.type === 'number' ? 'right' : 'left';
}

/** One link is followed at once, several are offered. */
function linked(text: string, links: ResolvedLink[], c: PanelContext): Node {
  const ready = links.filter((l) => linkAddress(l, c.settings) !== undefined);
  if (links.length === 1 && ready.length === 1) {
    const a = linkElement(links[0]!, c.settings, 'cell-link');
    a.title = links[0]!.title;
    a.replaceChildren(text);
    return a;
  }
  return h('button', {
    type: 'button', class: 'cell-link', 'aria-haspopup': 'menu', 'aria-label': `${text}: ${links.length} links`,
    onclick: (e: Event) => showPopover(e.currentTarget as HTMLElement, linkMenu(links, c.settings), { label: `Links of ${text}` }),
  }, text);
}

function cell(frame: Frame, f: Field, row: number, c: PanelContext): HTMLElement {
  const v = f.values[row] ?? null;
  const s = show(f, v, c.theme);
  const text = shownText(s);
  const links = v === null || v === '' ? [] : resolveLinks(f.config.links, c.links, { frame, field: f, row });
  const td = h('td', { class: align(f), title: text.length > 30 ? text : undefined }, links.length ? linked(text, links, c) : text);
  const kind = f.config.custom?.cellOptions?.type;
  if (kind === 'color-text') td.style.color = readable(s.color, c.theme);
  if (kind === 'color-background') {
    td.style.background = s.color;
    td.style.color = textOn(s.color);
  }
  return td;
}

function header(f: Field, sort: Sort | undefined, choose: (s: Sort) => void): HTMLElement {
  const name = displayName(f);
  const mine = sort?.column === name;
  const th = h('th', { scope: 'col', class: align(f), 'aria-sort': mine ? (sort.desc ? 'descending' : 'ascending') : 'none' },
    h('button', { type: 'button', class: 'sort', onclick: () => choose({ column: name, desc: mine ? !sort.desc : f.type === 'number' }) },
      name, mine && icon(sort.desc ? 'down' : 'up')));
  const { width, minWidth } = f.config.custom ?? {};
  if (width) th.style.width = `${width}px`;
  if (minWidth) th.style.minWidth = `${minWidth}px`;
  return th;
}

function footer(frame: Frame, fields: Field[], c: PanelContext): HTMLElement | null {
  if (!option(c, 'footer.show', false)) return null;
  const calc = option<string[]>(c, 'footer.reducer', ['sum'])[0]!;
  const only = option<string[]>(c, 'footer.fields', []);
  return h('tfoot', {}, h('tr', {}, ...fields.map((f, i) => {
    const counted = f.type === 'number' && (only.length === 0 || only.includes(displayName(f)));
    const text = counted ? shownText(show(f, reduceField(f, calc), c.theme)) : i === 0 ? 'Total' : '';
    return h('td', { class: align(f) }, option(c, 'footer.countRows', false) && i === 0 ? `${frameLength(frame)} rows` : text);
  })));
}

/** Draws one frame as a table whose columns can be sorted. */
export function drawTable(box: HTMLElement, frame: Frame, c: PanelContext): void {
  const first = option<{ displayName: string; desc?: boolean }[]>(c, 'sortBy', [])[0];
  const sort = remembered<Sort | undefined>(c, 'sort', () => (first ? { column: first.displayName, desc: first.desc === true } : undefined));
  const by = sort && frame.fields.find((f) => displayName(f) === sort.column);
  const sorted = by ? pickRows(frame, sortedRows(by.values, sort.desc)) : frame;
  const fields = sorted.fields.filter((f) => !f.config.custom?.hidden);
  const choose = (s: Sort): void => {
    c.memory.set('sort', s);
    const scroll = box.scrollTop;
    drawTable(box, frame, c);
    box.scrollTop = scroll;
    box.querySelectorAll<HTMLElement>('.sort')[fields.findIndex((f) => displayName(f) === s.column)]?.focus();
  };
  const rows = Array.from({ length: Math.min(MAX_ROWS, frameLength(sorted)) }, (_, i) => i);
  box.replaceChildren(h('div', { class: `table-wrap ${option(c, 'cellHeight', 'sm')}`, tabindex: '0', role: 'region', 'aria-label': c.title },
    h('table', {},
      option(c, 'showHeader', true) && h('thead', {}, h('tr', {}, ...fields.map((f) => header(f, sort, choose)))),
      h('tbody', {}, ...rows.map((r) => h('tr', {}, ...fields.map((f) => cell(sorted, f, r, c))))),
      footer(sorted, fields, c)),
    frameLength(sorted) > MAX_ROWS && h('p', { class: 'dim' }, `${frameLength(sorted) - MAX_ROWS} more rows; narrow the time range or the variables.`)));
}

export const table: PanelRenderer = (box, c) => {
  const frame = c.frames[option(c, 'frameIndex', 0)] ?? c.frames[0];
  if (frame) drawTable(box, frame, c);
  return () => {};
};
