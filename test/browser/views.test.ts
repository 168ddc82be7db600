import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Subject } from '../../src/web/analysis/subject.ts';
import { EMPTY_CLUSTER, LARGE_CLUSTER, LONG_NAME, LONG_NAMES_CLUSTER, SMALL_CLUSTER } from './clusters.ts';
import { DashboardPage, serve } from './dashboard-page.ts';
import { openBrowser } from './open-browser.ts';

interface View {
  readonly name: string;
  readonly path: string;
  /** On a cluster that has nodes. */
  readonly says: RegExp;
}

const VIEWS: readonly View[] = [
  { name: 'cluster', path: '/', says: /\$[\d,.]+\/h[\s\S]*Saves \$[\d,.]+\/h[\s\S]*Why the rest stays/ },
  { name: 'node', path: '/nodes/node-0000', says: /node-0000[\s\S]*savings threshold/i },
  { name: 'boundary', path: '/boundary', says: /Decision boundary[\s\S]*nodes?, each evaluated alone/ },
  { name: 'plan', path: '/plan', says: /\d+ moves?[\s\S]*node-0/ },
  { name: 'cost', path: '/cost', says: /a month[\s\S]*\(idle\)/ },
  { name: 'blockers', path: '/blockers', says: /blockers?|nothing blocks/i },
  { name: 'timeline', path: '/timeline', says: /timeline/i },
  { name: 'lab', path: '/lab', says: /policy lab/i },
  { name: 'settings', path: '/settings', says: /consolidationSavingsThresholdCents/ },
];

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

function everyView(
  name: string,
  subject: Subject,
  shows: (view: View, text: string) => void,
  views: readonly View[] = VIEWS,
): void {
  describe(name, () => {
    let served: Awaited<ReturnType<typeof serve>>;
    before(async () => {
      served = await serve(subject);
    });
    after(() => served.close());
    for (const view of views) {
      test(view.name, async () => {
        const tab = await DashboardPage.open(browser, served.url);
        await tab.visit(view.path);
        await tab.keepPicture(`${name}-${view.name}`);
        shows(view, await tab.text());
        await tab.assertAccessible();
        tab.forgive(/status of 404/);
        tab.assertQuiet();
        await tab.close();
      });
    }
  });
}

const hasNodes = ({ says }: View, text: string) => assert.match(text, says);

everyView('small', SMALL_CLUSTER, hasNodes);
// Two dozen plans of a thousand nodes: not in a test.
everyView(
  'thousand',
  LARGE_CLUSTER,
  hasNodes,
  VIEWS.filter(({ name }) => name !== 'blockers'),
);
everyView('empty', EMPTY_CLUSTER, ({ name }, text) => {
  if (name === 'cluster') assert.match(text, /no nodes/i);
  if (name === 'node') assert.match(text, /Not found[\s\S]*no node node-0000/);
  if (name === 'boundary') assert.match(text, /No setting here would remove a node/);
});

test('nothing sticks out, however wide the screen is', async (t) => {
  const served = await serve(SMALL_CLUSTER);
  t.after(() => served.close());
  const tab = await DashboardPage.open(browser, served.url);
  const { page } = tab;
  for (const { path } of VIEWS) {
    await tab.visit(path);
    for (const width of [320, 640, 701, 768, 921, 1001, 1280, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      // Pictures are drawn again in their own time.
      const fits = page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, undefined, {
        timeout: 20_000,
      });
      await assert.doesNotReject(fits, `${path} at ${width}`);
    }
  }
  await tab.close();
});

for (const { names, subject, suffix } of [
  { names: 'short', subject: SMALL_CLUSTER, suffix: '' },
  { names: 'long', subject: LONG_NAMES_CLUSTER, suffix: LONG_NAME },
])
  test(`tables of nodes and pods show every column that they have, without scrolling: ${names} names`, async (t) => {
    const served = await serve(subject);
    t.after(() => served.close());
    const tab = await DashboardPage.open(browser, served.url);
    const { page } = tab;
    for (const path of ['/', `/nodes/node-0004${suffix}`]) {
      await tab.visit(path);
      for (const width of [390, 701, 768, 921, 1024, 1290, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const hidden = await page.evaluate(() =>
          [...document.querySelectorAll('main table')].map((table) => {
            const { scrollWidth, clientWidth } = table.parentElement as HTMLElement;
            return scrollWidth - clientWidth;
          }),
        );
        assert.ok(hidden.length > 0, `${path} has a table`);
        assert.deepEqual(
          hidden.filter((pixels) => pixels > 0),
          [],
          `${path} at ${width}`,
        );
      }
    }
    await tab.close();
  });

test('a long plan shows its first moves, and the others on demand', async (t) => {
  const served = await serve(LARGE_CLUSTER);
  t.after(() => served.close());
  const tab = await DashboardPage.open(browser, served.url);
  const { page } = tab;
  await tab.visit('/plan');
  const moves = page.locator('main details');
  assert.equal(await moves.count(), 40);
  const more = page.getByRole('button', { name: /^Show [\d,]+ more moves$/ });
  const others = Number(/[\d,]+/.exec(await more.innerText())?.[0].replace(',', ''));
  await more.click();
  assert.equal(await moves.count(), 40 + others);
  await tab.close();
});

describe('dark, and narrow', () => {
  let served: Awaited<ReturnType<typeof serve>>;
  before(async () => {
    served = await serve(SMALL_CLUSTER);
  });
  after(() => served.close());

  for (const { name, path, says } of VIEWS) {
    test(name, async () => {
      const viewport = { width: 390, height: 844 };
      const tab = await DashboardPage.open(browser, served.url, { colorScheme: 'dark', viewport });
      await tab.visit(path);
      await tab.keepPicture(`phone-dark-${name}`);
      assert.match(await tab.text(), says);
      const { page } = tab;
      const [red] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []);
      assert.ok(Number(red) < 80, `a dark page: ${red}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `nothing sticks out: ${overflow} px`);
      await tab.assertAccessible();
      tab.assertQuiet();
      await tab.close();
    });
  }
});
