import type { MappingResult, ValueMapping } from '../model';
import type { Cell } from '../data/frame';

function special(match: string, v: Cell): boolean {
  switch (match) {
    case 'null':
      return v === null;
    case 'nan':
      return typeof v === 'number' && Number.isNaN(v);
    case 'null+nan':
      return v === null || (typeof v === 'number' && Number.isNaN(v));
    case 'empty':
      return v === '';
    case 'true':
      return v === 'true';
    case 'false':
      return v === 'false';
    default:
      return false;
  }
}

function one(m: ValueMapping, v: Cell): MappingResult | undefined {
  switch (m.type) {
    case 'value':
      return v === null ? undefined : m.options[String(v)];
    case 'range': {
      const n = typeof v === 'number' ? v : NaN;
      return n >= (m.options.from ?? -Infinity) && n <= (m.options.to ?? Infinity) ? m.options.result : undefined;
    }
    case 'regex': {
      if (v === null) return undefined;
      const re = stringToRegex(m.options.pattern);
      const text = String(v);
      if (!re.test(text)) return undefined;
      const { text: to, ...rest } = m.options.result;
      return { ...rest, text: to === undefined ? undefined : text.replace(re, to) };
    }
    case 'special':
      return special(m.options.match, v) ? m.options.result : undefined;
  }
}

/** "/a.b/i" or "a.b" as a regular expression. */
export function stringToRegex(s: string): RegExp {
  const m = /^\/(.*)\/([dgimsuy]*)$/s.exec(s);
  return m ? new RegExp(m[1]!, m[2]!.replace(/[gy]/g, '')) : new RegExp(`^(?:${s})$`);
}

/** The first mapping that fits the value. */
export function mapValue(mappings: ValueMapping[] | undefined, v: Cell): MappingResult | undefined {
  for (const m of mappings ?? []) {
    const r = one(m, v);
    if (r) return r;
  }
  return undefined;
}
