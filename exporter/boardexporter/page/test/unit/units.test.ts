import { describe, expect, it } from 'vitest';
import { formatText, formatTicks, fromNow, knowsUnit } from '../../src/field/units';
import { table } from './cases/table';

describe('units', () => {
  it.each(table('units.tsv'))('%s %s %s is %s', (value, unit, decimals, text) => {
    expect(knowsUnit(unit!)).toBe(true);
    expect(formatText(Number(value), unit, decimals ? Number(decimals) : undefined)).toBe(text);
  });

  it.each(table('ticks.tsv'))('ticks %s in %s', (values, unit, labels) => {
    expect(formatTicks(values!.split(',').map(Number), unit)).toEqual(labels!.split('|'));
  });

  it('writes what is no finite number', () => {
    expect(formatText(Infinity, 's')).toBe('∞');
    expect(formatText(NaN, 's')).toBe('NaN');
  });

  it('refuses a unit it does not know', () => {
    expect(knowsUnit('furlongs')).toBe(false);
    expect(() => formatText(1, 'furlongs')).toThrow('unknown unit "furlongs"');
  });

  it.each([[20e3, 'a few seconds ago'], [60e3, 'a minute ago'], [600e3, '10 minutes ago'], [7200e3, '2 hours ago'], [-600e3, 'in 10 minutes'], [3 * 864e5, '3 days ago']])('%d ms is %s', (ago, text) => {
    expect(fromNow(1e12 - ago, 1e12)).toBe(text);
  });
});
