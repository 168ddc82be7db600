import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constrained, podsOf } from '../../test/build/constraints.ts';
import { LARGE } from '../../test/build/instance-type.ts';
import { deployment, flat, scenario } from '../../test/build/scenario.ts';
import { HOSTNAME } from '../engine/cluster/well-known.ts';
import type { App } from './scenario.ts';
import { SimulatedCluster } from './simulated-cluster.ts';

/** Lines of the log about pods that got a node, until then. */
function bindings(apps: readonly App[], seconds: number): string[] {
  const given = scenario({ apps, instanceTypes: [LARGE] });
  const lines: string[] = [];
  const cluster = new SimulatedCluster(given, { seed: 1, consolidation: 'none', log: (line) => lines.push(line) });
  cluster.advanceTo(given.startMs + seconds * 1000);
  return lines.filter((line) => line.split(' ')[1] === 'pod-bound');
}

const from = (afterMs: number, replicas: number) => ({ steps: [{ afterMs, replicas }] });

test('a pod that wants company gets a node in the same round as its friend, though one like it was too early', () => {
  const shy = constrained({ requiredAffinity: [podsOf('friend', HOSTNAME)] });
  const bound = bindings(
    [
      deployment('shy', { replicas: flat(1, from(20_000, 2)), constraints: shy }),
      deployment('friend', { replicas: flat(0, from(10_000, 1)) }),
    ],
    60,
  );
  // While the first node comes up, one shy pod waits before the friend and one behind it.
  assert.deepEqual(
    bound.slice(0, 2).map((line) =>
      line
        .split(' ')
        .slice(0, 3)
        .join(' ')
        .replace(/-1-\d+$/, ''),
    ),
    ['52000 pod-bound default/friend', '52000 pod-bound default/shy'],
  );
});

test('new pods go to nodes without the soft taint of steering, and to the others when there is no room', () => {
  const given = scenario({
    apps: [
      deployment('big', { cpu: 6000, replicas: flat(2) }),
      deployment('small', {
        cpu: 400,
        replicas: flat(0, {
          steps: [
            { afterMs: 300_000, replicas: 3 },
            { afterMs: 600_000, replicas: 6 },
          ],
        }),
      }),
    ],
    instanceTypes: [LARGE],
  });
  const cluster = new SimulatedCluster(given, { seed: 1, consolidation: 'none' });
  cluster.advanceTo(given.startMs + 200_000);
  const [steered, other] = cluster.world.nodes.values();
  cluster.world.steerNode(steered, true);
  const small = () =>
    [steered, other].map(({ pods }) => [...pods].filter(({ state }) => state.app.name === 'small').length);
  cluster.advanceTo(given.startMs + 400_000);
  assert.deepEqual(small(), [0, 3]);
  cluster.advanceTo(given.startMs + 700_000);
  assert.equal(cluster.world.nodes.size, 2);
  assert.ok(small()[0] > 0);
});
