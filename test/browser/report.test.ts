import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { blockersReport } from '../../src/cli/blockers/html.ts';
import { comparisonReport } from '../../src/cli/compare/html.ts';
import { planReport } from '../../src/cli/plan/html.ts';
import { makePlan } from '../../src/cli/plan/make-plan.ts';
import { compared } from '../../src/lab/comparison.ts';
import { type Experiment, jobsOf } from '../../src/lab/experiment.ts';
import type { BlockersDocument } from '../../src/report/blockers-document.ts';
import type { Subject } from '../../src/web/analysis/subject.ts';
import { decant } from '../build/decant.ts';
import { experiment, namedPolicy, results } from '../build/lab.ts';
import { NOW_MS } from '../build/units.ts';
import { EMPTY_CLUSTER, HOSTILE, HOSTILE_CLUSTER, LARGE_CLUSTER, SMALL_CLUSTER } from './clusters.ts';
import { DashboardPage } from './dashboard-page.ts';
import { openBrowser } from './open-browser.ts';

let browser: Browser;
let folder: string;
before(async () => {
  browser = await openBrowser();
  folder = mkdtempSync(join(tmpdir(), 'decant-report-'));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await browser.close();
});

async function planned({ objects: cluster, work }: Subject, name: string): Promise<string> {
  const options = { file: [name], flags: new Map(), workBudget: work };
  const made = await makePlan(cluster, options, 0);
  return planReport(made, { cluster, notices: [], notes: [] }, options);
}

const BLOCKERS: BlockersDocument = {
  apiVersion: 'decant.sh/v1alpha1',
  kind: 'Blockers',
  now: '2026-08-20T12:00:00Z',
  plannedSavingsCentsPerHour: 10,
  totalCentsPerHour: 20,
  savingsRules: { rules: ['savings threshold of 1 cent'], nodes: ['b'], centsPerHour: 5, evictions: 3 },
  otherReasons: [{ code: 'not-managed', nodes: 2 }],
  blockers: [
    {
      kind: 'NodeAnnotation',
      title: 'annotation karpenter.sh/do-not-disrupt on node a',
      namespace: null,
      owner: null,
      nodes: ['a'],
      aloneCentsPerHour: 20,
      jointCentsPerHour: 20,
      others: [],
      remedy: 'kubectl annotate node a karpenter.sh/do-not-disrupt-',
    },
  ],
};

test('blockers in a file: what each costs, and the command that removes it', async () => {
  const tab = await opened(await blockersReport(BLOCKERS, NOW_MS));
  assert.match(
    await tab.text(),
    /1 blocker costs \$146 a month[\s\S]*for 3 more evictions[\s\S]*kubectl annotate node a/,
  );
  await tab.assertAccessible();
  tab.assertQuiet();
  await tab.close();
});

function comparedOf(sketch: Partial<Experiment>): Promise<string> {
  const whole = experiment(sketch);
  return comparisonReport(compared(whole, results(jobsOf(whole))));
}

/** From a file, as its recipient opens it. */
async function opened(html: string, path = '', options: BrowserContextOptions = {}): Promise<DashboardPage> {
  const file = join(folder, 'report.html');
  writeFileSync(file, html);
  const tab = await DashboardPage.open(browser, pathToFileURL(file), options);
  await tab.visit(path);
  return tab;
}

const SHOWN = [
  { name: 'cluster', path: '/', says: /\$2\.80\/h[\s\S]*Saves \$[\d.]+\/h[\s\S]*Why the rest stays/ },
  { name: 'plan', path: '/plan', says: /moves? saves?[\s\S]*Now: 12 nodes[\s\S]*Planned: \d+ nodes/ },
  { name: 'node', path: '/nodes/node-0003', says: /node-0003[\s\S]*Gates, in order[\s\S]*savings threshold/i },
  {
    name: 'boundary',
    path: '/boundary?threshold=3',
    says: /3 ¢ for a unit of disruption[\s\S]*As one plan, moves that fit together:[\s\S]*It saves\s+\$/,
  },
  { name: 'cost', path: '/cost', says: /\$2\.80\/h[\s\S]*\(idle\)/ },
  { name: 'blockers', path: '/blockers', says: /blockers cost \$[\d,]+ a month[\s\S]*do-not-disrupt/ },
  { name: 'settings', path: '/settings', says: /consolidateAfter/ },
] as const;

describe('a plan in a file', () => {
  let html: string;
  before(async () => {
    html = await planned(SMALL_CLUSTER, 'small.json');
  });

  for (const { name, path, says } of SHOWN)
    test(`shows the ${name}, with the engine in the page`, async () => {
      const tab = await opened(html, path);
      if (name === 'boundary') await tab.page.getByText('moves that fit together').waitFor();
      await tab.keepPicture(`report-${name}`);
      assert.match(await tab.text(), says);
      await tab.assertAccessible();
      tab.assertQuiet();
      await tab.close();
    });

  test('links, back, and places within the page lead where they say', async () => {
    const tab = await opened(html);
    const { page } = tab;
    await page.getByRole('link', { name: 'Plan', exact: true }).click();
    await page.getByRole('heading', { name: /moves? saves?/ }).waitFor();
    assert.match(page.url(), /report\.html#\/plan$/);
    await page.keyboard.press('Tab');
    await page.locator('a.skip').focus();
    await page.keyboard.press('Enter');
    assert.match(page.url(), /#\/plan$/, 'skipping to the content shows no other view');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'content');
    await page.goBack();
    await page.locator('main h1', { hasText: '$2.80/h' }).waitFor();
    tab.assertQuiet();
    await tab.close();
  });

  test('what is not in it says so', async () => {
    const tab = await opened(html, '/timeline');
    assert.match(await tab.text(), /no view at \/timeline/);
    await tab.close();
  });

  test('without scripts it is what the terminal says', async () => {
    const file = join(folder, 'plain.html');
    writeFileSync(file, html);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(pathToFileURL(file).href);
    assert.match(
      await page.locator('body').innerText(),
      /12 nodes, 21 pods: \$2\.80\/h now[\s\S]*MOVES[\s\S]*NODES THAT STAY/,
    );
    await context.close();
  });
});

test('names that want to be more than names are text in every view of a plan', async () => {
  const html = await planned(HOSTILE_CLUSTER, '</script><script>window.hacked=4</script>');
  for (const path of ['/', '/plan', `/nodes/${encodeURIComponent(HOSTILE)}`, '/boundary?threshold=1', '/settings']) {
    const tab = await opened(html, path);
    const { page } = tab;
    assert.ok((await page.locator('body').innerHTML()).includes('&lt;img src=x'), `${path} shows the name`);
    assert.equal(await page.locator('img, main script').count(), 0, path);
    assert.equal(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked), undefined, path);
    tab.assertQuiet();
    await tab.close();
  }
});

test('an empty cluster, and a thousand nodes on a dark phone', async () => {
  const none = await opened(await planned(EMPTY_CLUSTER, 'empty.json'));
  assert.match(await none.text(), /No nodes/);
  none.assertQuiet();
  await none.close();
  const viewport = { width: 390, height: 844 };
  const many = await opened(await planned(LARGE_CLUSTER, 'large.json'), '/', { viewport, colorScheme: 'dark' });
  assert.match(await many.text(), /1,000 nodes/);
  assert.ok((await many.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
  await many.assertAccessible();
  many.assertQuiet();
  await many.close();
});

describe('a comparison in a file', () => {
  const calm = namedPolicy('calm', {
    disruption: { consolidationGracePeriod: '1h' },
    switches: { 'pool-cooldown': '2m' },
  });
  const policies = [namedPolicy('none', { controller: 'none' }), namedPolicy('stock', { controller: 'stock' }), calm];

  test('has a row, a point and three lines for each policy, and what to paste', async () => {
    const tab = await opened(await comparedOf({ policies }));
    const { page } = tab;
    assert.deepEqual(await page.locator('tbody th').allInnerTexts(), ['none', 'stock', 'calm']);
    assert.equal(await page.locator('circle.point').count(), 3);
    assert.equal(await page.locator('polyline').count(), 9);
    for (const summary of await page.locator('summary').all()) await summary.click();
    const text = await tab.text();
    assert.match(text, /kind: ConsolidationPolicy[\s\S]*consolidationGracePeriod: 1h/);
    assert.match(text, /decant run \\\n {2}--pool-cooldown 2m/);
    assert.doesNotMatch(text, /undefined|NaN|Infinity|\[object/);
    await tab.keepPicture('report-comparison');
    await tab.assertAccessible();
    tab.assertQuiet();
    await tab.close();
  });

  test('several workloads, each and all together; a hundred policies have lines for as many as there are colours', async () => {
    const workloads = ['web', 'batch'].map((name) => ({ name, digest: name, blocks: [] }));
    const many = [policies[0], ...Array.from({ length: 99 }, (_, i) => namedPolicy(`p${i}`))];
    const tab = await opened(await comparedOf({ workloads, policies: many }));
    const titles = await tab.page.locator('main h2').allInnerTexts();
    assert.deepEqual(titles.slice(0, 4), ['Which one for you?', 'All workloads together', 'web', 'batch']);
    assert.equal(await tab.page.locator('polyline').count(), 2 * 3 * 8);
    tab.assertQuiet();
    await tab.close();
  });

  test('names are text', async () => {
    const tab = await opened(
      await comparedOf({ workloads: [{ name: HOSTILE, digest: '', blocks: [] }], policies: [namedPolicy(HOSTILE)] }),
    );
    assert.equal(await tab.page.getByText(HOSTILE).first().isVisible(), true);
    assert.equal(await tab.page.locator('img').count(), 0);
    tab.assertQuiet();
    await tab.close();
  });
});

test('a simulation in a file: what it came to, its lines, and what happened', async () => {
  const args = ['simulate', '-w', 'busy-node', '--days', '0.2', '--policy', 'rfc'];
  const [{ code, stdout: html }, { stdout: words }] = await Promise.all([
    decant([...args, '-o', 'html']),
    decant(args),
  ]);
  assert.equal(code, 0);
  const tab = await opened(html);
  const { page } = tab;
  await page.locator('.timeline canvas').nth(3).waitFor();
  const text = await tab.text();
  assert.match(text, /busy-node, 0\.20 days, policy rfc, seed 1/);
  const [cost] = /\$[\d.]+ {2}\(/.exec(words) ?? ['?'];
  assert.ok(text.includes(cost.replace(/\s+/g, ' ')), `${cost} as in the terminal`);
  assert.match(text, /#1 (removed|replaced) .*, done in/);
  assert.equal(await page.locator('.events a[href]').count(), 0, 'nodes have no view here');
  await page.getByRole('button', { name: 'Closer' }).click();
  assert.match(page.url(), /#\/timeline\?from=\d+&to=\d+$/);
  await tab.keepPicture('report-simulation');
  await tab.assertAccessible();
  tab.assertQuiet();
  await tab.close();
});
