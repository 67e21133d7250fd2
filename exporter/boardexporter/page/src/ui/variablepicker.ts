import { ALL, valueText, type Option, type Variable } from '../vars/variables';
import { h, icon, uniqueId } from './dom';
import { closePopover, showPopover } from './popover';

/** What a click on an option makes of the choice. */
export function toggled(v: Variable, picked: string): string[] {
  if (!v.model.multi || picked === ALL) return [picked];
  const now = v.value.filter((x) => x !== ALL);
  const next = now.includes(picked) ? now.filter((x) => x !== picked) : [...now, picked];
  if (next.length > 0) return next;
  return v.model.includeAll ? [ALL] : now;
}

function offered(v: Variable, filter: string): Option[] {
  const f = filter.toLowerCase();
  const all: Option[] = v.model.includeAll ? [{ text: 'All', value: ALL }, ...v.options] : [...v.options];
  for (const x of v.value) if (!all.some((o) => o.value === x)) all.push({ text: x, value: x });
  const hits = all.filter((o) => o.text.toLowerCase().includes(f));
  const own = filter && v.model.allowCustomValue !== false && !all.some((o) => o.text === filter);
  return own ? [...hits, { text: filter, value: filter }] : hits;
}

/** A filter field over a list box; arrow keys move, Enter picks, Escape closes. */
function openList(button: HTMLElement, v: Variable, label: string, change: (value: string[]) => void): void {
  let value = v.value;
  let at = 0;
  const id = uniqueId('list');
  const list = h('ul', { id, role: 'listbox', 'aria-label': label, 'aria-multiselectable': String(v.model.multi === true), class: 'options' });
  const input = h('input', { type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': id, 'aria-label': `Filter ${label}`, placeholder: 'Filter or enter a value', autocomplete: 'off' });
  const now = (): Variable => ({ ...v, value });
  const pick = (o: Option): void => {
    value = toggled(now(), o.value);
    if (v.model.multi) draw();
    else closePopover(true);
  };
  const draw = (): void => {
    const options = offered(now(), input.value);
    at = Math.max(0, Math.min(at, options.length - 1));
    list.replaceChildren(...options.map((o, i) =>
      h('li', {
        id: `${id}-${i}`, role: 'option', 'aria-selected': String(value.includes(o.value)), class: i === at ? 'at' : '', 'data-value': o.value,
        onpointerdown: (e: Event) => e.preventDefault(),
        onclick: () => pick(o),
      }, v.model.multi && h('i', { class: 'check' }), o.text)));
    if (options.length === 0) list.append(h('li', { class: 'dim', role: 'presentation' }, 'nothing fits'));
    input.setAttribute('aria-activedescendant', `${id}-${at}`);
    list.querySelector('.at')?.scrollIntoView({ block: 'nearest' });
  };
  input.addEventListener('input', () => {
    at = 0;
    draw();
  });
  input.addEventListener('keydown', (e) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step !== undefined) {
      e.preventDefault();
      at += step;
      draw();
    } else if (e.key === 'Enter') {
      e.preventDefault();
      const o = offered(now(), input.value)[at];
      if (o) pick(o);
    }
  });
  draw();
  showPopover(button, h('div', { class: 'picker' }, input, list), {
    label, role: 'presentation',
    onclose: () => {
      if (JSON.stringify(value) !== JSON.stringify(v.value)) change(value);
    },
  });
}

function textbox(v: Variable, id: string, change: (value: string[]) => void): HTMLElement {
  const input = h('input', { type: 'text', id, class: 'var-text', value: v.value[0] ?? '' });
  input.addEventListener('change', () => change([input.value]));
  return input;
}

/** The control of one variable; null for those that are not shown. */
export function variablePicker(v: Variable, change: (value: string[]) => void): HTMLElement | null {
  const { model } = v;
  // With one data source there is nothing to choose.
  if (model.hide === 2 || model.type === 'constant' || model.type === 'datasource') return null;
  const label = model.label || model.name;
  const id = `var-${model.name}`;
  const text = valueText(v) || 'none';
  const control = model.type === 'textbox'
    ? textbox(v, id, change)
    : h('button', {
      type: 'button', id, class: 'var-button', 'aria-haspopup': 'listbox', 'aria-expanded': 'false', 'aria-label': `${label}: ${text}`, title: text,
      onclick: (e: Event) => openList(e.currentTarget as HTMLElement, v, label, change),
    }, h('span', {}, text), icon('down'));
  return h('div', { class: 'variable', 'data-variable': model.name, title: model.description }, model.hide !== 1 && h('label', { for: id, class: 'var-label' }, label), control);
}
