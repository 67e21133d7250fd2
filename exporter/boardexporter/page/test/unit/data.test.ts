import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Transformation } from '../../src/model';
import { stretches } from '../../src/data/annotations';
import { thin, traceId } from '../../src/data/exemplars';
import { displayName, type Cell, type Frame } from '../../src/data/frame';
import { fillLegend, seriesName, tableFrame, timeSeriesFrames } from '../../src/data/query';
import { Gate, PromClient, type QueryResult } from '../../src/data/prom';
import { reduceField } from '../../src/data/reduce';
import { transform } from '../../src/data/transform';

interface Case {
  name: string;
  frames: Record<string, Cell[]>[];
  labels?: Record<string, string>[];
  transformations: Transformation[];
  want: Record<string, Cell[]>[];
}

const cases = JSON.parse(readFileSync(new URL('./cases/transformations.json', import.meta.url), 'utf8')) as Case[];

function toFrames(c: Case): Frame[] {
  return c.frames.map((columns, i) => ({
    fields: Object.entries(columns).map(([name, values]) => ({
      name, values, config: {}, type: name === 'Time' ? ('time' as const) : typeof values[0] === 'number' ? ('number' as const) : ('string' as const),
      labels: name.startsWith('Value') ? c.labels?.[i] : undefined,
    })),
  }));
}

describe('transformations', () => {
  it.each(cases.map((c) => [c.name, c] as const))('%s', (_, c) => {
    const got = transform(toFrames(c), c.transformations).map((f) => f.fields.map((x) => [displayName(x), x.values]));
    expect(got).toEqual(c.want.map((w) => Object.entries(w)));
  });
  it('refuses what it does not know', () => expect(() => transform([], [{ id: 'spiral' }])).toThrow('unknown transformation "spiral"'));
});

describe('frames', () => {
  const target = { refId: 'A', expr: 'up', legendFormat: '{{peer}}' };
  const matrix = { resultType: 'matrix' as const, result: [{ metric: { peer: 'a' }, values: [[10, '1'], [30, 'NaN'], [40, '+Inf']] as [number, string][] }] };

  it('puts samples on the grid and leaves gaps', () => {
    const [f] = timeSeriesFrames(target, matrix, { from: 10000, to: 40000, step: 10000, scrape: 10000 });
    expect(f!.fields[0]!.values).toEqual([10000, 20000, 30000, 40000]);
    expect(f!.fields[1]!.values).toEqual([1, null, null, Infinity]);
    expect(displayName(f!.fields[1]!)).toBe('a');
  });

  it('makes one table of a vector', () => {
    const r: QueryResult = { resultType: 'vector', result: [{ metric: { b: '1' }, value: [1, '2'] }, { metric: { a: 'x' }, value: [1, '3'] }] };
    const columns = (alone: boolean): unknown => tableFrame(target, r, alone)[0]!.fields.map((f) => [f.name, f.values]);
    expect(columns(true)).toEqual([['Time', [1000, 1000]], ['a', ['', 'x']], ['b', ['1', '']], ['Value', [2, 3]]]);
    expect(columns(false)).toContainEqual(['Value #A', [2, 3]]);
    expect(tableFrame(target, { resultType: 'vector', result: [] }, true)).toEqual([]);
  });

  it('names series', () => {
    const all = [{ a: '1', b: 'x' }, { a: '1', b: 'y' }];
    expect(seriesName({ refId: 'A', expr: 'up', legendFormat: '__auto' }, all, all[0]!)).toBe('x');
    expect(seriesName({ refId: 'A', expr: 'up' }, all, { __name__: 'up', a: '1' })).toBe('up{a="1"}');
    expect(seriesName({ refId: 'A', expr: 'sum(up)' }, [{}], {})).toBe('sum(up)');
    expect(fillLegend('{{ a }}/{{none}}', { a: '1' })).toBe('1/');
  });
});

describe('reducers', () => {
  it.each([['lastNotNull', 3], ['last', null], ['first', 1], ['min', 1], ['max', 3], ['mean', 2], ['sum', 4], ['count', 3], ['range', 2], ['diff', 2]])('%s', (id, want) => {
    expect(reduceField({ values: [1, 3, null] }, id)).toBe(want);
  });
  it('has nothing to say about nothing', () => expect(reduceField({ values: [null] }, 'mean')).toBeNull());
});

describe('annotations and exemplars', () => {
  it('joins samples that follow each other', () => {
    expect(stretches([[10, '1'], [25, '1'], [40, '1'], [100, '1'], [115, '0']], 15000)).toEqual([{ from: 10000, to: 40000 }, { from: 100000, to: 100000 }]);
  });

  it('keeps a few exemplars a step, each once', () => {
    const e = (time: number, value: number): Parameters<typeof thin>[0][number] => ({ time, value, labels: { trace_id: `${value}` }, series: {}, refId: 'A' });
    const got = thin([e(5, 1), e(5, 1), e(1, 2), e(2, 3), e(3, 4), e(15, 9)], 10);
    expect(got.map((x) => x.value)).toEqual([2, 3, 4, 9]);
    expect(traceId(got[0]!)).toBe('2');
  });
});

describe('client', () => {
  const answer = (body: unknown, status = 200): typeof fetch => async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  const { signal } = new AbortController();

  it('hands on the store\'s own words', async () => {
    await expect(new PromClient('', answer({ status: 'error', error: 'parse error at char 3' }, 400)).query('up', 0, signal)).rejects.toThrow('parse error at char 3');
  });
  it('takes null for no series', async () => {
    await expect(new PromClient('', answer({ status: 'success', data: { resultType: 'matrix', result: null } })).query('up', 0, signal)).resolves.toEqual({ resultType: 'matrix', result: [] });
  });
  it('tells what is no answer', async () => {
    await expect(new PromClient('', answer('<html>', 502)).query('up', 0, signal)).rejects.toThrow('the store answered 502');
  });
  it('lets only so many run at once', async () => {
    const gate = new Gate(2);
    let [now, most] = [0, 0];
    await Promise.all(Array.from({ length: 6 }, () => gate.run(signal, async () => {
      most = Math.max(most, ++now);
      await new Promise((r) => setTimeout(r, 1));
      now--;
    })));
    expect([now, most]).toEqual([0, 2]);
  });
});
