import type { Panel } from '../model';
import type { Labels, PromClient } from './prom';
import { parseValue } from './query';
import type { Resolution } from './interval';

export interface Exemplar {
  time: number;
  value: number;
  labels: Labels;
  series: Labels;
  refId: string;
}

/** More than these in one step of the axis would only cover each other. */
const PER_STEP = 3;

export function thin(all: Exemplar[], step: number): Exemplar[] {
  const steps = new Map<number, Exemplar[]>();
  const seen = new Set<string>();
  for (const e of all) {
    const id = `${e.time} ${e.value} ${JSON.stringify(e.labels)}`;
    if (seen.has(id)) continue;
    seen.add(id);
    const at = Math.floor(e.time / step);
    steps.set(at, [...(steps.get(at) ?? []), e]);
  }
  return [...steps.values()]
    .flatMap((list) => list.sort((a, b) => b.value - a.value).slice(0, PER_STEP))
    .sort((a, b) => a.time - b.time);
}

/** The exemplars of all targets that ask for them. */
export async function queryExemplars(panel: Panel, prom: PromClient, r: Resolution, fill: (s: string) => string, signal: AbortSignal): Promise<Exemplar[]> {
  const parts = await Promise.all(
    (panel.targets ?? []).filter((t) => t.exemplar && !t.hide).map(async (t) => {
      const found = await prom.exemplars(fill(t.expr), { from: r.from, to: r.to + r.step }, signal);
      return found.flatMap((s) =>
        s.exemplars.map((e): Exemplar => ({
          time: e.timestamp * 1000,
          value: parseValue(e.value),
          labels: e.labels,
          series: s.seriesLabels,
          refId: t.refId,
        })),
      );
    }),
  );
  return thin(parts.flat(), r.step);
}

const TRACE_ID = ['trace_id', 'traceID', 'traceId', 'TraceID'];

export function traceId(e: Exemplar): string | undefined {
  return TRACE_ID.map((k) => e.labels[k]).find(Boolean);
}
