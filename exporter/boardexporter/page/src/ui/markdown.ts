import { h } from './dom';
import { safeAddress } from '../field/links';

/**
 * The part of Markdown that descriptions, text panels and runbooks use: paragraphs,
 * headings, lists, tables, bold, italic, code, links. Comments are left out.
 */

/** Where a link leads; undefined for one that must not be followed. */
export type LinkMap = (url: string) => string | undefined;

const INLINE = /\*\*(.+?)\*\*|\*(.+?)\*|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g;

function linkTo(label: string, href: string | undefined): Node | string {
  if (!href) return label;
  const away = /^https?:/i.test(href);
  return h('a', { href, target: away ? '_blank' : undefined, rel: away ? 'noopener noreferrer' : undefined }, label);
}

function inline(text: string, map: LinkMap): (Node | string)[] {
  const out: (Node | string)[] = [];
  let at = 0;
  for (const m of text.matchAll(INLINE)) {
    out.push(text.slice(at, m.index));
    at = m.index + m[0].length;
    const [, bold, italic, code, label, url] = m;
    if (bold) out.push(h('strong', {}, ...inline(bold, map)));
    else if (italic) out.push(h('em', {}, ...inline(italic, map)));
    else if (code) out.push(h('code', {}, code));
    else out.push(linkTo(label!, map(url!)));
  }
  out.push(text.slice(at));
  return out;
}

/** Cells of a table's line; a pipe inside one is written \|. */
function cells(line: string): string[] {
  return line.replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((c) => c.replaceAll('\\|', '|').trim());
}

function tableBlock(lines: string[], map: LinkMap): Node {
  const row = (line: string, tag: 'th' | 'td'): Node => h('tr', {}, ...cells(line).map((c) => h(tag, tag === 'th' ? { scope: 'col' } : {}, ...inline(c, map))));
  return h('table', {}, h('thead', {}, row(lines[0]!, 'th')), h('tbody', {}, ...lines.slice(2).map((l) => row(l, 'td'))));
}

/** Lines that only continue a list item belong to it. */
function items(lines: string[], marker: RegExp): string[] | undefined {
  const out: string[] = [];
  for (const l of lines) {
    if (marker.test(l)) out.push(l.replace(marker, ''));
    else if (out.length && /^\s+\S/.test(l)) out[out.length - 1] += ` ${l.trim()}`;
    else return undefined;
  }
  return out;
}

function block(text: string, map: LinkMap): Node {
  const lines = text.split('\n');
  const heading = /^(#{1,4}) (.+)$/.exec(text);
  if (heading) {
    // The page's own headings are levels 1 and 2.
    const tag = (['h3', 'h4', 'h5', 'h6'] as const)[heading[1]!.length - 1]!;
    return h(tag, {}, ...inline(heading[2]!, map));
  }
  if (lines.length > 1 && /^\|[-:| ]+\|$/.test(lines[1]!)) return tableBlock(lines, map);
  const li = (list: string[]): Node[] => list.map((l) => h('li', {}, ...inline(l, map)));
  const bullets = items(lines, /^[-*] /);
  if (bullets) return h('ul', {}, ...li(bullets));
  const steps = items(lines, /^\d+\. /);
  if (steps) return h('ol', {}, ...li(steps));
  return h('p', {}, ...inline(lines.join(' '), map));
}

/** What the check of shipped files refuses in Markdown: it would be shown as plain characters. */
export function undrawnMarkdown(text: string): string | undefined {
  if (/<\/?[a-z][^>]*>/i.test(text)) return 'HTML';
  if (/!\[/.test(text)) return 'image';
  if (/^```/m.test(text)) return 'code block';
  return undefined;
}

export function markdown(text: string, map: LinkMap = safeAddress): DocumentFragment {
  const out = document.createDocumentFragment();
  // A heading ends with its line, also without an empty line behind it.
  const plain = text.replace(/<!--[\s\S]*?-->\n?/g, '').replace(/^(#{1,4} .+)\n(?!\n)/gm, '$1\n\n');
  out.append(...plain.trim().split(/\n\s*\n/).map((b) => block(b.trim(), map)));
  return out;
}
