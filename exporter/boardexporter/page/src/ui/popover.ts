import { h } from './dom';

/** An open popover; there is never more than one. */
let open: { close: (refocus: boolean) => void; anchor: Element } | undefined;

export function popoverIsOpen(): boolean {
  return open !== undefined;
}

export function closePopover(refocus = false): void {
  open?.close(refocus);
}

/** Keeps the box inside the window: below the anchor, else above it. */
function place(box: HTMLElement, at: DOMRect): void {
  const { offsetWidth: w, offsetHeight: height } = box;
  const left = Math.max(8, Math.min(at.left, window.innerWidth - w - 8));
  const below = at.bottom + 4 + height <= window.innerHeight;
  box.style.left = `${left}px`;
  box.style.top = `${below ? at.bottom + 4 : Math.max(8, at.top - height - 4)}px`;
}

export interface PopoverOptions {
  label: string;
  role?: string;
  /** Where to put it, when not at the anchor. */
  at?: DOMRect;
  class?: string;
  onclose?: () => void;
}

/** Shows content at a button until Escape, a click elsewhere, or the button again. */
export function showPopover(anchor: HTMLElement, content: Node, o: PopoverOptions): void {
  if (open?.anchor === anchor && !o.at) {
    closePopover(true);
    return;
  }
  closePopover();
  const box = h('div', { class: `popover ${o.class ?? ''}`, role: o.role ?? 'dialog', 'aria-label': o.label, tabindex: '-1' }, content);
  document.body.append(box);
  place(box, o.at ?? anchor.getBoundingClientRect());
  anchor.setAttribute('aria-expanded', 'true');
  const outside = (e: Event): void => {
    if (!box.contains(e.target as Node) && !anchor.contains(e.target as Node)) closePopover();
  };
  const keys = (e: KeyboardEvent): void => {
    if (e.key === 'Escape') closePopover(true);
    if (e.key === 'Tab' && o.role === 'listbox') closePopover();
  };
  document.addEventListener('pointerdown', outside, true);
  document.addEventListener('keydown', keys);
  open = {
    anchor,
    close: (refocus) => {
      open = undefined;
      box.remove();
      anchor.setAttribute('aria-expanded', 'false');
      document.removeEventListener('pointerdown', outside, true);
      document.removeEventListener('keydown', keys);
      if (refocus) anchor.focus();
      o.onclose?.();
    },
  };
  const first = box.querySelector<HTMLElement>('[autofocus], input, button, a[href], [tabindex="0"]');
  (first ?? box).focus();
}

/** Up and down move between the entries of a menu. */
export function menuKeys(list: HTMLElement, selector: string): void {
  list.addEventListener('keydown', (e) => {
    if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp' && e.key !== 'Home' && e.key !== 'End') return;
    const all = [...list.querySelectorAll<HTMLElement>(selector)].filter((x) => x.offsetParent !== null);
    if (all.length === 0) return;
    e.preventDefault();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }[e.key];
    all.at(next % all.length)!.focus();
  });
}
