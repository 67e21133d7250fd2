import { formatTime } from '../time/range';

/** A number in its unit, in the parts that are set in different sizes. */
export interface Formatted {
  prefix: string;
  text: string;
  suffix: string;
  /** The number behind the text, after scaling. */
  scaled: number;
}

interface Scaled {
  value: number;
  prefix?: string;
  suffix?: string;
  /** Set when the unit is no number: the text is final. */
  text?: string;
}

type Scale = (v: number) => Scaled;

const plain = (suffix = '', factor = 1): Scale => (v) => ({ value: v * factor, suffix });

/** Steps of a ladder: the largest bound that the number reaches gives divisor and suffix. */
function ladder(steps: [bound: number, suffix: string][]): Scale {
  return (v) => {
    const size = Math.abs(v);
    const [bound, suffix] = steps.findLast(([b]) => size >= b) ?? steps[0]!;
    return { value: v / bound, suffix };
  };
}

function thousands(names: string[]): Scale {
  return (v) => {
    const size = Math.abs(v);
    const i = size < 1000 ? 0 : Math.min(names.length - 1, Math.floor(Math.log10(size) / 3 + 1e-9));
    return { value: v / 1000 ** i, suffix: names[i] };
  };
}
const short = thousands(['', ' K', ' Mil', ' Bil', ' Tri']);
const letter = thousands(['', 'K', 'M', 'B', 'T']);
const rate = (name: string): Scale => (v) => {
  const s = letter(v);
  return { value: s.value, suffix: `${s.suffix} ${name}` };
};

const sizes = (base: number, names: string[]): Scale => {
  const scale = ladder(names.map((n, i) => [base ** i, ` ${n}`]));
  return (v) => (Math.abs(v) < base ? { value: v, suffix: ` ${names[0]}` } : scale(v));
};

const DURATION: [number, string][] = [
  [1e-9, ' ns'], [1e-6, ' µs'], [1e-3, ' ms'], [1, ' s'], [60, ' min'], [3600, ' h'], [86400, ' d'], [604800, ' wk'], [31536000, ' y'],
];
const duration = (factor: number): Scale => {
  const scale = ladder(DURATION);
  return (v) => (v === 0 ? { value: 0, suffix: ' s' } : scale(v * factor));
};

const currency = (sign: string): Scale => (v) => ({ ...letter(v), prefix: sign });

const moment = (f: (ms: number) => string): Scale => (v) => ({ value: v, text: f(v) });
const word = (yes: string, no: string): Scale => (v) => ({ value: v, text: v === 0 ? no : yes });

/** "5 minutes ago" or "in 2 hours", from milliseconds since the epoch. */
export function fromNow(ms: number, now = Date.now()): string {
  const s = Math.abs(now - ms) / 1000;
  const steps: [number, number, string][] = [
    [45, 1, 'a few seconds'], [90, 60, 'a minute'], [2700, 60, 'minutes'], [5400, 3600, 'an hour'], [79200, 3600, 'hours'],
    [129600, 86400, 'a day'], [2246400, 86400, 'days'], [Infinity, 2592000, 'months'],
  ];
  const [, size, name] = steps.find(([limit]) => s < limit)!;
  const text = /^an? /.test(name) ? name : `${Math.round(s / size)} ${name}`;
  return ms > now ? `in ${text}` : `${text} ago`;
}

const UNITS: Record<string, Scale> = {
  none: plain(),
  short,
  string: plain(),
  percent: plain('%'),
  percentunit: plain('%', 100),
  ns: duration(1e-9),
  'µs': duration(1e-6),
  ms: duration(1e-3),
  s: duration(1),
  m: duration(60),
  h: duration(3600),
  d: duration(86400),
  reqps: rate('req/s'),
  ops: rate('ops/s'),
  cps: rate('c/s'),
  rps: rate('rd/s'),
  wps: rate('wr/s'),
  reqpm: rate('req/m'),
  opm: rate('ops/m'),
  cpm: rate('c/m'),
  bytes: sizes(1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']),
  decbytes: sizes(1000, ['B', 'kB', 'MB', 'GB', 'TB', 'PB']),
  Bps: sizes(1000, ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s']),
  binBps: sizes(1024, ['B/s', 'KiB/s', 'MiB/s', 'GiB/s', 'TiB/s']),
  currencyUSD: currency('$'),
  currencyEUR: currency('€'),
  bool: word('True', 'False'),
  bool_yes_no: word('Yes', 'No'),
  bool_on_off: word('On', 'Off'),
  dateTimeFromNow: moment((v) => fromNow(v)),
  dateTimeAsIso: moment(formatTime),
  dateTimeAsLocal: moment((v) => new Date(v).toLocaleString()),
  locale: (v) => ({ value: v, text: v.toLocaleString() }),
};

/** Whether the page can write numbers in this unit. */
export function knowsUnit(unit: string): boolean {
  return unit === '' || unit in UNITS || unit.startsWith('suffix:') || unit.startsWith('prefix:');
}

function scaleOf(unit: string | undefined): Scale {
  if (!unit) return short;
  if (unit.startsWith('suffix:')) return plain(` ${unit.slice(7)}`);
  if (unit.startsWith('prefix:')) return (v) => ({ value: v, prefix: unit.slice(7) });
  const s = UNITS[unit];
  if (!s) throw new Error(`unknown unit "${unit}"`);
  return s;
}

/** Decimals that keep three digits, none for whole numbers. */
export function autoDecimals(v: number): number {
  if (Number.isInteger(v)) return 0;
  return Math.min(12, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(v)))));
}

/** Writes a number in its unit. Without decimals as many are taken as the number needs. */
export function format(v: number, unit: string | undefined, decimals?: number | null): Formatted {
  if (Number.isNaN(v)) return { prefix: '', text: 'NaN', suffix: '', scaled: v };
  if (!Number.isFinite(v)) return { prefix: '', text: v < 0 ? '-∞' : '∞', suffix: '', scaled: v };
  const s = scaleOf(unit)(v);
  if (s.text !== undefined) return { prefix: '', text: s.text, suffix: '', scaled: s.value };
  const text = s.value.toFixed(decimals ?? autoDecimals(s.value));
  return { prefix: s.prefix ?? '', text: /^-0(\.0*)?$/.test(text) ? text.slice(1) : text, suffix: s.suffix ?? '', scaled: s.value };
}

export function formatText(v: number, unit: string | undefined, decimals?: number | null): string {
  const f = format(v, unit, decimals);
  return f.prefix + f.text + f.suffix;
}

/** Axis labels: the fewest decimals, the same for all, with which no label is rounded. */
export function formatTicks(ticks: number[], unit: string | undefined, decimals?: number | null): string[] {
  for (let d = 0; d < 8; d++) {
    const out = ticks.map((t) => format(t, unit, decimals ?? d));
    const exact = out.every((f) => Math.abs(Number(f.text) - f.scaled) <= 1e-6 * Math.max(1e-9, Math.abs(f.scaled)));
    if (decimals != null || exact || out.some((f) => Number.isNaN(Number(f.text)))) return out.map((f) => f.prefix + f.text + f.suffix);
  }
  return ticks.map((t) => formatText(t, unit));
}
