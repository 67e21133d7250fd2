import type { Cell, Field } from './frame';

type Reducer = (v: number[], all: (number | null)[]) => number | null;

const sum = (v: number[]): number => v.reduce((a, b) => a + b, 0);
const ends = (f: (first: number, last: number) => number): Reducer => (v) => (v.length ? f(v[0]!, v[v.length - 1]!) : null);

const REDUCERS: Record<string, Reducer> = {
  lastNotNull: ends((_, l) => l),
  last: (_, all) => all[all.length - 1] ?? null,
  firstNotNull: ends((f) => f),
  first: (_, all) => all[0] ?? null,
  min: (v) => (v.length ? v.reduce((a, b) => Math.min(a, b)) : null),
  max: (v) => (v.length ? v.reduce((a, b) => Math.max(a, b)) : null),
  mean: (v) => (v.length ? sum(v) / v.length : null),
  sum: (v) => (v.length ? sum(v) : null),
  count: (_, all) => all.length,
  range: (v) => (v.length ? Math.max(...v) - Math.min(...v) : null),
  diff: ends((f, l) => l - f),
};

const TITLES: Record<string, string> = {
  lastNotNull: 'Last *', last: 'Last', firstNotNull: 'First *', first: 'First', min: 'Min', max: 'Max', mean: 'Mean', sum: 'Total',
  count: 'Count', range: 'Range', diff: 'Difference',
};

export function knowsReducer(id: string): boolean {
  return id in REDUCERS;
}

export function reducerTitle(id: string): string {
  return TITLES[id] ?? id;
}

/** One number out of a column; null when it holds none. */
export function reduceField(f: Pick<Field, 'values'>, id: string): number | null {
  const r = REDUCERS[id];
  if (!r) throw new Error(`unknown calculation "${id}"`);
  const all = f.values.map((v: Cell) => (typeof v === 'number' ? v : null));
  return r(all.filter((v): v is number => v !== null), all);
}
