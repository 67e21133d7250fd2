import { describe, expect, it } from 'vitest';
import { resolution, roundInterval, timeVariables } from '../../src/data/interval';
import { describeRange, formatDuration, parseDuration, parseTime, resolveRange } from '../../src/time/range';
import { shifted, zoomedOut } from '../../src/ui/timepicker';
import { table } from './cases/table';

const NOW = Date.parse('2026-06-15T12:34:56Z');

describe('time', () => {
  it.each(table('times.tsv'))('%s as %s is %s', (text, end, want) => {
    const get = (): number => parseTime(text!, NOW, end === 'to');
    if (want!.startsWith('error: ')) expect(get).toThrow(want!.slice(7));
    else expect(new Date(get()).toISOString()).toBe(want);
  });

  it.each([['15s', 15000], ['1m', 60000], ['65m', 3900000], ['1.5h', 5400000], ['7d', 604800000]])('%s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
  it.each([[60000, '1m'], [90000, '90s'], [604800000, '1w'], [1500, '1500ms']])('%d', (ms, text) => expect(formatDuration(ms)).toBe(text));
  it('refuses what is no duration', () => expect(() => parseDuration('fast')).toThrow('not a duration: "fast"'));
  it('refuses an empty range', () => expect(() => resolveRange({ from: 'now', to: 'now-1h' }, NOW)).toThrow('ends before it begins'));

  it('names ranges', () => {
    expect(describeRange({ from: 'now-1h', to: 'now' })).toBe('Last 1 hour');
    expect(describeRange({ from: 'now-90m', to: 'now' })).toBe('now-90m to now');
    expect(describeRange({ from: String(NOW), to: 'now' })).toBe('2026-06-15 12:34:56 to now');
  });

  it('moves and widens ranges', () => {
    expect(shifted({ from: 1000, to: 3000 }, -1)).toEqual({ from: '0', to: '2000' });
    expect(shifted({ from: 1000, to: 3000 }, 1)).toEqual({ from: '2000', to: '4000' });
    expect(zoomedOut({ from: 5000, to: 7000 }, 1e6)).toEqual({ from: '4000', to: '8000' });
    expect(zoomedOut({ from: 5000, to: 7000 }, 7000)).toEqual({ from: '3000', to: '7000' });
  });
});

describe('interval', () => {
  it.each(table('intervals.tsv'))('%s over %s points, panel %s, scrape %s', (range, points, min, scrape, step, rate, whole) => {
    const r = { from: NOW - parseDuration(range!), to: NOW };
    const got = resolution(r, Number(points), min || undefined, parseDuration(scrape!));
    const vars = timeVariables(r, got);
    expect([vars.__interval, vars.__rate_interval, vars.__range]).toEqual([step, rate, whole]);
    expect(got.from % got.step).toBe(0);
    expect((got.to - got.from) / got.step).toBeLessThanOrEqual(11000);
  });

  it('rounds to steps a person would choose', () => {
    expect([5142, 44000, 100000, 1e12].map(roundInterval)).toEqual([5000, 30000, 120000, 365 * 864e5]);
  });
});
