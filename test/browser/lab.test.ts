import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startDecant } from '../build/served.ts';
import { DashboardPage } from './dashboard-page.ts';
import { openBrowser } from './open-browser.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

test('policies are compared on the cluster shown; a run can be cancelled; the slider chooses', async (t) => {
  const served = await startDecant(['serve', '-f', 'examples/forty-nodes.json.gz']);
  t.after(() => served.stop());
  const tab = await DashboardPage.open(browser, new URL(served.url));
  const { page } = tab;
  await tab.visit('/lab');
  assert.equal(await page.getByLabel('Workload').inputValue(), 'this cluster');
  await page.getByLabel('balanced').uncheck();
  await page.getByLabel('Days').fill('7');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Compare' }).waitFor();
  assert.doesNotMatch(await tab.text(), /last run failed/);

  await page.getByLabel('Days').fill('0.05');
  await page.getByRole('button', { name: 'Compare' }).click();
  const slider = page.getByRole('slider', { name: /one eviction is worth/ });
  await slider.waitFor({ timeout: 120_000 });
  const chosen = async () => (await page.locator('#preference ~ p b').innerText()).trim();
  await slider.fill('0');
  const cheapest = await chosen();
  await slider.fill('40');
  assert.equal(await chosen(), 'none', 'at ten dollars an eviction, nothing is worth one');
  assert.notEqual(cheapest, 'none');
  const widthOf = async (what: string) => (await page.locator(what).first().boundingBox())?.width ?? 0;
  assert.ok((await widthOf('.chart.front')) > 0.95 * (await widthOf('.card:has(.chart.front)')), 'as wide as its card');
  const left = await page
    .locator('.run-form fieldset label')
    .evaluateAll((all) => all.map((e) => e.getBoundingClientRect().left));
  assert.equal(left[0], left[3], 'policies are in columns');
  await tab.assertAccessible();
  tab.assertQuiet();
  await tab.close();
});
