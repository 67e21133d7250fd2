import { describe, expect, it } from 'vitest';
import type { VariableModel } from '../../src/model';
import { PromClient } from '../../src/data/prom';
import { toggled } from '../../src/ui/variablepicker';
import { chooseValue, inOrder, loadVariables, parseVariableQuery } from '../../src/vars/load';
import { customOptions, filterOptions, interpolate, sortOptions, type Variable } from '../../src/vars/variables';
import { table } from './cases/table';

const variable = (name: string, value: string[], more: Partial<VariableModel> = {}, options: string[] = value): Variable => ({
  model: { name, type: 'query', ...more },
  options: options.map((o) => ({ text: o === 'openai' ? 'OpenAI' : o, value: o })),
  value,
});

const VARS = [
  variable('peer', ['openai'], { multi: true }),
  variable('one', ['it\'s "q" \\']),
  variable('code', ['tool.timeout', 'a|b'], { multi: true }),
  variable('class', ['$__all'], { multi: true, includeAll: true, allValue: 'task_failure|protocol_error' }, ['x']),
  variable('all', ['$__all'], { multi: true, includeAll: true }, ['x', 'y']),
];

describe('interpolation', () => {
  it.each(table('interpolate.tsv'))('%s: %s', (purpose, text, want) => {
    expect(interpolate(text!, VARS, purpose as 'promql', (n) => (n === '__rate_interval' ? '4m' : undefined))).toBe(want);
  });
});

describe('variable queries', () => {
  it.each(table('variable_queries.tsv'))('%s', (q, kind, match, rest) => {
    const got = parseVariableQuery(q!);
    expect(got?.kind ?? 'unknown').toBe(kind);
    if (got?.kind === 'values') expect([got.match ?? '', got.label]).toEqual([match, rest]);
    if (got?.kind === 'result') expect(got.expr).toBe(rest);
  });
});

describe('options', () => {
  const texts = (o: { text: string }[]): string => o.map((x) => x.text).join(' ');

  it('sorts as the dashboard says', () => {
    const o = customOptions('b10,a2,B1');
    expect(texts(sortOptions(o, 0))).toBe('b10 a2 B1');
    expect(texts(sortOptions(o, 1))).toBe('B1 a2 b10');
    expect(texts(sortOptions(o, 2))).toBe('b10 a2 B1');
    expect(texts(sortOptions(o, 3))).toBe('B1 a2 b10');
    expect(texts(sortOptions(o, 5))).toBe('a2 B1 b10');
  });

  it('keeps what the regex captures, once', () => {
    expect(filterOptions(['up{peer="a"} 1', 'up{peer="a"} 2', 'x'], '/peer="([^"]+)"/').map((o) => o.value)).toEqual(['a']);
    expect(filterOptions(['1 one'], '/(?<value>\\d+) (?<text>\\w+)/')).toEqual([{ value: '1', text: 'one' }]);
  });

  it('reads custom values', () => {
    expect(customOptions('a, b : bee, c\\, d')).toEqual([{ text: 'a', value: 'a' }, { text: 'b', value: 'bee' }, { text: 'c, d', value: 'c, d' }]);
  });

  it('chooses what is wanted, else the default', () => {
    const m: VariableModel = { name: 'x', type: 'query', multi: true, includeAll: true, current: { text: 'All', value: '$__all' } };
    const o = customOptions('a,b');
    expect(chooseValue(m, o, undefined)).toEqual(['$__all']);
    expect(chooseValue(m, o, ['a', 'b'])).toEqual(['a', 'b']);
    expect(chooseValue(m, o, ['gone'])).toEqual(['gone']);
    expect(chooseValue({ ...m, allowCustomValue: false }, o, ['gone'])).toEqual(['$__all']);
    expect(chooseValue({ ...m, multi: false, includeAll: false, current: undefined }, o, undefined)).toEqual(['a']);
    expect(chooseValue({ ...m, includeAll: false, current: undefined }, [], undefined)).toEqual([]);
  });

  it('toggles one of several and never leaves nothing', () => {
    const v = variable('x', ['a', 'b'], { multi: true, includeAll: true });
    expect(toggled(v, 'b')).toEqual(['a']);
    expect(toggled({ ...v, value: ['a'] }, 'a')).toEqual(['$__all']);
    expect(toggled({ ...v, value: ['$__all'] }, 'a')).toEqual(['a']);
    expect(toggled(v, '$__all')).toEqual(['$__all']);
  });
});

describe('loading', () => {
  it('orders variables by what their queries use', () => {
    const m = (name: string, query: string): VariableModel => ({ name, type: 'query', query });
    expect(inOrder([m('c', '$b'), m('b', 'x{a="$a"}'), m('a', '')]).map((v) => v.name)).toEqual(['a', 'b', 'c']);
    expect(() => inOrder([m('a', '$b'), m('b', '$a')])).toThrow('variables depend on each other: a > b > a');
  });

  it('asks later variables with the values of earlier ones', async () => {
    const asked: string[] = [];
    const prom = new PromClient('api', async (url) => {
      asked.push(new URL(String(url), 'http://x').searchParams.get('match[]') ?? '');
      return new Response(JSON.stringify({ status: 'success', data: asked.length === 1 ? ['shop'] : ['openai', 'a.b'] }));
    });
    const { vars, errors } = await loadVariables(
      [
        { name: 'service', type: 'query', query: 'label_values(up, service)', multi: true, includeAll: true, allValue: '.*' },
        { name: 'peer', type: 'query', query: { query: 'label_values(up{service=~"$service"}, peer)' } },
        { name: 'broken', type: 'query', query: 'nonsense' },
      ],
      (n) => (n === 'service' ? ['shop'] : undefined), prom, { from: 0, to: 1000 }, new AbortController().signal,
    );
    expect(asked).toEqual(['up', 'up{service=~"shop"}']);
    expect(vars.map((v) => v.value)).toEqual([['shop'], ['openai'], []]);
    expect(errors.map((e) => e.message)).toEqual(['variable broken: unknown query "nonsense"']);
  });
});
