import type { Transformation } from '../model';
import { displayName, fieldNamed, frameLength, pickRows, timeField, type Cell, type Field, type Frame } from './frame';
import { joinByField, merge } from './join';

type Transformer = (frames: Frame[], options: Record<string, unknown>) => Frame[];

const record = (v: unknown): Record<string, unknown> => (v && typeof v === 'object' ? (v as Record<string, unknown>) : {});

/** Nothing and empty text sort as the smallest, whatever the direction of the others is. */
export function compareCells(a: Cell, b: Cell): number {
  if (a === b) return 0;
  if (a === null || a === '') return -1;
  if (b === null || b === '') return 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

/** Row numbers of a column in sorted order; equal rows keep theirs. */
export function sortedRows(values: Cell[], desc: boolean): number[] {
  const rows = values.map((_, i) => i);
  return rows.sort((a, b) => compareCells(values[a]!, values[b]!) * (desc ? -1 : 1) || a - b);
}

const organize: Transformer = (frames, o) => {
  const exclude = record(o.excludeByName);
  const include = record(o.includeByName);
  const index = record(o.indexByName);
  const rename = record(o.renameByName);
  const onlyIncluded = Object.values(include).some(Boolean);
  return frames.map((frame) => {
    const place = (f: Field): number => (typeof index[displayName(f)] === 'number' ? (index[displayName(f)] as number) : Infinity);
    const kept = frame.fields.filter((f) => !exclude[displayName(f)] && (!onlyIncluded || include[displayName(f)]));
    const order = kept.map((f, i) => ({ f, i }));
    order.sort((a, b) => (place(a.f) === place(b.f) ? a.i - b.i : place(a.f) - place(b.f)));
    return {
      ...frame,
      fields: order.map(({ f }) => {
        const name = rename[displayName(f)];
        return typeof name === 'string' && name ? { ...f, config: { ...f.config, displayName: name } } : f;
      }),
    };
  });
};

const sortBy: Transformer = (frames, o) => {
  const sort = record((o.sort as unknown[] | undefined)?.[0]);
  return frames.map((frame) => {
    const field = fieldNamed(frame, String(sort.field));
    return field ? pickRows(frame, sortedRows(field.values, sort.desc === true)) : frame;
  });
};

type Test = (v: Cell, o: Record<string, unknown>) => boolean;

const num = (v: unknown): number => Number(v);
const TESTS: Record<string, Test> = {
  isNull: (v) => v === null || v === '',
  isNotNull: (v) => v !== null && v !== '',
  equal: (v, o) => (typeof v === 'number' ? v === num(o.value) : String(v ?? '') === String(o.value)),
  notEqual: (v, o) => !TESTS.equal!(v, o),
  greater: (v, o) => v !== null && num(v) > num(o.value),
  greaterOrEqual: (v, o) => v !== null && num(v) >= num(o.value),
  lower: (v, o) => v !== null && num(v) < num(o.value),
  lowerOrEqual: (v, o) => v !== null && num(v) <= num(o.value),
  between: (v, o) => v !== null && num(v) >= num(o.from) && num(v) <= num(o.to),
  regex: (v, o) => new RegExp(String(o.value)).test(String(v ?? '')),
};

/** Conditions of filterByValue that are understood. */
export const VALUE_TESTS = Object.keys(TESTS);

const filterByValue: Transformer = (frames, o) => {
  const filters = ((o.filters as unknown[]) ?? []).map(record);
  return frames.map((frame) => {
    const checks = filters.flatMap((f) => {
      const field = fieldNamed(frame, String(f.fieldName));
      const config = record(f.config);
      return field ? [(row: number) => TESTS[String(config.id)]!(field.values[row]!, record(config.options))] : [];
    });
    if (checks.length === 0) return frame;
    const hit = (row: number): boolean => (o.match === 'all' ? checks.every((c) => c(row)) : checks.some((c) => c(row)));
    const rows = Array.from({ length: frameLength(frame) }, (_, i) => i);
    return pickRows(frame, rows.filter((row) => hit(row) === (o.type !== 'exclude')));
  });
};

/** Labels of series become columns (or, in mode "rows", lines of a label/value table). */
const labelsToFields: Transformer = (frames, o) => {
  const keep = o.keepLabels as string[] | undefined;
  const wanted = (f: Field): [string, string][] =>
    Object.entries(f.labels ?? {}).filter(([k]) => k !== '__name__' && (!keep?.length || keep.includes(k)));
  if (o.mode === 'rows') {
    return frames.flatMap((frame) =>
      frame.fields.filter((f) => f.labels).map((f): Frame => ({
        refId: frame.refId,
        fields: [
          { name: 'label', type: 'string', values: wanted(f).map(([k]) => k), config: {} },
          { name: 'value', type: 'string', values: wanted(f).map(([, v]) => v), config: {} },
        ],
      })),
    );
  }
  return merge(
    frames.flatMap((frame) => {
      const time = timeField(frame);
      const rows = frameLength(frame);
      return frame.fields.filter((f) => f !== time).map((f): Frame => {
        const labels = wanted(f);
        const nameFrom = typeof o.valueLabel === 'string' ? f.labels?.[o.valueLabel] : undefined;
        const columns = labels.filter(([k]) => k !== o.valueLabel || nameFrom === undefined);
        const constant = (v: string): Cell[] => Array.from({ length: rows }, () => v);
        return {
          refId: frame.refId,
          fields: [
            ...(time ? [time] : []),
            ...columns.map(([k, v]): Field => ({ name: k, type: 'string', values: constant(v), config: {} })),
            { ...f, name: nameFrom ?? f.name, labels: undefined, config: { ...f.config, displayNameFromSource: undefined } },
          ],
        };
      });
    }),
  );
};

const limit: Transformer = (frames, o) =>
  frames.map((f) => pickRows(f, Array.from({ length: Math.min(frameLength(f), Number(o.limitField ?? 10)) }, (_, i) => i)));

const TRANSFORMERS: Record<string, Transformer> = {
  organize,
  sortBy,
  filterByValue,
  labelsToFields,
  limit,
  merge,
  joinByField: (frames, o) => joinByField(frames, o.byField as string | undefined, o.mode === 'inner'),
};

export function knowsTransformation(id: string): boolean {
  return id in TRANSFORMERS;
}

export function transform(frames: Frame[], list: Transformation[] | undefined): Frame[] {
  return (list ?? []).reduce((acc, t) => {
    if (t.disabled) return acc;
    const f = TRANSFORMERS[t.id];
    if (!f) throw new Error(`unknown transformation "${t.id}"`);
    return f(acc, record(t.options));
  }, frames);
}
