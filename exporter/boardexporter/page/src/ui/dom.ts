/** Small helpers to build the page. Styles are set through the object model only: the page's policy allows no style attributes. */

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

function apply(e: Element, props: Props): void {
  for (const [k, v] of Object.entries(props)) {
    if (v === undefined || v === null || v === false) continue;
    if (k === 'style') Object.assign((e as HTMLElement).style, v);
    else if (k === 'dataset') Object.assign((e as HTMLElement).dataset, v);
    else if (k === 'class') e.setAttribute('class', String(v));
    else if (k.startsWith('on')) e.addEventListener(k.slice(2), v as EventListener);
    else e.setAttribute(k, v === true ? '' : String(v));
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  apply(e, props);
  e.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return e;
}

export function svg(tag: string, props: Props = {}, ...children: Node[]): SVGElement {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  apply(e, props);
  e.append(...children);
  return e;
}

const ICONS: Record<string, string> = {
  clock: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM8 4v4l2.8 1.8',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  left: 'M10 4L6 8l4 4',
  info: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM8 7.2V11M8 5v.2',
  menu: 'M8 3.2v.1M8 8v.1M8 12.8v.1',
  refresh: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9M13.5 2v3h-3',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13.5 9.8A6 6 0 1 1 6.2 2.5a4.8 4.8 0 0 0 7.3 7.3Z',
  sliders: 'M2 4.5h7M13 4.5h1M11 2.8a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4ZM2 11.5h1M7 11.5h7M5 9.8a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4Z',
  zoomOut: 'M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2ZM10.8 10.8L14 14M4.8 7h4.4',
  external: 'M9 2h5v5M14 2L7.5 8.5M12 9v4.5H2.5V4H7',
  close: 'M4 4l8 8M12 4l-8 8',
  alert: 'M8 2L14.5 13.5h-13ZM8 6.5v3.2M8 11.6v.1',
  up: 'M4 10l4-4 4 4',
};

export function icon(name: keyof typeof ICONS | string): SVGElement {
  return svg('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' }, svg('path', { d: ICONS[name] ?? '' }));
}

/** A button that is only an icon still has a name. */
export function iconButton(name: string, label: string, onclick: (e: MouseEvent) => void, props: Props = {}): HTMLButtonElement {
  return h('button', { type: 'button', class: 'btn icon-btn', 'aria-label': label, title: label, onclick, ...props }, icon(name));
}

let ids = 0;
export function uniqueId(prefix: string): string {
  ids++;
  return `${prefix}-${ids}`;
}
