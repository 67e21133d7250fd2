import { h } from './dom';
import { safeAddress } from '../field/links';

/** The part of Markdown that descriptions and text panels use: paragraphs, headings, lists, bold, italic, code, links. */

const INLINE = /\*\*(.+?)\*\*|\*(.+?)\*|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g;

function inline(text: string): (Node | string)[] {
  const out: (Node | string)[] = [];
  let at = 0;
  for (const m of text.matchAll(INLINE)) {
    out.push(text.slice(at, m.index));
    at = m.index + m[0].length;
    const [, bold, italic, code, label, url] = m;
    if (bold) out.push(h('strong', {}, ...inline(bold)));
    else if (italic) out.push(h('em', {}, ...inline(italic)));
    else if (code) out.push(h('code', {}, code));
    else {
      const href = safeAddress(url!);
      out.push(href ? h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, label!) : label!);
    }
  }
  out.push(text.slice(at));
  return out;
}

function block(text: string): Node {
  const lines = text.split('\n');
  const heading = /^(#{1,4}) (.+)$/.exec(lines[0]!);
  if (heading && lines.length === 1) {
    // The page's own headings are levels 1 and 2.
    const tag = (['h3', 'h3', 'h4', 'h5'] as const)[heading[1]!.length - 1]!;
    return h(tag, {}, ...inline(heading[2]!));
  }
  const list = (marker: RegExp): Node[] => lines.map((l) => h('li', {}, ...inline(l.replace(marker, ''))));
  if (lines.every((l) => /^[-*] /.test(l))) return h('ul', {}, ...list(/^[-*] /));
  if (lines.every((l) => /^\d+\. /.test(l))) return h('ol', {}, ...list(/^\d+\. /));
  return h('p', {}, ...inline(lines.join(' ')));
}

/** What the check of shipped files refuses in Markdown: it would be shown as plain characters. */
export function undrawnMarkdown(text: string): string | undefined {
  if (/<\/?[a-z][^>]*>/i.test(text)) return 'HTML';
  if (/!\[/.test(text)) return 'image';
  if (/^\|.+\|$/m.test(text)) return 'table';
  if (/^```/m.test(text)) return 'code block';
  return undefined;
}

export function markdown(text: string): DocumentFragment {
  const out = document.createDocumentFragment();
  out.append(...text.trim().split(/\n\s*\n/).map((b) => block(b.trim())));
  return out;
}
