// Bundles the page into dist/: no file of it refers to another server, and none holds inline scripts or styles.
import { copyFile, readdir, rm, stat } from 'node:fs/promises';
import { build } from 'esbuild';

const dist = new URL('../dist/', import.meta.url).pathname;
const root = new URL('../', import.meta.url).pathname;
const kept = new Set(['.gitignore']);

for (const f of await readdir(dist)) if (!kept.has(f)) await rm(dist + f, { recursive: true });
await build({
  entryPoints: { app: `${root}src/main.ts`, 'app-css': `${root}src/styles.css` },
  entryNames: '[name]',
  outdir: dist,
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
});
await copyFile(`${dist}app-css.css`, `${dist}app.css`);
await rm(`${dist}app-css.css`);
for (const f of ['index.html', 'icon.svg']) await copyFile(`${root}src/${f}`, dist + f);
await copyFile(`${root}node_modules/uplot/LICENSE`, `${dist}uplot-license.txt`);
for (const f of (await readdir(dist)).sort()) if (!kept.has(f)) console.log(`dist/${f} ${(await stat(dist + f)).size} bytes`);
