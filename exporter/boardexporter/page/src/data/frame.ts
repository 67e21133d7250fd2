import type { FieldConfig } from '../model';

export type FieldType = 'time' | 'number' | 'string';
export type Cell = number | string | null;

/** A column: times are in milliseconds since the epoch. */
export interface Field {
  name: string;
  type: FieldType;
  values: Cell[];
  labels?: Record<string, string>;
  config: FieldConfig;
}

/** A table of columns of equal length; one for each series, or one for each table query. */
export interface Frame {
  refId?: string;
  fields: Field[];
}

export function frameLength(f: Frame): number {
  return f.fields[0]?.values.length ?? 0;
}

/** The name a reader sees. Overrides, transformations and links all match on it. */
export function displayName(f: Field): string {
  return f.config.displayName || f.config.displayNameFromSource || f.name;
}

export function fieldNamed(frame: Frame, name: string): Field | undefined {
  return frame.fields.find((f) => displayName(f) === name) ?? frame.fields.find((f) => f.name === name);
}

export function timeField(f: Frame): Field | undefined {
  return f.fields.find((x) => x.type === 'time');
}

export function numberFields(frames: Frame[]): Field[] {
  return frames.flatMap((f) => f.fields.filter((x) => x.type === 'number'));
}

/** True when there is at least one value to show. */
export function hasData(frames: Frame[]): boolean {
  return frames.some((f) => f.fields.some((x) => x.type !== 'time' && x.values.some((v) => v !== null && v !== '')));
}

/** The frame reduced to the rows at the given places, in their order. */
export function pickRows(frame: Frame, rows: number[]): Frame {
  return { ...frame, fields: frame.fields.map((f) => ({ ...f, values: rows.map((r) => f.values[r] ?? null) })) };
}
