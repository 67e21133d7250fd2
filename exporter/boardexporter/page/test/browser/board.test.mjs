// Opens the page of a running board in headless Chromium and looks at everything it shipped.
//   BOARD_URL            where the board answers, such as http://127.0.0.1:9090/ (needed)
//   BOARD_QUERY          query of a dashboard, as UID:var-peer=x;UID2:from=now-6h&to=now
//   BOARD_MAY_BE_EMPTY   panels that may be without data, as UID/ID,UID/ID
//   BOARD_SHOTS          folder of the screenshots (default: shots beside package.json)
//   CHROMIUM             browser (default /usr/bin/chromium)
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';

const base = process.env.BOARD_URL;
assert.ok(base, 'BOARD_URL is not set');
const shots = process.env.BOARD_SHOTS ?? new URL('../../shots/', import.meta.url).pathname;
const mayBeEmpty = new Set((process.env.BOARD_MAY_BE_EMPTY ?? '').split(',').filter(Boolean));
const queries = new Map((process.env.BOARD_QUERY ?? '').split(';').filter(Boolean).map((s) => [s.slice(0, s.indexOf(':')), s.slice(s.indexOf(':') + 1)]));

const OVERVIEW = 'harnesserr-agent-errors';
const ONE_PEER = 'harnesserr-one-peer';
const READY = 60_000;

const index = await (await fetch(new URL('dashboards/index.json', base))).json();
const dashboards = await Promise.all(index.map(async (e) => (await fetch(new URL(`dashboards/${(e.file ?? e.name).replace(/\.json$/, '')}.json`, base))).json()));
const panelsOf = (d) => d.panels.flatMap((p) => (p.type === 'row' ? (p.panels ?? []) : [p]));

let browser;
let page;
/** What must never happen: errors of the page, refusals by its policy, requests to other servers. */
let trouble = [];

const address = (uid, query = queries.get(uid) ?? '') => new URL(`?dashboard=${uid}&refresh=&${query}`, base).href;
const settled = () => page.waitForSelector('body[data-ready="true"]', { timeout: READY });
async function open(uid, query) {
  await page.goto(address(uid, query));
  await settled();
}
const panel = (id) => page.locator(`[data-panel-id="${id}"]`);
const panelTitled = (title) => page.locator(`[data-title="${title}"]`);

before(async () => {
  await mkdir(shots, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
  page.on('pageerror', (e) => trouble.push(`page error: ${e.message}`));
  page.on('console', (m) => m.type() === 'error' && trouble.push(`console: ${m.text()}`));
  page.on('request', (r) => new URL(r.url()).origin !== new URL(base).origin && trouble.push(`request to ${r.url()}`));
});
after(() => browser?.close());

describe('every panel of every dashboard', () => {
  for (const d of dashboards) {
    test(d.title, async (t) => {
      await open(d.uid);
      assert.equal(await page.title(), `${d.title} · harnesserr`);
      for (const p of panelsOf(d)) {
        await t.test(`panel ${p.id} ${p.title}`, async () => {
          const n = panel(p.id);
          assert.equal(await n.count(), 1, 'is there once');
          const state = await n.getAttribute('data-state');
          if (state === 'nodata') {
            assert.notEqual((await n.locator('.nothing').innerText()).trim(), '', 'says in words that there is nothing');
            assert.ok(mayBeEmpty.has(`${d.uid}/${p.id}`), `no data: ${await n.locator('.nothing').innerText()}`);
            return;
          }
          assert.equal(state, 'data', (await n.getAttribute('data-error')) ?? '');
          const box = await n.boundingBox();
          assert.ok(box.width > 100 && box.height > 60, 'has a size');
          assert.ok(await n.locator('canvas, table, .stat-value, .bar-row, .markdown').count(), 'draws something');
        });
      }
      await shoot(d.uid, 'dark');
      await page.locator('#theme').click();
      assert.equal(await page.locator('html').getAttribute('data-theme'), 'light');
      await shoot(d.uid, 'light');
      await page.locator('#theme').click();
    });
  }
});

async function shoot(uid, theme) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: 1440, height: Math.min(4000, height) });
  await page.waitForTimeout(300); // charts follow the size of their panels
  await page.screenshot({ path: `${shots}/${uid}-${theme}.png` });
  await page.setViewportSize({ width: 1440, height: 900 });
}

const column = (title, name) => panelTitled(title).locator('table').evaluate((t, n) => {
  const at = [...t.tHead.rows[0].cells].findIndex((c) => c.textContent === n);
  return [...t.tBodies[0].rows].map((r) => r.cells[at].textContent);
}, name);

describe('what a reader does', () => {
  test('a variable filters: the list by keyboard, every row of the table', async () => {
    await open(OVERVIEW);
    const peers = await column('Peers', 'Peer');
    assert.ok(peers.length > 1, 'more than one peer to begin with');
    await page.locator('#var-peer').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type(peers[0]);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.waitForURL((u) => u.searchParams.getAll('var-peer').join() === peers[0]);
    await settled();
    assert.deepEqual(await column('Peers', 'Peer'), [peers[0]]);
    assert.equal(await page.locator('#var-peer').getAttribute('aria-label'), `Peer: ${peers[0]}`);
  });

  test('several values at once, and back to all', async () => {
    await open(OVERVIEW);
    const peers = (await column('Peers', 'Peer')).slice(0, 2).sort();
    await page.goto(address(OVERVIEW, peers.map((p) => `var-peer=${encodeURIComponent(p)}`).join('&')));
    await settled();
    assert.deepEqual((await column('Peers', 'Peer')).sort(), peers);
    await page.goBack();
    await settled();
    assert.ok((await column('Peers', 'Peer')).length >= 2);
  });

  test('the link of a peer leads to One peer with that peer set', async () => {
    await open(OVERVIEW);
    const link = panelTitled('Peers').locator('td a').first();
    const peer = await link.innerText();
    await link.click();
    await page.waitForURL((u) => u.searchParams.get('dashboard') === ONE_PEER);
    await settled();
    assert.equal(new URL(page.url()).searchParams.get('var-peer'), peer);
    assert.equal(await page.locator('#var-peer').getAttribute('aria-label'), `Peer: ${peer}`);
    assert.match(await page.locator('.row-title').first().innerText(), new RegExp(`Now: ${peer.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
    assert.equal(await panelTitled('Calls').getAttribute('data-state'), 'data');
  });

  test('a code offers its runbook', async () => {
    await open(OVERVIEW);
    const cell = panelTitled('Failures by peer, class and code').locator('td button.cell-link').first();
    const code = await cell.innerText();
    await cell.click();
    const runbook = page.locator('.popover a', { hasText: 'Runbook' });
    await runbook.click();
    const drawer = page.locator('dialog.drawer');
    await drawer.locator('h3').waitFor();
    assert.equal(await drawer.locator('h3').innerText(), code);
    await drawer.locator('a', { hasText: 'All runbooks' }).click();
    await drawer.locator('h3', { hasNotText: code }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' }); // a dialog tells that it closed a moment later
  });

  test('Escape closes a list and gives the focus back', async () => {
    await open(OVERVIEW);
    await page.locator('#var-code').click();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.popover').count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'var-code');
  });

  test('a firing alert is annotated', async () => {
    await open(OVERVIEW);
    const name = /Harness\w+/;
    assert.match(await page.locator('#annotations').innerText(), /Firing alerts: [1-9]/);
    const marker = page.locator('[data-type="timeseries"] .marker').first();
    assert.match(await marker.getAttribute('aria-label'), name);
    await marker.click();
    assert.match(await page.locator('.popover .annotations').innerText(), name);
    await page.keyboard.press('Escape');
  });

  test('exemplars are there and lead to a trace', async () => {
    await open(OVERVIEW);
    const counts = await page.locator('[data-exemplars]').evaluateAll((all) => all.map((e) => Number(e.dataset.exemplars)));
    assert.ok(counts.some((n) => n > 0), 'no panel has exemplars');
  });

  test('a click on a column sorts it', async () => {
    await open(OVERVIEW);
    const head = panelTitled('Peers').locator('th', { hasText: 'Peer' });
    await head.locator('button').click();
    assert.equal(await head.getAttribute('aria-sort'), 'ascending');
    const names = await column('Peers', 'Peer');
    assert.deepEqual(names, [...names].sort((a, b) => a.localeCompare(b, undefined, { numeric: true })));
  });

  test('a chart is read with the keyboard and as a table', async () => {
    await open(OVERVIEW);
    const chart = panelTitled('Task failures by code');
    await chart.locator('.plot').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    assert.match(await chart.locator('[aria-live]').innerText(), /^\d{4}-\d\d-\d\d \d\d:\d\d/);
    await chart.locator('[aria-haspopup="menu"]').first().click();
    await page.locator('.popover button', { hasText: 'Show as a table' }).click();
    assert.ok((await chart.locator('tbody tr').count()) > 5);
    assert.equal(await chart.locator('th').first().innerText(), 'Time');
  });

  test('an absolute range is set, and a wrong one refused in words', async () => {
    await open(OVERVIEW);
    await page.locator('#time-range').click();
    await page.locator('#range-from').fill('sometime');
    await page.locator('.range-form .primary').click();
    assert.match(await page.locator('.range-form [role="alert"]').innerText(), /not a time: "sometime"/);
    await page.locator('#range-from').fill('now-2h');
    await page.locator('.range-form .primary').click();
    await page.waitForURL((u) => u.searchParams.get('from') === 'now-2h');
    await settled();
    assert.match(await page.locator('#time-range').innerText(), /now-2h to now/);
  });

  test('the page refreshes by itself', async () => {
    await page.goto(new URL(`?dashboard=${OVERVIEW}&refresh=5s`, base).href);
    await settled();
    await page.waitForRequest((r) => r.url().includes('/api/v1/query'), { timeout: 20_000 });
  });

  test('one panel fills the page, and all come back', async () => {
    await open(OVERVIEW, 'viewPanel=33');
    assert.equal(await page.locator('[data-panel-id]').count(), 1);
    await panel(33).locator('[aria-haspopup="menu"]').click();
    await page.locator('.popover button', { hasText: 'Back to all panels' }).click();
    await page.waitForURL((u) => !u.searchParams.has('viewPanel'));
    await settled();
    assert.ok((await page.locator('[data-panel-id]').count()) > 10);
  });

  test('no data and failed queries are told in words', async () => {
    await open(OVERVIEW, 'var-peer=nobody-at-all');
    const bars = panelTitled('Task failures by code');
    assert.equal(await bars.getAttribute('data-state'), 'nodata');
    assert.match(await bars.locator('.nothing').innerText(), /\w+/);
    await page.route('**/api/v1/query_range', (r) => r.fulfill({ status: 422, contentType: 'application/json', body: '{"status":"error","errorType":"execution","error":"too many samples"}' }));
    await open(OVERVIEW);
    assert.equal(await bars.getAttribute('data-state'), 'error');
    assert.match(await bars.locator('[role="alert"]').innerText(), /too many samples/);
    await page.unroute('**/api/v1/query_range');
    // The refused answers are the test's own doing.
    trouble = trouble.filter((x) => !x.includes('422'));
  });

  test('every control has a name', async () => {
    await open(OVERVIEW);
    const nameless = await page.locator('button, a, input, select').evaluateAll((all) => all.filter((e) =>
      !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML.slice(0, 120)));
    assert.deepEqual(nameless, []);
    const ids = await page.locator('[id]').evaluateAll((all) => all.map((e) => e.id));
    assert.equal(new Set(ids).size, ids.length, 'an id twice');
  });
});

test('no errors, nothing refused by the policy, no request to another server', () => assert.deepEqual(trouble, []));
