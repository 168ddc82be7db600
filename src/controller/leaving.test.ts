import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../test/build/cluster.ts';
import { machine } from '../../test/build/machine.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import { DISRUPTED_TAINT } from '../engine/cluster/well-known.ts';
import { withTaken } from './leaving.ts';

const { nodes, nodeClaims, ...rest } = cluster({ machines: [machine('a'), machine('b')] });

/** Whether the claims of a and b count as leaving, when the node of a is tainted. */
function leaving(providerId: (own: string) => string): readonly boolean[] {
  const objects: ClusterObjects = {
    ...rest,
    nodes: nodes.map((n) => ({
      ...n,
      providerId: providerId(n.providerId),
      taints: n.name === 'a' ? [DISRUPTED_TAINT] : [],
    })),
    nodeClaims: nodeClaims.map((c) => ({ ...c, providerId: providerId(c.providerId) })),
  };
  return withTaken(objects, []).nodeClaims.map((c) => c.terminating);
}

test('the taint on a node that no command of ours is about says that Karpenter takes it', () => {
  assert.deepEqual(
    leaving((own) => own),
    [true, false],
  );
});

test('on a node without a provider ID it says nothing about claims that are not launched yet', () => {
  assert.deepEqual(
    leaving(() => ''),
    [false, false],
  );
});
