/** The Prometheus HTTP API, as much of it as dashboards need. */

export type Labels = Record<string, string>;

export interface MatrixSeries {
  metric: Labels;
  values: [number, string][];
}

export interface VectorSample {
  metric: Labels;
  value: [number, string];
}

export type QueryResult =
  | { resultType: 'matrix'; result: MatrixSeries[] }
  | { resultType: 'vector'; result: VectorSample[] }
  | { resultType: 'scalar'; result: [number, string] }
  | { resultType: 'string'; result: [number, string] };

export interface ExemplarSeries {
  seriesLabels: Labels;
  exemplars: { labels: Labels; value: string; timestamp: number }[];
}

interface Answer<T> {
  status: 'success' | 'error';
  data: T;
  error?: string;
  errorType?: string;
}

// A dashboard asks dozens of questions at once; more than a browser's six connections
// would only wait inside the browser, where they can't be cancelled in order.
const MAX_IN_FLIGHT = 6;

/** Runs at most so many tasks at a time, first come first served. */
export class Gate {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(n: number) {
    this.free = n;
  }

  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}

/** Some stores write null where there are no series. */
function notNull(r: QueryResult): QueryResult {
  return r.result === null ? ({ ...r, result: [] } as unknown as QueryResult) : r;
}

export class PromClient {
  private readonly gate = new Gate(MAX_IN_FLIGHT);

  constructor(
    private readonly base: string,
    private readonly fetcher: typeof fetch = (...a) => fetch(...a),
  ) {}

  /** Times are milliseconds since the epoch. */
  async query(expr: string, time: number, signal: AbortSignal): Promise<QueryResult> {
    return notNull(await this.call('query', { query: expr, time: time / 1000 }, signal, true));
  }

  async queryRange(expr: string, r: { from: number; to: number; step: number }, signal: AbortSignal): Promise<QueryResult> {
    return notNull(await this.call('query_range', { query: expr, start: r.from / 1000, end: r.to / 1000, step: r.step / 1000 }, signal, true));
  }

  exemplars(expr: string, r: { from: number; to: number }, signal: AbortSignal): Promise<ExemplarSeries[]> {
    return this.call('query_exemplars', { query: expr, start: r.from / 1000, end: r.to / 1000 }, signal, true);
  }

  labelNames(r: { from: number; to: number }, signal: AbortSignal): Promise<string[]> {
    return this.call('labels', { start: r.from / 1000, end: r.to / 1000 }, signal, false);
  }

  labelValues(label: string, match: string | undefined, r: { from: number; to: number }, signal: AbortSignal): Promise<string[]> {
    const p: Record<string, string | number> = { start: r.from / 1000, end: r.to / 1000 };
    if (match) p['match[]'] = match;
    return this.call(`label/${encodeURIComponent(label)}/values`, p, signal, false);
  }

  private async call<T>(path: string, params: Record<string, string | number>, signal: AbortSignal, post: boolean): Promise<T> {
    const body = new URLSearchParams(Object.entries(params).map(([k, v]): [string, string] => [k, String(v)]));
    const url = `${this.base}/${path}`;
    const res = await this.gate.run(signal, () =>
      post ? this.fetcher(url, { method: 'POST', body, signal }) : this.fetcher(`${url}?${body}`, { signal }),
    );
    let answer: Answer<T>;
    try {
      answer = (await res.json()) as Answer<T>;
    } catch {
      throw new Error(`the store answered ${res.status} ${res.statusText} without JSON`);
    }
    if (answer.status !== 'success') throw new Error(answer.error || `the store answered ${res.status}`);
    return answer.data;
  }
}
