import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PodObject } from '../../src/engine/cluster/objects.ts';
import { Session } from '../../src/engine/session.ts';
import { STOCK_RULES } from '../../src/engine/settings.ts';
import { cluster } from '../build/cluster.ts';
import { taint } from '../build/constraints.ts';
import { machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { pod } from '../build/pod.ts';

const moved = pod('moved', { on: 'old', cpu: 2000 });
const filler = (on: string) => pod('filler', { on, cpu: 3000 });

/** Whether `old` can go before and after the change; only existing nodes can take its pod. */
function verdicts(
  pods: readonly PodObject[],
  change: { before?: PodObject; after?: PodObject },
): (string | undefined)[] {
  const objects = cluster({
    nodePools: [nodePool('default', { limits: { cpu: 1 } })],
    // Pods come and go from a node that takes no others, so that the session need not start over.
    machines: [...['old', 'a', 'b'].map((name) => machine(name)), machine('aside', { taints: [taint('dedicated')] })],
    pods: [...pods, pod('heavy', { on: 'b', cpu: 3500 })],
  });
  const session = new Session(objects, STOCK_RULES);
  const ask = () => {
    const verdict = session.pass().get('old');
    return verdict === undefined || 'refusal' in verdict ? verdict?.refusal.code : verdict.move.kind;
  };
  const first = ask();
  session.change([change]);
  return [first, ask()];
}

describe('a session asks about a node again', () => {
  test('when a node that took its pod has lost the room', () => {
    assert.deepEqual(verdicts([moved, filler('aside')], { before: filler('aside'), after: filler('a') }), [
      'delete',
      'pods-unplaceable',
    ]);
  });

  test('when a node has gained the room that its pod lacked', () => {
    assert.deepEqual(verdicts([moved, filler('a')], { before: filler('a'), after: filler('aside') }), [
      'pods-unplaceable',
      'delete',
    ]);
  });

  test('when its own pods changed', () => {
    const small = pod('moved', { on: 'old', cpu: 400 });
    assert.deepEqual(verdicts([moved, filler('a')], { before: moved, after: small }), ['pods-unplaceable', 'delete']);
  });
});
