// Serves dist/, a folder of dashboards and a Prometheus API on one loopback port, the way the board does:
//   node scripts/serve.mjs [--port 9090] [--dashboards DIR] [--prometheus http://127.0.0.1:9091]
import { readdir, readFile } from 'node:fs/promises';
import http from 'node:http';
import { extname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';

const here = new URL('../', import.meta.url).pathname;
const { values: opt } = parseArgs({
  options: {
    port: { type: 'string', default: '8090' },
    dashboards: { type: 'string', default: `${here}../../../dashboards/generated` },
    runbooks: { type: 'string', default: `${here}../../../dashboards/runbooks` },
    prometheus: { type: 'string', default: 'http://127.0.0.1:9090' },
  },
});
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml', '.json': 'application/json', '.txt': 'text/plain', '.md': 'text/plain; charset=utf-8' };
// The board's own policy: the page must work under it.
const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};

async function index() {
  const files = (await readdir(opt.dashboards)).filter((f) => f.endsWith('.json')).sort();
  const list = await Promise.all(files.map(async (f) => {
    const { uid, title } = JSON.parse(await readFile(join(opt.dashboards, f), 'utf8'));
    return { name: f.replace(/\.json$/, ''), uid, title };
  }));
  return JSON.stringify(list);
}

function proxy(req, res) {
  const to = new URL(req.url, opt.prometheus);
  const out = http.request(to, { method: req.method, headers: { ...req.headers, host: to.host } }, (r) => {
    res.writeHead(r.statusCode, r.headers);
    r.pipe(res);
  });
  out.on('error', (e) => res.writeHead(502).end(e.message));
  req.pipe(out);
}

http.createServer(async (req, res) => {
  const path = normalize(new URL(req.url, 'http://x').pathname);
  try {
    if (path.startsWith('/api/')) return proxy(req, res);
    const send = (data, type) => res.writeHead(200, { ...HEADERS, 'Content-Type': TYPES[type] ?? 'application/octet-stream' }).end(data);
    if (path === '/dashboards/index.json') return send(await index(), '.json');
    const folders = [['/dashboards/', opt.dashboards], ['/runbooks/', opt.runbooks], ['/', join(here, 'dist')]];
    const [prefix, folder] = folders.find(([p]) => path.startsWith(p));
    const file = join(folder, path === '/' ? 'index.html' : path.slice(prefix.length));
    send(await readFile(file), extname(file));
  } catch {
    res.writeHead(404, HEADERS).end('not found');
  }
}).listen(Number(opt.port), '127.0.0.1', () => console.log(`http://127.0.0.1:${opt.port}/`));
