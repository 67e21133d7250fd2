import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Dashboard, Panel } from '../../src/model';
import { formatRoute, hrefInPage, parseRoute, RUNBOOK_BASE } from '../../src/router';
import { gridArea, sections } from '../../src/layout';
import { covered, groupMarkers } from '../../src/panels/chart';
import { timeLabels } from '../../src/panels/axes';
import { nextHidden } from '../../src/panels/legend';
import { stack } from '../../src/panels/paths';
import { segments } from '../../src/panels/statetimeline';
import { runbookLinks } from '../../src/ui/runbook';
import { traceAddress } from '../../src/ui/settings';

describe('addresses', () => {
  it.each([
    ['/d/harnesserr-one-peer?var-peer=a%2Fb&from=now-1h&to=now', '?dashboard=harnesserr-one-peer&from=now-1h&to=now&var-peer=a%2Fb'],
    ['/d/x/some-name?viewPanel=31', '?dashboard=x&viewPanel=31'],
    ['/d/x', '?dashboard=x'],
    [`${RUNBOOK_BASE}codes/tool.timeout.md`, '?runbook=codes%2Ftool.timeout.md'],
    ['?dashboard=x', '?dashboard=x'],
    ['/explore?panes=1', undefined],
    ['https://example.com/d/x', undefined],
  ])('%s is %s', (href, want) => expect(hrefInPage(href)).toBe(want));

  it('know the address of the runbooks that dashboards use', () => {
    const names = readFileSync(new URL('../../../../../dashboards/contract/contract.go', import.meta.url), 'utf8');
    expect(names).toContain(`RunbookBase = "${RUNBOOK_BASE}"`);
  });

  it.each([
    ['../README.md', '?runbook=README.md'], ['tool.timeout.md', '?runbook=codes%2Ftool.timeout.md'], [`${RUNBOOK_BASE}README.md`, '?runbook=README.md'],
    ['https://example.com/x', 'https://example.com/x'], ['javascript:alert(1)', undefined], ['../../../etc/passwd', undefined],
  ])('of a runbook: %s is %s', (url, want) => expect(runbookLinks('codes/output.truncated.md')(url)).toBe(want));

  it('survive a round trip', () => {
    const s = '?dashboard=x&from=now-1h&to=now&refresh=&var-a=1&var-a=2&viewPanel=3';
    expect(formatRoute(parseRoute(s))).toBe(s);
    expect(parseRoute(s).vars.get('a')).toEqual(['1', '2']);
  });

  it.each([
    ['http://localhost:16686/trace/{trace_id}', 'http://localhost:16686/trace/ab%2F1'],
    ['javascript:{trace_id}', undefined], ['http://localhost/', undefined], ['', undefined],
  ])('trace at %s', (trace, want) => expect(traceAddress({ grafana: '', trace }, 'ab/1')).toBe(want));
});

describe('layout', () => {
  const p = (id: number, type: string, x: number, y: number, more: Partial<Panel> = {}): Panel => ({ id, type, gridPos: { x, y, w: 12, h: 8 }, ...more });
  it('puts panels under their rows', () => {
    const d: Dashboard = { uid: 'u', title: 't', panels: [p(2, 'row', 0, 8, { title: 'A' }), p(1, 'stat', 0, 0), p(4, 'stat', 12, 9), p(3, 'stat', 0, 9), p(5, 'row', 0, 17, { collapsed: true, panels: [p(6, 'stat', 0, 18)] })] };
    expect(sections(d).map((s) => [s.row?.id, s.panels.map((x) => x.id), s.collapsed])).toEqual([[undefined, [1], false], [2, [3, 4], false], [5, [6], true]]);
  });
  it('places a panel in its section', () => expect(gridArea({ x: 12, y: 9, w: 12, h: 8 }, 9)).toBe('1 / 13 / span 8 / span 12'));
});

describe('drawing', () => {
  it('stacks and keeps gaps', () => {
    expect(stack([[1, null, 3], [4, 5, null]], false)).toEqual([[1, null, 3], [5, 5, null]]);
    expect(stack([[1, 0], [3, 0]], true)).toEqual([[0.25, 0], [1, 0]]);
  });

  it('joins equal states that touch', () => {
    const state = (v: unknown): { text: string; color: string } | undefined => (v === null ? undefined : { text: String(v), color: 'c' });
    const at = (merge: boolean): unknown => segments([0, 10, 20, 30], [1, 1, null, 2], state, 10, merge).map((s) => [s.from, s.to, s.text]);
    expect(at(true)).toEqual([[0, 20, '1'], [30, 40, '2']]);
    expect(at(false)).toEqual([[0, 10, '1'], [10, 20, '1'], [30, 40, '2']]);
  });

  it('hides series the way Grafana does', () => {
    const all = ['a', 'b', 'c'];
    expect([...nextHidden(new Set(), all, 'a', false)]).toEqual(['b', 'c']);
    expect([...nextHidden(new Set(['b', 'c']), all, 'a', false)]).toEqual([]);
    expect([...nextHidden(new Set(), all, 'a', true)]).toEqual(['a']);
    expect([...nextHidden(new Set(['a']), all, 'a', true)]).toEqual([]);
  });

  it('gathers markers that would cover each other', () => {
    const a = { from: 0, to: 0, title: '', text: '', tags: [], color: 'red', source: '' };
    const span = (from: number, to: number, color = 'red'): typeof a => ({ ...a, from, to, color });
    expect(covered([span(0, 10), span(5, 20), span(30, 40), span(0, 5, 'blue')]).map((x) => [x.color, x.from, x.to])).toEqual([['blue', 0, 5], ['red', 0, 20], ['red', 30, 40]]);
    expect(groupMarkers([{ at: 30, a }, { at: 0, a }, { at: 5, a }], 14).map((g) => [g.at, g.list.length])).toEqual([[0, 2], [30, 1]]);
  });

  it('writes times as short as their distance allows', () => {
    const t = [new Date(2026, 0, 2, 3, 4, 5).getTime()];
    expect(timeLabels(t, 1000, 60e3)).toEqual(['03:04:05']);
    expect(timeLabels(t, 60e3, 3600e3)).toEqual(['03:04']);
    expect(timeLabels(t, 3600e3, 2 * 864e5)).toEqual(['01/02 03:04']);
    expect(timeLabels(t, 864e5, 864e6)).toEqual(['01/02']);
  });
});
