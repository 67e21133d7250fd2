import { describe, expect, it } from 'vitest';
import type { FieldConfig, ValueMapping } from '../../src/model';
import type { Field, Frame } from '../../src/data/frame';
import { colorByName, knowsColor, paletteColor, readable, resolveColor, textOn, thresholdColor, withAlpha } from '../../src/field/color';
import { show, shownText } from '../../src/field/display';
import { resolveLinks, safeAddress } from '../../src/field/links';
import { mapValue } from '../../src/field/mapping';
import { applyFieldConfig } from '../../src/field/overrides';

const field = (config: FieldConfig, values: Field['values'] = [1], more: Partial<Field> = {}): Field => ({ name: 'Value', type: 'number', values, config, ...more });

describe('colours', () => {
  const steps: FieldConfig = { thresholds: { mode: 'absolute', steps: [{ value: null, color: 'green' }, { value: 0.01, color: 'orange' }, { value: 0.05, color: 'red' }] } };
  it.each([[0, 'green'], [0.01, 'orange'], [0.049, 'orange'], [0.05, 'red'], [null, 'green']])('threshold of %s is %s', (v, name) => {
    expect(thresholdColor(v, steps, 'dark')).toBe(resolveColor(name, 'dark'));
  });
  it('reads thresholds in per cent of the range', () => {
    const c: FieldConfig = { min: 0, max: 200, thresholds: { mode: 'percentage', steps: [{ value: null, color: 'green' }, { value: 80, color: 'red' }] } };
    expect([159, 160].map((v) => thresholdColor(v, c, 'dark'))).toEqual([resolveColor('green', 'dark'), resolveColor('red', 'dark')]);
  });
  it('darkens hues on white', () => expect([resolveColor('red', 'dark'), resolveColor('red', 'light'), resolveColor('dark-red', 'light')]).toEqual(['#f2495c', '#e02f44', '#c4162a']));
  it.each([['red', true], ['super-light-blue', true], ['#8e8e8e', true], ['rgba(1, 2, 3, 0.5)', true], ['text', true], ['pinkish', false], ['url(x)', false]])('%s is known: %s', (c, ok) => expect(knowsColor(c)).toBe(ok));
  it('keeps colours apart and stable', () => {
    expect(new Set(Array.from({ length: 20 }, (_, i) => paletteColor(i, 'dark'))).size).toBe(20);
    expect(colorByName('openai', 'dark')).toBe(colorByName('openai', 'dark'));
  });
  it('darkens text on white until it can be read', () => {
    expect([readable('#fade2a', 'dark'), readable('#c4162a', 'light')]).toEqual(['#fade2a', '#c4162a']);
    expect(readable('#f2cc0c', 'light')).toBe('#907705');
  });
  it('computes', () => {
    expect(withAlpha('#ff0080', 0.5)).toBe('rgba(255, 0, 128, 0.5)');
    expect([textOn('#ffffff'), textOn('#000000')]).toEqual(['#111217', '#ffffff']);
  });
});

describe('mappings', () => {
  const m: ValueMapping[] = [
    { type: 'value', options: { 0: { text: 'quiet', color: 'green' }, yes: { text: 'Y' } } },
    { type: 'range', options: { from: 10, to: 20, result: { text: 'some' } } },
    { type: 'regex', options: { pattern: '/^a2a\\.(.+)$/', result: { text: 'agent $1' } } },
    { type: 'special', options: { match: 'null', result: { text: 'nothing' } } },
  ];
  it.each([[0, 'quiet'], ['yes', 'Y'], [10, 'some'], [20, 'some'], [21, undefined], ['a2a.reason', 'agent reason'], ['b', undefined], [null, 'nothing']])('%s is %s', (v, text) => {
    expect(mapValue(m, v)?.text).toBe(text);
  });
  it('beats unit and colour', () => {
    const s = show(field({ mappings: m, unit: 's', color: { mode: 'fixed', fixedColor: 'red' } }), 0, 'dark');
    expect([shownText(s), s.color]).toEqual(['quiet', resolveColor('green', 'dark')]);
  });
});

describe('display', () => {
  it('writes noValue where there is none', () => expect(shownText(show(field({ noValue: 'no calls' }), null, 'dark'))).toBe('no calls'));
  it('leaves text alone', () => expect(shownText(show(field({ unit: 's' }), 'openai', 'dark'))).toBe('openai'));
});

describe('overrides', () => {
  const frames: Frame[] = [{ refId: 'B', fields: [field({ displayNameFromSource: 'task failures' }), field({}, ['x'], { name: 'Peer', type: 'string' })] }];
  const source = (id: string, options: unknown): FieldConfig => applyFieldConfig(frames, {
    defaults: { unit: 's', custom: { lineWidth: 1 } },
    overrides: [{ matcher: { id, options }, properties: [{ id: 'unit', value: 'short' }, { id: 'custom.fillOpacity', value: 9 }] }],
  })[0]!.fields[0]!.config;

  it.each([
    ['byName', 'task failures'], ['byRegexp', '/^task/'], ['byRegexp', 'task.*'], ['byType', 'number'], ['byFrameRefID', 'B'], ['byNames', { mode: 'exclude', names: ['Peer'] }],
  ])('%s %s matches', (id, options) => {
    expect(source(id, options)).toMatchObject({ unit: 'short', custom: { lineWidth: 1, fillOpacity: 9 } });
  });
  it.each([['byName', 'task'], ['byRegexp', 'task'], ['byType', 'string'], ['byFrameRefID', 'A']])('%s %s does not', (id, options) => {
    expect(source(id, options)).toMatchObject({ unit: 's', custom: { lineWidth: 1 } });
  });
});

describe('links', () => {
  const frame: Frame = {
    fields: [
      field({ displayName: 'Service' }, ['shop'], { type: 'string' }),
      field({ displayNameFromSource: 'a b', unit: 'percentunit', decimals: 1 }, [0.25], { labels: { code: 'tool.timeout' } }),
    ],
  };
  const context = { vars: [{ model: { name: 'peer', type: 'query' as const }, options: [], value: ['a/b'] }], raw: { from: 'now-1h', to: 'now' }, range: { from: 1, to: 2 } };
  it.each([
    ['/d/x?var-peer=${__value.raw:percentencode}', '/d/x?var-peer=0.25'],
    ['/x?t=${__value.text}&n=${__field.name:percentencode}&s=${__series.name}', '/x?t=25.0%&n=a%20b&s=a b'],
    ['/runbooks/${__field.labels.code}.md', '/runbooks/tool.timeout.md'],
    ['/x?s=${__data.fields.Service}&s2=${__data.fields["Service"]}&s3=${__data.fields[0]}', '/x?s=shop&s2=shop&s3=shop'],
    ['/d/x?${__url_time_range}&${__all_variables}&${peer:queryparam}', '/d/x?from=now-1h&to=now&var-peer=a%2Fb&var-peer=a%2Fb'],
    ['/explore?from=${__from}&to=$__to', '/explore?from=1&to=2'],
  ])('%s', (url, want) => {
    expect(resolveLinks([{ title: 'T', url }], context, { frame, field: frame.fields[1]!, row: 0 })).toEqual([{ title: 'T', href: want, targetBlank: false }]);
  });
  it.each([['https://x/y', 'https://x/y'], ['/d/x', '/d/x'], ['javascript:alert(1)', undefined], ['//evil.example', undefined], ['data:text/html,x', undefined]])('%s may be followed: %s', (url, want) => expect(safeAddress(url)).toBe(want));
});
