import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type ServedProcess, startDecant } from '../build/served.ts';
import { DashboardPage } from './dashboard-page.ts';
import { openBrowser } from './open-browser.ts';

const MINUTE_MS = 60_000;

let served: ServedProcess;
let browser: Browser;
before(async () => {
  [served, browser] = await Promise.all([startDecant(['demo', '--speed', '10m']), openBrowser()]);
});
after(async () => {
  await browser.close();
  await served.stop();
});

test('the lines of a timeline reach as far as time does', async () => {
  const tab = await DashboardPage.open(browser, new URL(served.url));
  const { page } = tab;
  await page.goto(new URL('/timeline', served.url).href);
  const span = page.locator('.zoom output');
  const end = async () => Date.parse(`${/ to (.*) UTC/.exec(await span.innerText())?.[1]}Z`);
  await span.waitFor();
  const [start, startedMs] = [await end(), Date.now()];
  while ((await end()) < start + 30 * MINUTE_MS) {
    assert.ok(Date.now() < startedMs + 120_000, 'time stands still');
    await page.waitForTimeout(200);
  }
  const shown = async () => Date.parse(`${await page.locator('.u-legend .u-value').first().innerText()}Z`);
  // Nobody points anywhere: the figures below are those of now.
  assert.ok((await shown()) >= start + 15 * MINUTE_MS, `${await shown()} without a pointer`);
  // Whatever was drawn first, the right end of the picture is now.
  const picture = page.locator('.timeline .u-over').first();
  const box = (await picture.boundingBox())!;
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
  assert.ok((await shown()) >= start + 15 * MINUTE_MS, `${await shown()} at the end of ${await span.innerText()}`);
  // A drag across zooms, and the address holds what is seen.
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 30, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/from=\d+&to=\d+/);
  tab.assertQuiet();
  await tab.close();
});

test('a comparison started in the lab shows its progress and its result', async () => {
  const tab = await DashboardPage.open(browser, new URL(served.url));
  const { page } = tab;
  await tab.visit('/lab');
  await page.getByLabel('Workload').selectOption('busy-node');
  await page.getByLabel('Days').fill('0.2');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText(/^busy-node, 4 policies, 0\.2 days, 1 seed: \d+ %/).waitFor();
  await page.getByRole('button', { name: 'Running…' }).waitFor();
  await page.getByRole('heading', { name: 'busy-node' }).waitFor();
  assert.match(await page.locator('main h1').innerText(), /saves \d+\.\d % for \d+ evictions/);
  assert.equal(await page.locator('circle.point').count(), 4);
  assert.equal(await page.getByRole('progressbar').count(), 0);
  await tab.keepPicture('lab-compared');
  await tab.assertAccessible();
  tab.assertQuiet();
  await tab.close();
});
