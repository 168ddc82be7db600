import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { experiment, namedPolicy, results } from '../../test/build/lab.ts';
import { STYLE } from '../report/page-style.ts';
import { compared } from './comparison.ts';
import { renderComparisonPage } from './comparison-page.ts';
import { COMPARISON_STYLE } from './comparison-style.ts';
import type { Experiment } from './experiment.ts';
import { jobsOf } from './experiment.ts';

function page(sketch: Partial<Experiment>): string {
  const whole = experiment(sketch);
  return renderComparisonPage(compared(whole, results(jobsOf(whole))));
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** The page without its own style: nothing else may look like markup of ours. */
function content(html: string): string {
  return html.replace(STYLE, '').replace(COMPARISON_STYLE, '');
}

const CALM = namedPolicy('calm', {
  disruption: { consolidationGracePeriod: '1h' },
  switches: { 'pool-cooldown': '2m' },
});
const POLICIES = [namedPolicy('none', { controller: 'none' }), namedPolicy('stock', { controller: 'stock' }), CALM];

describe('the page', () => {
  const html = page({ policies: POLICIES });

  test('may wear its own style, run nothing, and ask for nothing', () => {
    const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html) ?? [];
    assert.equal(
      policy.replaceAll('&#39;', "'"),
      `default-src 'none'; style-src ${hash(STYLE)} ${hash(COMPARISON_STYLE)}; base-uri 'none'; form-action 'none'`,
    );
    assert.doesNotMatch(content(html), /https?:|url\(|@import|<link|<img|<script|\ssrc=|\shref=|\sstyle=|\son\w+=/);
  });

  test('has a row, a point and three lines for each policy, and what to paste', () => {
    const text = content(html);
    for (const { name } of POLICIES) assert.ok(text.includes(`<td>${name}</td>`), name);
    assert.equal(text.match(/<circle /g)?.length, 3);
    assert.equal(text.match(/<polyline /g)?.length, 9);
    assert.match(text, /kind: ConsolidationPolicy[\s\S]*consolidationGracePeriod: 1h/);
    assert.match(text, /decant run \\\n {2}--pool-cooldown 2m/);
    assert.doesNotMatch(text, /undefined|NaN|Infinity|\[object/);
  });

  test('several workloads: each, and all together', () => {
    const text = content(page({ workloads: ['web', 'batch'].map((name) => ({ name, digest: name, blocks: [] })) }));
    for (const title of ['All workloads together', 'web', 'batch'])
      assert.ok(text.includes(`<h2>${title}</h2>`), title);
  });

  test('a hundred policies: lines for as many as there are colours', () => {
    const many = [POLICIES[0], ...Array.from({ length: 99 }, (_, i) => namedPolicy(`p${i}`))];
    assert.equal(content(page({ policies: many })).match(/<polyline /g)?.length, 24);
  });

  test('names are text, whatever they are', () => {
    const evil = '<img src=x onerror=alert(1)>"\'&';
    const text = content(page({ workloads: [{ name: evil, digest: '', blocks: [] }], policies: [namedPolicy(evil)] }));
    assert.ok(!text.includes('<img') && text.includes('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;'));
  });
});
