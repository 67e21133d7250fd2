import type { AnnotationModel } from '../model';
import { parseDuration, type TimeRange } from '../time/range';
import type { Labels, PromClient } from './prom';
import { fillLegend } from './query';
import { roundInterval } from './interval';

/** Something that held from one moment to another. */
export interface Annotation {
  from: number;
  to: number;
  title: string;
  text: string;
  tags: string[];
  color: string;
  source: string;
  /** Name of the alert behind it, which is also the name of its runbook. */
  alert?: string;
}

const DEFAULT_STEP = 15_000;
const MAX_STEPS = 2000;

/** Stretches of samples that follow each other without a gap. */
export function stretches(values: [number, string][], step: number): { from: number; to: number }[] {
  const out: { from: number; to: number }[] = [];
  for (const [seconds, v] of values) {
    if (Number(v) === 0) continue;
    const t = seconds * 1000;
    const open = out[out.length - 1];
    if (open && t - open.to <= step * 1.5) open.to = t;
    else out.push({ from: t, to: t });
  }
  return out;
}

function describe(a: AnnotationModel, labels: Labels): Pick<Annotation, 'title' | 'text' | 'tags'> {
  return {
    title: a.titleFormat ? fillLegend(a.titleFormat, labels) : (labels.alertname ?? a.name),
    text: fillLegend(a.textFormat ?? '', labels).trim(),
    tags: (a.tagKeys ?? '').split(',').map((k) => labels[k.trim()]).filter((v): v is string => Boolean(v)),
  };
}

async function queryOne(a: AnnotationModel, prom: PromClient, range: TimeRange, fill: (s: string) => string, signal: AbortSignal): Promise<Annotation[]> {
  const step = Math.max(a.step ? parseDuration(a.step) : DEFAULT_STEP, roundInterval((range.to - range.from) / MAX_STEPS));
  const from = Math.floor(range.from / step) * step;
  const r = await prom.queryRange(fill(a.expr!), { from, to: range.to, step }, signal);
  if (r.resultType !== 'matrix') return [];
  return r.result.flatMap((s) =>
    stretches(s.values, step).map((x): Annotation => ({ ...x, ...describe(a, s.metric), color: a.iconColor ?? 'blue', source: a.name, alert: s.metric.alertname })),
  );
}

export async function queryAnnotations(
  models: AnnotationModel[],
  prom: PromClient,
  range: TimeRange,
  fill: (s: string) => string,
  signal: AbortSignal,
): Promise<Annotation[]> {
  const parts = await Promise.all(models.filter((a) => a.enable && !a.builtIn && a.expr).map((a) => queryOne(a, prom, range, fill, signal)));
  return parts.flat().sort((a, b) => a.from - b.from);
}
