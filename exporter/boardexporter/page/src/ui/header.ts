import type { Dashboard } from '../model';
import type { Annotation } from '../data/annotations';
import type { Entry } from '../dashboards';
import { resolveLinks, type LinkContext } from '../field/links';
import { annotationList } from '../panels/chart';
import { h, icon, iconButton } from './dom';
import { linkElement } from './linklist';
import { closePopover, showPopover } from './popover';
import { saveSettings, type Settings } from './settings';
import { currentTheme } from './theme';

/** The tabs that lead to each dashboard, with time range and choices kept. */
export function tabs(entries: Entry[], current: string, address: (uid: string) => string): HTMLElement {
  return h('nav', { class: 'tabs', 'aria-label': 'Dashboards' },
    ...entries.map((e) => h('a', { href: address(e.uid), class: 'tab', 'aria-current': e.uid === current ? 'page' : undefined }, e.title)));
}

export function themeButton(change: () => void): HTMLElement {
  const dark = currentTheme() === 'dark';
  return iconButton(dark ? 'sun' : 'moon', dark ? 'Light theme' : 'Dark theme', change, { id: 'theme' });
}

export function settingsButton(s: Settings, saved: () => void): HTMLElement {
  const button = iconButton('sliders', 'Settings', () => {
    const grafana = h('input', { type: 'url', id: 'set-grafana', value: s.grafana, placeholder: 'https://grafana.example.com' });
    const trace = h('input', { type: 'text', id: 'set-trace', value: s.trace, placeholder: 'http://localhost:16686/trace/{trace_id}' });
    const save = (): void => {
      saveSettings({ grafana: grafana.value, trace: trace.value });
      closePopover(true);
      saved();
    };
    showPopover(button, h('div', { class: 'settings' },
      h('h3', {}, 'Trace tools'),
      h('label', { for: 'set-trace' }, 'Address of one trace'), trace,
      h('p', { class: 'dim' }, '{trace_id} stands for the id. Exemplar points lead there.'),
      h('label', { for: 'set-grafana' }, 'Grafana'), grafana,
      h('p', { class: 'dim' }, 'Links to trace searches open in its Explore. Both are kept in this browser only.'),
      h('button', { type: 'button', class: 'btn primary', onclick: save }, 'Save')), { label: 'Settings' });
  }, { id: 'settings', 'aria-haspopup': 'dialog' });
  return button;
}

/** Links of the dashboard. Those of type "dashboards" are the tabs. */
export function dashboardLinks(d: Dashboard, c: LinkContext, s: Settings): HTMLElement[] {
  return (d.links ?? []).filter((l) => l.type === 'link' && l.url).flatMap((l) =>
    resolveLinks([{ title: l.title ?? l.url!, url: l.url!, targetBlank: l.targetBlank }], c).map((r) => linkElement(r, s, 'btn link-btn')));
}

/** How many annotations the range holds, and which. */
export function annotationButton(list: Annotation[], shown: boolean, toggle: () => void): HTMLElement {
  const names = new Set(list.map((a) => a.source));
  const label = [...names].join(', ') || 'Annotations';
  const button = h('button', { type: 'button', class: list.length ? 'btn alerting' : 'btn', id: 'annotations', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' },
    icon('alert'), `${label}: ${list.length}`);
  button.addEventListener('click', () =>
    showPopover(button, h('div', { class: 'card' },
      h('button', { type: 'button', class: 'btn', 'aria-pressed': String(shown), onclick: () => {
        closePopover(true);
        toggle();
      } }, shown ? 'Hide in charts' : 'Show in charts'),
      list.length ? annotationList([...list].reverse().slice(0, 50)) : h('p', { class: 'dim' }, 'None in this time range.')), { label }));
  return button;
}
