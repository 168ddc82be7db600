import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import type { PoolPolicy } from '../disruption/pool-policy.ts';
import { explainNode } from '../explanation/node-explanation.ts';
import { plan } from '../plan.ts';

/** The pod of a fits on b, or that of b on a. */
const TWO = cluster({
  machines: [machine('a'), machine('b')],
  pods: [pod('p', { on: 'a', cpu: 1000 }), pod('q', { on: 'b', cpu: 1000 })],
});
const NOT_ALONE = { singleNode: { enabled: false } };
const TOGETHER: Partial<PoolPolicy> = { policy: 'WhenUnderutilized', ...NOT_ALONE };

function ask(objects: typeof TWO, block: Partial<PoolPolicy>) {
  const own = rules(block);
  const made = plan(objects, { search: 'merged', rules: own, loadMs: 0 }, () => 0);
  return { made, refusals: made.nodes.map(({ refusals }) => refusals.map(({ message }) => message)), own };
}

test('a node that could go by itself, in a pool whose nodes go only together, says so, and what would change it', () => {
  const guarded = pod('q', { on: 'b', cpu: 1000, doNotDisrupt: 'true' });
  const objects = cluster({
    machines: [machine('a'), machine('b')],
    pods: [pod('p', { on: 'a', cpu: 1000 }), guarded],
  });
  const { made, own } = ask(objects, TOGETHER);
  assert.deepEqual(made.moves, []);
  const e = explainNode({ objects, rules: own }, made, 'a');
  assert.equal(e?.verdict, 'stays');
  assert.deepEqual(
    e?.node.refusals.map(({ message }) => message),
    ['NodePool "default" removes nodes only together with others (policy WhenUnderutilized)'],
  );
  assert.deepEqual(
    e?.unlocks.map(({ changes }) => changes.map(({ code }) => code)),
    [['methods-enabled']],
  );
  assert.equal(ask(objects, {}).made.moves.length, 1);
});

test('the methods block says it in its own words', () => {
  const [[refusal]] = ask(TWO, NOT_ALONE).refusals;
  assert.match(refusal ?? '', /\(singleNode is switched off\)/);
});
