import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { BoundaryAnswer } from '../../src/web/api.ts';
import { Timeline } from '../../src/web/server/timeline.ts';
import { decant } from '../build/decant.ts';
import { EMPTY_CLUSTER, HOSTILE, HOSTILE_CLUSTER, LARGE_CLUSTER, SMALL_CLUSTER } from './clusters.ts';
import { DashboardPage, serve } from './dashboard-page.ts';
import { openBrowser } from './open-browser.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

test('the cost view shows commitments that nothing uses, and its rows add up to the cost', async () => {
  const { objects } = SMALL_CLUSTER;
  const coveredBy = [{ name: 'plan', dollarsPerHour: 7, coversDollarsPerHour: 10 }];
  const instanceTypes = objects.instanceTypes.map((type) => ({
    ...type,
    offerings: type.offerings.map((offering) => ({ ...offering, coveredBy })),
  }));
  const served = await serve({ ...SMALL_CLUSTER, objects: { ...objects, instanceTypes } });
  const tab = await DashboardPage.open(browser, served.url);
  await tab.visit('/cost');
  const text = await tab.text();
  assert.match(text, /\$7\.00\/h, \$5,110 a month[\s\S]*Unused commitments\s+\$5\.04\/h\s+of \$7\.00\/h committed/);
  const rows = text.slice(text.indexOf('Share')).matchAll(/\$([\d.]+)\/h/g);
  assert.equal([...rows].reduce((sum, [, dollars]) => sum + Number(dollars), 0).toFixed(2), '7.00');
  tab.assertQuiet();
  await tab.close();
  await served.close();
});

test('the timeline lists commands that are older than its charts, with and without charts', async () => {
  const history = new Timeline();
  const [thenMs, nowMs] = [Date.UTC(2026, 7, 20, 12), Date.UTC(2026, 7, 21, 12)];
  history.event({ atMs: thenMs, kind: 'done', text: '#1 removed node old-1', nodes: ['old-1'] });
  const sample = { centsPerHour: 100, nodes: 12, pods: 40, pendingPods: 0, evictions: 3, reevictions: 0 };
  const about = { kind: 'live', name: 'production' } as const;
  const served = await serve(SMALL_CLUSTER, { source: { about, mode: 'follow', timeline: () => history.answer() } });
  const tab = await DashboardPage.open(browser, served.url);
  for (const charts of [0, 4]) {
    if (charts > 0) for (const atMs of [nowMs, nowMs + 600_000]) history.sample({ ...sample, atMs });
    await tab.visit('/timeline');
    assert.match(await tab.text(), /read-only\s+production[\s\S]*2026-08-20 12:00\s+#1 removed node old-1/);
    assert.equal(await tab.page.locator('.charts canvas').count(), charts);
  }
  tab.assertQuiet();
  await tab.close();
  await served.close();
});

describe('a small cluster', () => {
  let served: Awaited<ReturnType<typeof serve>>;
  before(async () => {
    served = await serve(SMALL_CLUSTER);
  });
  after(() => served.close());
  const open = () => DashboardPage.open(browser, served.url);

  test('from the table to a node and back', async () => {
    const tab = await open();
    const { page } = tab;
    await tab.visit('/');
    await page.getByRole('link', { name: 'node-0003', exact: true }).first().click();
    await page.waitForURL('**/nodes/node-0003');
    await tab.settled();
    assert.match(await page.title(), /Node node-0003/);
    await page.goBack();
    await page.locator('main h1', { hasText: '$' }).waitFor();
    assert.match(await page.title(), /^\$2\.80\/h → \$[\d.]+\/h · Decant$/);
    tab.assertQuiet();
    await tab.close();
  });

  test('an address holds the question, and a reload asks it again', async () => {
    const tab = await open();
    const { page } = tab;
    await tab.visit('/boundary?threshold=3&utilization=1');
    const handle = page.getByRole('slider', { name: 'Savings threshold' }).first();
    assert.equal(await handle.getAttribute('aria-valuenow'), '3');
    await page.getByText('consolidationSavingsThresholdCents').first().waitFor();
    await page.reload();
    await tab.settled();
    assert.equal(await handle.getAttribute('aria-valuenow'), '3');
    tab.assertQuiet();
    await tab.close();
  });

  test('tables are downloaded as CSV, with the rows that are looked for', async () => {
    const tab = await open();
    const { page } = tab;
    const saved = async () => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download CSV' }).click(),
      ]);
      return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8').split('\r\n')] as const;
    };
    await tab.visit('/?find=node-0003');
    const [name, [titles, node, ...end]] = await saved();
    assert.deepEqual(
      [name, titles, end],
      ['nodes.csv', 'Node,Pool,Type,Zone,Capacity,$/h,Used,Pods,Decision,Why,Mark', ['']],
    );
    assert.match(node, /^node-0003,/);
    await tab.visit('/cost?by=label:app');
    const [file, [head, ...rows]] = await saved();
    assert.deepEqual([file, head], ['cost-by-label-app.csv', 'app,Pods,CPU,Memory GiB,Dollars per hour']);
    const sum = rows.reduce((total, row) => total + Number(row.split(',').at(-1)), 0);
    assert.ok(Math.abs(sum - 2.8) < 1e-3, `${sum}`);
    tab.assertQuiet();
    await tab.close();
  });

  test('a node that is not there', async () => {
    const tab = await open();
    await tab.visit('/nodes/nobody');
    assert.match(await tab.text(), /Not found[\s\S]*no node nobody among the 12/);
    tab.forgive(/status of 404/);
    tab.assertQuiet();
    await tab.close();
  });

  test('the threshold line by keyboard: a higher threshold removes fewer nodes, and the configuration to paste follows', async () => {
    const tab = await open();
    const { page } = tab;
    await tab.visit('/boundary');
    const handle = page.locator('circle[role=slider]');
    await handle.focus();
    assert.equal(await handle.getAttribute('aria-valuenow'), '0.5');
    await page.keyboard.press('End');
    await page.getByText('consolidationSavingsThresholdCents').first().waitFor();
    assert.ok(Number(await handle.getAttribute('aria-valuenow')) > 0.5);
    assert.match(page.url(), /threshold=/);
    tab.assertQuiet();
    await tab.close();
  });

  test('what to paste is what decant validate accepts', async () => {
    const tab = await open();
    const { page } = tab;
    await tab.visit('/boundary?threshold=1.5&grace=1h&policy=Balanced&minPercent=5&pool=web');
    const policy = page.locator('pre', { hasText: 'kind: ConsolidationPolicy' });
    await policy.waitFor();
    const pasted = await policy.innerText();
    assert.match(pasted, /matchLabels:\s+decant\.sh\/policy: web\s/);
    const { code, stdout } = await decant(['validate', '-f', '-'], pasted);
    assert.deepEqual([code, stdout.trim()], [0, 'valid: 1 ConsolidationPolicy, settings']);
    tab.assertQuiet();
    await tab.close();
  });

  test('the line by a finger, and the page does not scroll away with it', async () => {
    const tab = await DashboardPage.open(browser, served.url, {
      hasTouch: true,
      viewport: { width: 390, height: 600 },
    });
    const { page } = tab;
    await tab.visit('/boundary');
    const handle = page.locator('circle.handle');
    await handle.scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate(() => scrollY);
    const { x, y, width } = (await handle.boundingBox())!;
    const before = Number(await handle.getAttribute('aria-valuenow'));
    const finger = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', up: number) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: x + width / 2 - up / 4, y: y + width / 2 - up }],
      });
    await touch('touchStart', 0);
    for (let up = 0; up <= 60; up += 5) await touch('touchMove', up);
    await touch('touchEnd', 60);
    await page.waitForURL(/threshold=/);
    assert.ok(Number(await handle.getAttribute('aria-valuenow')) > before);
    assert.equal(await page.evaluate(() => scrollY), scrolled);
    tab.assertQuiet();
    await tab.close();
  });

  test('hovering over the picture shows the pod, and a click opens its node, in every grouping', async () => {
    for (const group of ['pool', 'zone', 'type']) {
      const tab = await open();
      const { page } = tab;
      await tab.visit('/');
      await page.getByLabel('Group by').selectOption(group);
      assert.match(page.url(), new RegExp(`group=${group}`));
      const canvas = page.locator('.picture canvas').first();
      const { x, y, height } = (await canvas.boundingBox())!;
      const pod = page.locator('.tip-pod');
      // From the left edge up: somewhere there is a node, and pods are at the bottom of it.
      for (let up = height - 3; up > 0 && !(await pod.isVisible()); up -= 3) await page.mouse.move(x + 12, y + up);
      assert.match(await pod.innerText(), /^default\/app-\d+-\d+\s/);
      const node = await page.locator('.tip b').first().innerText();
      await page.mouse.down();
      await page.mouse.up();
      await page.waitForURL(`**/nodes/${node}`);
      tab.assertQuiet();
      await tab.close();
    }
  });

  test('the way back from a node leads to the rows that were looked for', async () => {
    const tab = await open();
    const { page } = tab;
    await tab.visit('/');
    const find = page.getByLabel('Find');
    await find.fill('web do-not-disrupt');
    await page.getByRole('button', { name: 'Pods', exact: true }).click();
    const names = () => page.locator('.nodes tbody a').allInnerTexts();
    const found = await names();
    assert.ok(found.length > 0 && found.length < 12, found.join());
    await page.locator('.nodes tbody a').first().click();
    await page.waitForURL('**/nodes/*');
    await page.goBack();
    await page.waitForURL(/find=web/);
    assert.equal(await find.inputValue(), 'web do-not-disrupt');
    assert.deepEqual(await names(), found);
    assert.equal(await page.locator('.nodes th[aria-sort=descending]').innerText(), 'Pods');
    tab.assertQuiet();
    await tab.close();
  });

  test('how near the plan is to the best possible is proven when asked', async () => {
    const tab = await open();
    const { page } = tab;
    await tab.visit('/plan');
    await page.getByRole('button', { name: 'Prove a bound' }).click();
    await page.getByText(/proven: no plan gets below \$[\d.]+\/h/).waitFor();
    assert.match(await tab.text(), /Best possible\s+(optimal|within \d+\.\d %)/);
    await tab.assertAccessible();
    tab.assertQuiet();
    await tab.close();
  });

  test('everything can be reached by keyboard, in order, and is seen to be', async () => {
    const tab = await open();
    const { page } = tab;
    await tab.visit('/');
    const reached: string[] = [];
    for (let i = 0; i < 14; i++) {
      await page.keyboard.press('Tab');
      const { name, visible } = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        const ring = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
        return { name: element.getAttribute('aria-label') ?? element.innerText, visible: ring };
      });
      reached.push(name.trim());
      assert.ok(visible, `a ring around ${name}`);
    }
    assert.match(reached[0], /^Skip to content/);
    const views = ['Cluster', 'Plan', 'Boundary', 'Timeline', 'Policy lab', 'Settings'];
    assert.deepEqual(
      reached.filter((name) => views.includes(name)),
      views,
    );
    await tab.close();
  });
});

describe('a thousand nodes', () => {
  let served: Awaited<ReturnType<typeof serve>>;
  before(async () => {
    served = await serve(LARGE_CLUSTER);
  });
  after(() => served.close());

  test('drag the threshold: what flips is said at once, and the whole plan when the line rests', async (t) => {
    const tab = await DashboardPage.open(browser, served.url);
    const { page } = tab;
    await tab.visit('/boundary');
    const handle = page.locator('circle.handle');
    const box = (await handle.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.evaluate(() => {
      const frames: number[] = [];
      Object.assign(window, { frames });
      let last = performance.now();
      const look = (now: number) => {
        frames.push(now - last);
        last = now;
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.mouse.move(x, y);
    await page.mouse.down();
    const knobs = page.locator('.knobs');
    const knobsBefore = await knobs.boundingBox();
    for (let step = 1; step <= 40; step++) await page.mouse.move(x - step, y - step * 8);
    const held = Number(await handle.getAttribute('aria-valuenow'));
    assert.ok(held > 0.5, `the line follows the pointer: ${held}`);
    const frames = await page.evaluate(() => (window as unknown as { frames: number[] }).frames.slice(1));
    const said = await page.locator('main h1').innerText();
    assert.match(said, /^\d+ of \d+ nodes would be removed, \d+ fewer than now$/);
    assert.match(await tab.text(), /As one plan, when the line rests:/);
    assert.deepEqual(await knobs.boundingBox(), knobsBefore, 'a slider stays under the finger');
    await page.mouse.up();
    const fewer = Number(/(\d+) fewer/.exec(said)?.[1]);
    await page.getByRole('heading', { name: `${fewer} nodes would change` }).waitFor();
    await page.getByText('As one plan, moves that fit together:').waitFor();
    assert.match(await tab.text(), /It saves\s+\$[\d.]+\/h\s+now \$[\d.]+\/h/);
    assert.deepEqual(await knobs.boundingBox(), knobsBefore);
    frames.sort((a, b) => a - b);
    const at = (share: number) => frames[Math.floor(share * (frames.length - 1))].toFixed(0);
    t.diagnostic(`frames while dragging over 1,000 nodes: median ${at(0.5)} ms, 95 % within ${at(0.95)} ms`);
    await tab.keepPicture('thousand-dragged');
    tab.assertQuiet();
    await tab.close();
  });

  test('what the engine takes for an answer while a slider moves', async (t) => {
    const took: number[] = [];
    for (let i = 0; i < 9; i++) {
      const response = await fetch(new URL(`/api/boundary?threshold=1&utilization=0.${i + 1}`, served.url));
      const { points, elapsedMs } = (await response.json()) as BoundaryAnswer;
      assert.ok(points.node.length > 500);
      took.push(elapsedMs);
    }
    took.sort((a, b) => a - b);
    t.diagnostic(`an answer about 1,000 nodes: ${took[4].toFixed(0)} ms in the median`);
  });

  test('the first view', async (t) => {
    const tab = await DashboardPage.open(browser, served.url);
    const { page } = tab;
    await page.goto(served.url.href);
    await page.locator('canvas').first().waitFor();
    await page.locator('main h1', { hasText: '$' }).waitFor();
    const drawnMs = await page.evaluate(() => performance.now());
    t.diagnostic(`first view of 1,000 nodes: ${drawnMs.toFixed(0)} ms after the address was entered`);
    assert.equal(await page.locator('canvas').first().isVisible(), true);
    tab.assertQuiet();
    await tab.close();
  });
});

describe('the server goes away and comes back', () => {
  test('the page says so, keeps what it has, and catches up', async (t) => {
    const first = await serve(SMALL_CLUSTER);
    const port = Number(first.url.port);
    const tab = await DashboardPage.open(browser, first.url);
    const { page } = tab;
    await tab.visit('/');
    await first.close();
    await page.getByText(/connection lost, retrying/i).waitFor();
    await tab.keepPicture('small-lost');
    assert.match(await tab.text(), /12 nodes/);
    const second = await serve(EMPTY_CLUSTER, { port });
    t.after(() => second.close());
    await page.getByText(/connection lost/i).waitFor({ state: 'detached' });
    await page
      .getByText(/no nodes/i)
      .first()
      .waitFor();
    tab.forgive(
      /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|Failed to load resource|ERR_CONNECTION_RESET|network error/i,
    );
    tab.assertQuiet();
    await tab.close();
  });
});

describe('a server that wants a token', () => {
  let served: Awaited<ReturnType<typeof serve>>;
  before(async () => {
    served = await serve(SMALL_CLUSTER, { token: 'open-sesame' });
  });
  after(() => served.close());

  test('asks for it, says if it is another, and then shows what was asked for', async () => {
    const tab = await DashboardPage.open(browser, served.url);
    const { page } = tab;
    await page.goto(new URL('/plan', served.url).href);
    const field = page.getByLabel('Token');
    await field.fill('sesame');
    await field.press('Enter');
    await page.getByText(/does not accept this token/).waitFor();
    await tab.assertAccessible();
    await field.fill('open-sesame');
    await field.press('Enter');
    await page.getByRole('heading', { name: /\d+ moves? saves? \$/ }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: /\d+ moves? saves? \$/ }).waitFor();
    tab.forgive(/status of 401/);
    tab.assertQuiet();
    await tab.close();
  });

  test('takes it from the address, where it does not stay', async () => {
    const tab = await DashboardPage.open(browser, served.url);
    const { page } = tab;
    await page.goto(new URL('/settings#token=open-sesame', served.url).href);
    await page.getByText('consolidationSavingsThresholdCents').first().waitFor();
    assert.equal(new URL(page.url()).hash, '');
    assert.ok(!(await page.content()).includes('sesame'));
    tab.assertQuiet();
    await tab.close();
  });
});

test('back and forward go through the views, and each is what it was', async (t) => {
  const served = await serve(SMALL_CLUSTER);
  t.after(() => served.close());
  const tab = await DashboardPage.open(browser, served.url);
  const { page } = tab;
  await tab.visit('/?group=zone');
  const nav = page.getByRole('navigation', { name: 'Views' });
  await nav.getByRole('link', { name: 'Boundary' }).click();
  await page.locator('circle.handle').focus();
  await page.keyboard.press('ArrowUp');
  await page.waitForURL(/threshold=/);
  const asked = page.url();
  await nav.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Healthy' }).waitFor();
  await page.goBack();
  await page.locator('circle.handle').waitFor();
  assert.equal(page.url(), asked);
  await page.goBack();
  await page.locator('.picture').waitFor();
  assert.equal(await page.getByLabel('Group by').inputValue(), 'zone');
  await page.goForward();
  await page.locator('circle.handle').waitFor();
  assert.equal(page.url(), asked);
  tab.assertQuiet();
  await tab.close();
});

describe('names that want to be more than names', () => {
  test('are text in every view', async (t) => {
    const served = await serve(HOSTILE_CLUSTER);
    t.after(() => served.close());
    const paths = ['/', `/nodes/${encodeURIComponent(HOSTILE)}`, '/plan', '/boundary?threshold=1', '/settings'];
    for (const path of paths) {
      const tab = await DashboardPage.open(browser, served.url);
      const { page } = tab;
      await tab.visit(path);
      await tab.keepPicture(`hostile-${paths.indexOf(path)}`);
      assert.ok((await page.content()).includes('&lt;img src=x'), `${path} shows the name`);
      assert.equal(await page.locator('img, main script').count(), 0, path);
      assert.equal(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked), undefined, path);
      tab.assertQuiet();
      await tab.close();
    }
  });
});

test('the bundle is small', async (t) => {
  const { loadPage } = await import('../../src/web/server/page-files.ts');
  const { script, style } = await loadPage();
  const kilobytes = (script.gzip.length + style.gzip.length) / 1000;
  t.diagnostic(`script and style, gzipped: ${kilobytes.toFixed(1)} kB`);
  assert.ok(kilobytes < 150, `${kilobytes} kB`);
});
