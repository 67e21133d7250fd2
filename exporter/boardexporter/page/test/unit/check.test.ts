import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkDashboard } from '../../src/check/dashboard';
import { table } from './cases/table';

const base = JSON.parse(readFileSync(new URL('./cases/dashboard.json', import.meta.url), 'utf8')) as Record<string, unknown>;

/** Sets a place like panels[0].options.x in a copy of the dashboard; "-" takes it away. */
function changed(path: string, json: string): unknown {
  const copy = structuredClone(base);
  const steps = path.match(/[^.[\]]+/g)!;
  let at: Record<string, unknown> = copy;
  for (const s of steps.slice(0, -1)) at = at[s] as Record<string, unknown>;
  at[steps.at(-1)!] = JSON.parse(json);
  return copy;
}

describe('check', () => {
  it('finds nothing in a dashboard that uses all that is drawn', () => expect(checkDashboard(base)).toEqual([]));

  it.each(table('undrawn.tsv'))('%s = %s', (path, json, where, message) => {
    const found = checkDashboard(changed(path!, json!));
    expect(found.map((f) => f.path)).toContain(where || path);
    expect(found.map((f) => f.message).join('\n')).toContain(message);
  });

  it('refuses what is no dashboard', () => expect(checkDashboard({ apiVersion: 'dashboard.grafana.app/v2' })[0]!.message).toContain('classic schema'));

  const shipped = new URL('../../../../../dashboards/generated/', import.meta.url);
  it.each(readdirSync(shipped).filter((f) => f.endsWith('.json')))('%s is drawn in full', (f) => {
    expect(checkDashboard(JSON.parse(readFileSync(new URL(f, shipped), 'utf8')))).toEqual([]);
  });
});
