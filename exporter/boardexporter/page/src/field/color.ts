import type { FieldConfig } from '../model';

export type ThemeName = 'light' | 'dark';

// Five shades a hue, lightest first. Names in dashboards are "super-light-red",
// "light-red", "red", "semi-dark-red", "dark-red".
const HUES: Record<string, [string, string, string, string, string]> = {
  red: ['#ffa6b0', '#ff7383', '#f2495c', '#e02f44', '#c4162a'],
  orange: ['#ffcb7d', '#ffb357', '#ff9830', '#ff780a', '#fa6400'],
  yellow: ['#fff899', '#ffee52', '#fade2a', '#f2cc0c', '#e0b400'],
  green: ['#c8f2c2', '#96d98d', '#73bf69', '#56a64b', '#37872d'],
  blue: ['#c0d8ff', '#8ab8ff', '#5794f2', '#3274d9', '#1f60c4'],
  purple: ['#deb6f2', '#ca95e5', '#b877d9', '#a352cc', '#8f3bb8'],
};
const SHADES = ['super-light-', 'light-', '', 'semi-dark-', 'dark-'];

const PLAIN: Record<string, [light: string, dark: string]> = {
  text: ['#24292e', '#ccccdc'],
  transparent: ['rgba(0,0,0,0)', 'rgba(0,0,0,0)'],
  gray: ['#808080', '#8e8e8e'],
  grey: ['#808080', '#8e8e8e'],
  white: ['#ffffff', '#ffffff'],
  black: ['#000000', '#000000'],
};

const PALETTE = [
  'green', 'semi-dark-yellow', 'light-blue', 'semi-dark-orange', 'red', 'blue', 'purple', 'dark-blue', 'dark-green', 'dark-yellow',
  'dark-purple', 'light-orange', 'light-green', 'light-red', 'light-purple', 'dark-orange', 'dark-red', 'yellow', 'semi-dark-green', 'semi-dark-blue',
];

const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const FUNCTION = /^rgba?\([\d\s.,%]+\)$/i;

export function knowsColor(name: string): boolean {
  return HEX.test(name) || FUNCTION.test(name) || name in PLAIN || hue(name) !== undefined;
}

function hue(name: string): { shades: string[]; at: number } | undefined {
  const m = /^((?:super-light|light|semi-dark|dark)-)?(\w+)$/.exec(name);
  const shades = m && HUES[m[2]!];
  return shades ? { shades, at: SHADES.indexOf(m[1] ?? '') } : undefined;
}

/** A colour name of the dashboard as CSS. On white every hue is taken a shade darker, else it would not be seen. */
export function resolveColor(name: string, theme: ThemeName): string {
  const plain = PLAIN[name];
  if (plain) return plain[theme === 'light' ? 0 : 1];
  const h = hue(name);
  if (h) return h.shades[Math.min(4, h.at + (theme === 'light' ? 1 : 0))]!;
  return name;
}

export function paletteColor(index: number, theme: ThemeName): string {
  return resolveColor(PALETTE[index % PALETTE.length]!, theme);
}

/** The same name gets the same colour, whatever stands beside it. */
export function colorByName(name: string, theme: ThemeName): string {
  let sum = 0;
  for (const c of name) sum = (sum * 31 + c.codePointAt(0)!) >>> 0;
  return paletteColor(sum, theme);
}

export const COLOR_MODES = ['fixed', 'thresholds', 'palette-classic', 'palette-classic-by-name'];

/** Colour of the highest threshold step that the value reaches. */
export function thresholdColor(v: number | null, c: FieldConfig, theme: ThemeName, range?: { min: number; max: number }): string {
  const steps = c.thresholds?.steps ?? [{ value: null, color: 'green' }];
  let name = steps[0]?.color ?? 'green';
  if (v !== null) {
    for (const s of steps) if (s.value === null || v >= thresholdValue(s.value, c, range)) name = s.color;
  }
  return resolveColor(name, theme);
}

/** A step's value on the field's own scale. */
export function thresholdValue(step: number, c: FieldConfig, range?: { min: number; max: number }): number {
  if (c.thresholds?.mode !== 'percentage') return step;
  const min = c.min ?? range?.min ?? 0;
  const max = c.max ?? range?.max ?? 100;
  return min + ((max - min) * step) / 100;
}

/** Colour of a series as a whole: thresholds look at its last value. */
export function seriesColor(c: FieldConfig, index: number, name: string, last: number | null, theme: ThemeName): string {
  switch (c.color?.mode) {
    case 'fixed':
      return resolveColor(c.color.fixedColor ?? 'gray', theme);
    case 'thresholds':
      return thresholdColor(last, c, theme);
    case 'palette-classic-by-name':
      return colorByName(name, theme);
    default:
      return paletteColor(index, theme);
  }
}

/** The colour with another opacity, as CSS. */
export function withAlpha(color: string, alpha: number): string {
  const long = /^#([0-9a-f]{3})$/i.test(color) ? `#${[...color.slice(1)].map((c) => c + c).join('')}` : color;
  const m = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(long);
  if (!m) return color;
  return `rgba(${parseInt(m[1]!, 16)}, ${parseInt(m[2]!, 16)}, ${parseInt(m[3]!, 16)}, ${alpha})`;
}

/** The colour as one of text: bright hues are darkened on white until they can be read. */
export function readable(color: string, theme: ThemeName): string {
  const m = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (!m || theme === 'dark') return color;
  let parts = m.slice(1).map((x) => parseInt(x, 16));
  while (luminance(parts) > 0.22) parts = parts.map((x) => Math.floor(x * 0.93));
  return `#${parts.map((x) => x.toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance, 0 to 1; a contrast of 4 to white needs less than 0.22. */
function luminance(parts: number[]): number {
  const [r, g, b] = parts.map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Black or white, whichever can be read on the colour. */
export function textOn(color: string): string {
  const m = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(color);
  if (!m) return '#ffffff';
  const [r, g, b] = [m[1]!, m[2]!, m[3]!].map((x) => parseInt(x, 16) / 255) as [number, number, number];
  return 0.299 * r + 0.587 * g + 0.114 * b > 0.6 ? '#111217' : '#ffffff';
}
