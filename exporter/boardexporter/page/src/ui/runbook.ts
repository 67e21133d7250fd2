import { safeAddress } from '../field/links';
import { RUNBOOK_BASE, runbookHref } from '../router';
import { h, iconButton } from './dom';
import { markdown, type LinkMap } from './markdown';

/** A link of a runbook: relative ones lead to other runbooks. */
export function runbookLinks(from: string): LinkMap {
  return (url) => {
    if (/^[\w.+-]+:|^\/|^#/.test(url)) return url.startsWith(RUNBOOK_BASE) ? runbookHref(url.slice(RUNBOOK_BASE.length)) : safeAddress(url);
    const path = new URL(url, `http://x/${from}`).pathname.slice(1);
    return path.endsWith('.md') ? runbookHref(path) : undefined;
  };
}

let dialog: HTMLDialogElement | undefined;

/** Shows a runbook of the board beside the dashboard; links to other runbooks stay in the same place. */
export async function showRunbook(path: string): Promise<void> {
  if (!dialog) {
    const own = h('dialog', { class: 'drawer', 'aria-label': 'Runbook' });
    own.addEventListener('close', () => {
      own.remove();
      dialog = undefined;
    });
    own.addEventListener('click', (e) => e.target === own && own.close());
    dialog = own;
    document.body.append(own);
  }
  const box = dialog;
  const body = h('div', { class: 'markdown' }, 'Loading…');
  box.replaceChildren(h('div', { class: 'drawer-inner' }, iconButton('close', 'Close', () => box.close()), body));
  // Opened with its content, so that the focus goes to a button of it.
  if (!box.open) box.showModal();
  try {
    const res = await fetch(`runbooks/${path.split('/').map(encodeURIComponent).join('/')}`);
    if (!res.ok) throw new Error(`${res.status} ${res.statusText}`);
    body.replaceChildren(markdown(await res.text(), runbookLinks(path)));
  } catch (e) {
    body.replaceChildren(h('p', {}, `This board has no runbook ${path} (${(e as Error).message}). `, h('a', { href: RUNBOOK_BASE + path, target: '_blank', rel: 'noopener noreferrer' }, 'Look for it online.')));
  }
}
