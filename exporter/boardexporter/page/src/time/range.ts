/** A time range as the user gave it ("now-1h", milliseconds since the epoch, or an ISO time). */
export interface RawRange {
  from: string;
  to: string;
}

/** Both ends in milliseconds since the epoch. */
export interface TimeRange {
  from: number;
  to: number;
}

const SECOND = 1000;
const UNITS: Record<string, number> = {
  ms: 1,
  s: SECOND,
  m: 60 * SECOND,
  h: 3600 * SECOND,
  d: 86400 * SECOND,
  w: 7 * 86400 * SECOND,
  M: 30 * 86400 * SECOND,
  y: 365 * 86400 * SECOND,
};

/** Milliseconds of "30s", "1m", "2h"; throws on anything else. */
export function parseDuration(s: string): number {
  const m = /^(\d+(?:\.\d+)?)(ms|[smhdwMy])$/.exec(s.trim());
  if (!m) throw new Error(`not a duration: "${s}" (want a number and ms, s, m, h, d, w, M or y)`);
  return Number(m[1]) * UNITS[m[2]!]!;
}

/** Shortest exact way to write milliseconds as Prometheus and Grafana read them. */
export function formatDuration(ms: number): string {
  for (const u of ['w', 'd', 'h', 'm', 's'] as const) {
    const size = UNITS[u]!;
    if (ms >= size && ms % size === 0) return `${ms / size}${u}`;
  }
  return `${ms}ms`;
}

function startOf(t: number, unit: string, end: boolean): number {
  const d = new Date(t);
  d.setMilliseconds(0);
  d.setSeconds(0);
  if (unit !== 'm') d.setMinutes(0);
  if (unit !== 'm' && unit !== 'h') d.setHours(0);
  if (unit === 'w') d.setDate(d.getDate() - d.getDay());
  if (unit === 'M' || unit === 'y') d.setDate(1);
  if (unit === 'y') d.setMonth(0);
  if (!end) return d.getTime();
  if (unit === 'm') d.setMinutes(d.getMinutes() + 1);
  if (unit === 'h') d.setHours(d.getHours() + 1);
  if (unit === 'd') d.setDate(d.getDate() + 1);
  if (unit === 'w') d.setDate(d.getDate() + 7);
  if (unit === 'M') d.setMonth(d.getMonth() + 1);
  if (unit === 'y') d.setFullYear(d.getFullYear() + 1);
  return d.getTime() - 1;
}

/** Milliseconds since the epoch of one end of a range; throws with what is allowed. */
export function parseTime(s: string, now: number, end: boolean): number {
  const text = s.trim();
  if (/^\d{9,}$/.test(text)) return Number(text);
  const rel = /^now((?:[+-]\d+[smhdwMy])*)(?:\/([mhdwMy]))?$/.exec(text);
  if (rel) {
    let t = now;
    for (const [, sign, n, unit] of rel[1]!.matchAll(/([+-])(\d+)([smhdwMy])/g)) {
      t += (sign === '-' ? -1 : 1) * Number(n) * UNITS[unit!]!;
    }
    return rel[2] ? startOf(t, rel[2], end) : t;
  }
  const iso = Date.parse(text.replace(' ', 'T'));
  if (Number.isNaN(iso)) throw new Error(`not a time: "${s}" (want now-1h, 2026-01-31 13:45:00 or milliseconds)`);
  return iso;
}

/** The range at the given moment; throws when it is empty or backwards. */
export function resolveRange(raw: RawRange, now: number): TimeRange {
  const r = { from: parseTime(raw.from, now, false), to: parseTime(raw.to, now, true) };
  if (r.from >= r.to) throw new Error('the range ends before it begins');
  return r;
}

export const QUICK_RANGES: { label: string; from: string; to: string }[] = [
  ...[5, 15, 30].map((n) => ({ label: `Last ${n} minutes`, from: `now-${n}m`, to: 'now' })),
  { label: 'Last 1 hour', from: 'now-1h', to: 'now' },
  ...[3, 6, 12, 24].map((n) => ({ label: `Last ${n} hours`, from: `now-${n}h`, to: 'now' })),
  ...[2, 7, 30].map((n) => ({ label: `Last ${n} days`, from: `now-${n}d`, to: 'now' })),
  { label: 'Today so far', from: 'now/d', to: 'now' },
  { label: 'Yesterday', from: 'now-1d/d', to: 'now-1d/d' },
];

const two = (n: number): string => String(n).padStart(2, '0');

/** Local time as "2026-01-31 13:45:00". */
export function formatTime(ms: number): string {
  const d = new Date(ms);
  const date = `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
  return `${date} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
}

export function isRelative(raw: RawRange): boolean {
  return raw.from.startsWith('now') || raw.to.startsWith('now');
}

/** What the time picker's button says. */
export function describeRange(raw: RawRange): string {
  const quick = QUICK_RANGES.find((q) => q.from === raw.from && q.to === raw.to);
  if (quick) return quick.label;
  const end = (s: string): string => (/^\d{9,}$/.test(s) ? formatTime(Number(s)) : s);
  return `${end(raw.from)} to ${end(raw.to)}`;
}
