import { displayName, fieldNamed, frameLength, type Cell, type Field, type Frame } from './frame';

const key = (cells: Cell[]): string => JSON.stringify(cells);

/** A column list that grows row by row. */
class Builder {
  private readonly fields: Field[] = [];
  private rows = 0;

  column(like: Field): Field {
    const name = displayName(like);
    let f = this.fields.find((x) => displayName(x) === name);
    if (!f) {
      f = { ...like, values: Array.from({ length: this.rows }, () => null) };
      this.fields.push(f);
    }
    return f;
  }

  addRow(): number {
    for (const f of this.fields) f.values.push(null);
    return this.rows++;
  }

  build(): Frame[] {
    return this.fields.length ? [{ fields: this.fields }] : [];
  }
}

/**
 * Puts tables below each other; rows that agree in all columns the tables share become one
 * row as long as they don't contradict each other in the others.
 */
export function merge(frames: Frame[]): Frame[] {
  const list = frames.filter((f) => f.fields.length > 0);
  if (list.length < 2) return list;
  const names = list.map((f) => new Set(f.fields.map(displayName)));
  const shared = [...names[0]!].filter((n) => names.every((s) => s.has(n)));
  const out = new Builder();
  for (const frame of list) frame.fields.forEach((f) => out.column(f));
  const byKey = new Map<string, number[]>();
  for (const frame of list) {
    for (let row = 0; row < frameLength(frame); row++) {
      const k = key(shared.map((n) => fieldNamed(frame, n)!.values[row]!));
      const fits = (at: number): boolean =>
        frame.fields.every((f) => {
          const have = out.column(f).values[at];
          return have === null || have === f.values[row];
        });
      let at = byKey.get(k)?.find(fits);
      if (at === undefined) {
        at = out.addRow();
        byKey.set(k, [...(byKey.get(k) ?? []), at]);
      }
      for (const f of frame.fields) out.column(f).values[at] = f.values[row]!;
    }
  }
  return out.build();
}

/** Joins tables side by side on one column: the given one, or time. Inner keeps the keys all of them have. */
export function joinByField(frames: Frame[], by: string | undefined, inner: boolean): Frame[] {
  const keyOf = (f: Frame): Field | undefined => (by ? fieldNamed(f, by) : f.fields.find((x) => x.type === 'time'));
  const list = frames.filter((f) => keyOf(f));
  if (list.length < 2) return list;
  const keys = new Map<Cell, number>();
  for (const f of list) {
    for (const v of new Set(keyOf(f)!.values)) keys.set(v, (keys.get(v) ?? 0) + 1);
  }
  const rows = [...keys].filter(([, n]) => !inner || n === list.length).map(([v]) => v);
  const first = keyOf(list[0]!)!;
  if (first.type === 'time') rows.sort((a, b) => Number(a) - Number(b));
  const at = new Map(rows.map((v, i) => [v, i]));
  const fields: Field[] = [{ ...first, values: rows }];
  for (const f of list) {
    const k = keyOf(f)!;
    for (const field of f.fields) {
      if (field === k) continue;
      const values: Cell[] = rows.map(() => null);
      k.values.forEach((v, i) => {
        const row = at.get(v);
        if (row !== undefined) values[row] = field.values[i]!;
      });
      fields.push({ ...field, values });
    }
  }
  return [{ fields }];
}
