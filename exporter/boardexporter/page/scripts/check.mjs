// Fails with the JSON path of every feature in the given dashboards (or the shipped ones) that the page doesn't draw.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const root = new URL('../', import.meta.url).pathname;
const shipped = resolve(root, '../../../dashboards/generated');
const given = process.argv.slice(2);
const files = given.length ? given : readdirSync(shipped).filter((f) => f.endsWith('.json')).sort().map((f) => join(shipped, f));
const out = mkdtempSync(join(tmpdir(), 'page-check-'));
try {
  buildSync({ entryPoints: [`${root}src/check/cli.ts`], bundle: true, platform: 'node', format: 'esm', outfile: join(out, 'check.mjs'), logLevel: 'warning' });
  process.exitCode = spawnSync(process.execPath, [join(out, 'check.mjs'), ...files], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(out, { recursive: true });
}
