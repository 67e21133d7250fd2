import { formatDuration, parseDuration, type TimeRange } from '../time/range';

// Grafana's steps between two points; an interval is rounded to one of them so that
// steps are numbers a person would choose.
const STEPS = [
  '10ms', '20ms', '50ms', '100ms', '200ms', '500ms', '1s', '2s', '5s', '10s', '15s', '20s', '30s', '1m', '2m', '5m',
  '10m', '15m', '20m', '30m', '1h', '2h', '3h', '6h', '12h', '1d', '7d', '30d', '365d',
].map(parseDuration);

/** A Prometheus answers at most 11 000 points a series. */
const MAX_POINTS = 11000;

export function roundInterval(ms: number): number {
  for (let i = 0; i < STEPS.length - 1; i++) {
    if (ms < (STEPS[i]! + STEPS[i + 1]!) / 2) return STEPS[i]!;
  }
  return STEPS[STEPS.length - 1]!;
}

/** Where and how finely a panel asks. */
export interface Resolution {
  /** Milliseconds; both ends are multiples of the step. */
  from: number;
  to: number;
  step: number;
  /** Interval of the data source, in milliseconds: how often samples arrive. */
  scrape: number;
}

/**
 * The step of a query: the range cut into maxDataPoints, rounded, never below the panel's
 * or the data source's own interval.
 */
export function resolution(range: TimeRange, maxDataPoints: number, minInterval: string | undefined, scrape: number): Resolution {
  const floor = minInterval ? parseDuration(minInterval.replace(/^>/, '')) : scrape;
  const span = range.to - range.from;
  let step = Math.max(roundInterval(span / Math.max(1, maxDataPoints)), floor);
  if (span / step > MAX_POINTS) step = STEPS.find((s) => span / s <= MAX_POINTS) ?? step;
  return { from: Math.floor(range.from / step) * step, to: Math.floor(range.to / step) * step, step, scrape: floor };
}

/** The built-in variables of time, as Grafana fills them in for a Prometheus query. */
export function timeVariables(range: TimeRange, r: Resolution): Record<string, string> {
  const seconds = Math.round((range.to - range.from) / 1000);
  return {
    __interval: formatDuration(r.step),
    __interval_ms: String(r.step),
    __rate_interval: formatDuration(Math.max(r.step + r.scrape, 4 * r.scrape)),
    __rate_interval_ms: String(Math.max(r.step + r.scrape, 4 * r.scrape)),
    __range: `${seconds}s`,
    __range_s: String(seconds),
    __range_ms: String(range.to - range.from),
    __from: String(range.from),
    __to: String(range.to),
  };
}
