import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDecant } from '../build/served.ts';
import { DashboardPage } from './dashboard-page.ts';
import { openBrowser } from './open-browser.ts';

const MINUTE_MS = 60_000;

test('the lines of a timeline reach as far as time does', async () => {
  const served = await startDecant(['demo', '--speed', '10m']);
  const browser = await openBrowser();
  try {
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
    // Whatever was drawn first, the right end of the picture is now.
    const picture = page.locator('.timeline .u-over').first();
    const box = (await picture.boundingBox())!;
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
    const shown = await page.locator('.timeline .u-legend .u-value').first().innerText();
    assert.ok(Date.parse(`${shown}Z`) >= start + 15 * MINUTE_MS, `${shown} at the end of ${await span.innerText()}`);
    tab.assertQuiet();
    await tab.close();
  } finally {
    await browser.close();
    await served.stop();
  }
});
