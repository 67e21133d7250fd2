import type { ResolvedLink } from '../field/links';
import type { Settings } from './settings';
import { h, icon } from './dom';
import { hrefInPage } from '../router';

/** Where a link of a dashboard leads from this page; undefined when it needs a tool the reader has not named. */
export function linkAddress(l: ResolvedLink, s: Settings): string | undefined {
  const here = hrefInPage(l.href);
  if (here) return here;
  if (!l.href.startsWith('/')) return l.href;
  return s.grafana ? s.grafana + l.href : undefined;
}

/** A link, or only its title while it leads nowhere. */
export function linkElement(l: ResolvedLink, s: Settings, className = 'link'): HTMLElement {
  const href = linkAddress(l, s);
  if (href === undefined) {
    return h('span', { class: `${className} off`, 'aria-disabled': 'true', title: 'Name your Grafana in the settings to follow this link' }, l.title);
  }
  const away = l.targetBlank && !hrefInPage(l.href);
  return h('a', { class: className, href, target: away ? '_blank' : undefined, rel: away ? 'noopener noreferrer' : undefined }, l.title, away && icon('external'));
}

export function linkMenu(links: ResolvedLink[], s: Settings): HTMLElement {
  const off = links.some((l) => linkAddress(l, s) === undefined);
  return h('ul', { class: 'menu' }, ...links.map((l) => h('li', {}, linkElement(l, s, 'menu-item'))),
    off && h('li', { class: 'menu-note' }, 'Trace searches open in a Grafana: name yours in the settings.'));
}
