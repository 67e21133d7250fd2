import type { Cell, Field } from '../data/frame';
import { formatTime } from '../time/range';
import { format, type Formatted } from './units';
import { mapValue } from './mapping';
import { resolveColor, seriesColor, thresholdColor, type ThemeName } from './color';

export interface Shown extends Formatted {
  color: string;
  /** True when a value mapping or noValue chose the text. */
  mapped: boolean;
}

const words = (text: string, color: string, mapped = true): Shown => ({ prefix: '', text, suffix: '', scaled: NaN, color, mapped });

/** Text and colour of one value of a field. index is the field's place in the panel. */
export function show(f: Field, v: Cell, theme: ThemeName, index = 0, range?: { min: number; max: number }): Shown {
  const n = typeof v === 'number' ? v : null;
  const byThreshold = f.config.color?.mode === 'thresholds';
  const color = byThreshold ? thresholdColor(n, f.config, theme, range) : seriesColor(f.config, index, f.name, n, theme);
  const mapped = mapValue(f.config.mappings, v);
  if (mapped) {
    const c = mapped.color ? resolveColor(mapped.color, theme) : color;
    if (mapped.text !== undefined) return words(mapped.text, c);
    return { ...plain(f, v, c), color: c };
  }
  return plain(f, v, color);
}

function plain(f: Field, v: Cell, color: string): Shown {
  if (v === null) return words(f.config.noValue ?? '', color);
  if (typeof v === 'string') return words(v, color, false);
  if (f.type === 'time' && !f.config.unit) return words(formatTime(v), color, false);
  return { ...format(v, f.config.unit, f.config.decimals), color, mapped: false };
}

export function shownText(s: Formatted): string {
  return s.prefix + s.text + s.suffix;
}

/** Text of one value, for places without colour. */
export function cellText(f: Field, v: Cell): string {
  return shownText(show(f, v, 'dark'));
}
