import type { DataLink } from '../model';
import { displayName, fieldNamed, type Cell, type Field, type Frame } from '../data/frame';
import type { TimeRange, RawRange } from '../time/range';
import { interpolate, urlParams, type Scope, type Variable } from '../vars/variables';
import { show, shownText } from './display';

/** What a link may refer to beyond the dashboard's variables. */
export interface LinkTarget {
  frame: Frame;
  field: Field;
  row: number;
}

export interface LinkContext {
  vars: Variable[];
  raw: RawRange;
  range: TimeRange;
}

export interface ResolvedLink {
  title: string;
  href: string;
  targetBlank: boolean;
}

/** The place in a path like fields.Service, fields["Last seen"] or labels.code. */
function pathStep(path: string): [head: string, rest: string] {
  const m = /^(\w+)(?:\.(.+)|\[["']?(.+?)["']?\])?$/.exec(path);
  return m ? [m[1]!, m[2] ?? m[3] ?? ''] : [path, ''];
}

function text(f: Field, v: Cell): string {
  return shownText(show(f, v, 'dark'));
}

function fromField(t: LinkTarget, path: string): string | undefined {
  const [head, rest] = pathStep(path);
  if (head === 'name') return displayName(t.field);
  if (head === 'labels') return rest ? (t.field.labels?.[rest] ?? '') : Object.entries(t.field.labels ?? {}).map(([k, v]) => `${k}="${v}"`).join(', ');
  return undefined;
}

function fromValue(t: LinkTarget, path: string): string | undefined {
  const v = t.field.values[t.row] ?? null;
  if (path === 'raw' || path === '') return v === null ? '' : String(v);
  if (path === 'text') return text(t.field, v);
  if (path === 'numeric') return typeof v === 'number' ? String(v) : '';
  if (path === 'time') return String(t.frame.fields.find((f) => f.type === 'time')?.values[t.row] ?? '');
  return undefined;
}

function fromRow(t: LinkTarget, path: string): string | undefined {
  const [head, rest] = pathStep(path);
  if (head !== 'fields' || !rest) return undefined;
  const f = /^\d+$/.test(rest) ? t.frame.fields[Number(rest)] : fieldNamed(t.frame, rest.replace(/^["']|["']$/g, ''));
  return f ? text(f, f.values[t.row] ?? null) : '';
}

/** Names that links understand, for the check of shipped files. */
export const LINK_NAMES = ['__field', '__series', '__value', '__data', '__url_time_range', '__all_variables', '__from', '__to', '__range'];

export function linkScope(c: LinkContext, target: LinkTarget | undefined): Scope {
  return (name, path) => {
    switch (name) {
      case '__url_time_range':
        return `from=${encodeURIComponent(c.raw.from)}&to=${encodeURIComponent(c.raw.to)}`;
      case '__all_variables':
        return urlParams(c.vars).map(([k, v]) => `${encodeURIComponent(k)}=${encodeURIComponent(v)}`).join('&');
      case '__from':
        return String(c.range.from);
      case '__to':
        return String(c.range.to);
      case '__field':
        return target && fromField(target, path ?? 'name');
      case '__series':
        return target && displayName(target.field);
      case '__value':
        return target && fromValue(target, path ?? '');
      case '__data':
        return target && fromRow(target, path ?? '');
      default:
        return undefined;
    }
  };
}

/** An address that may be followed: http, https, or a path of this site. Anything else (javascript:) is refused. */
export function safeAddress(url: string): string | undefined {
  const trimmed = url.trim();
  if (/^https?:\/\//i.test(trimmed)) return trimmed;
  return /^[\w.+-]+:/.test(trimmed) || trimmed.startsWith('//') ? undefined : trimmed;
}

export function resolveLinks(links: DataLink[] | undefined, c: LinkContext, target?: LinkTarget): ResolvedLink[] {
  return (links ?? []).flatMap((l) => {
    const scope = linkScope(c, target);
    const href = safeAddress(interpolate(l.url, c.vars, 'link', scope));
    return href === undefined ? [] : [{ title: interpolate(l.title, c.vars, 'text', scope), href, targetBlank: l.targetBlank === true }];
  });
}
