// Makes the pictures of the README from the page of a running board, at the size they are shown there.
//   BOARD_URL     where the board answers (needed)
//   BOARD_SHOTS   folder of the pictures (needed)
//   BOARD_RANGE   how far they look back (default now-10m)
//   CHROMIUM      browser (default /usr/bin/chromium)
import { chromium } from 'playwright-core';

const { BOARD_URL: base, BOARD_SHOTS: folder, BOARD_RANGE: from = 'now-10m', CHROMIUM: executablePath = '/usr/bin/chromium' } = process.env;
if (!base || !folder) throw new Error('BOARD_URL and BOARD_SHOTS are needed');

const pictures = [
  { dashboard: 'harnesserr-agent-errors', theme: 'dark', height: 1000 },
  { dashboard: 'harnesserr-agent-errors', theme: 'light', height: 1000 },
  { dashboard: 'harnesserr-one-peer', theme: 'dark', height: 1000, query: '&var-peer=ledger' },
  { dashboard: 'harnesserr-model-provider', theme: 'dark', height: 1000 },
  { dashboard: 'harnesserr-tools-loop', theme: 'dark', height: 1000 },
  { dashboard: 'harnesserr-error-budget', theme: 'dark', height: 900 },
  { dashboard: 'harnesserr-telemetry-health', theme: 'dark', height: 1000 },
];

const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'] });
for (const { dashboard, theme, height, query = '' } of pictures) {
  const page = await browser.newPage({ viewport: { width: 1280, height }, deviceScaleFactor: 0.75, colorScheme: theme });
  await page.goto(new URL(`?dashboard=${dashboard}&refresh=&from=${from}&to=now${query}`, base).href);
  await page.waitForSelector('body[data-ready="true"]', { timeout: 60_000 });
  await page.waitForTimeout(500); // charts follow the size of their panels
  await page.screenshot({ path: `${folder}/${dashboard.replace('harnesserr-', '')}${theme === 'light' ? '-light' : ''}.png` });
  await page.close();
}
await browser.close();
