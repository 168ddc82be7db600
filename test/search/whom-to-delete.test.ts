import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PodObject } from '../../src/engine/cluster/objects.ts';
import { cluster } from '../build/cluster.ts';
import { instanceType } from '../build/instance-type.ts';
import { type Machine, machine } from '../build/machine.ts';
import { pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { GIB, HOUR_MS, MINUTE_MS, NOW_MS } from '../build/units.ts';
import { onDemandPool } from './aws.ts';
import { planOf } from './searched.ts';
import { movesOf } from './summary.ts';

const DAY_MS = 24 * HOUR_MS;
/** Of its own kind nothing cheaper can be had, and there is room on each for all that runs on both. */
const TYPE = instanceType('only', { cpu: 64_000, memory: 256 * GIB, pods: 250 });

function pods(on: string, count: number, own: Partial<Parameters<typeof pod>[1]> = {}): PodObject[] {
  return Array.from({ length: count }, (_, i) => pod(`${on}-${i}`, { on, cpu: 100, memory: GIB / 8, ...own }));
}

/** Of 30 days of life. */
function withLifeLeft(name: string, leftMs: number): Machine {
  const { node, claim } = machine(name, { type: TYPE });
  return { node, claim: claim && { ...claim, expireAfterMs: 30 * DAY_MS, createdMs: NOW_MS + leftMs - 30 * DAY_MS } };
}

const IDENTICAL = [machine('x', { type: TYPE }), machine('y', { type: TYPE })];
const EXAMPLES: readonly (readonly [string, readonly PodObject[], readonly Machine[]])[] = [
  ['5 pods, not 100', [...pods('x', 100), ...pods('y', 5)], IDENTICAL],
  ['the lower pod-deletion-cost', [...pods('x', 5, { deletionCost: '1000000' }), ...pods('y', 5)], IDENTICAL],
  ['the lower priority', [...pods('x', 5, { priority: 1_000_000 }), ...pods('y', 5)], IDENTICAL],
  [
    '5 minutes to live, not 29 days',
    [...pods('x', 5), ...pods('y', 5)],
    [withLifeLeft('x', 29 * DAY_MS), withLifeLeft('y', 5 * MINUTE_MS)],
  ],
];

describe('cluster consolidation document: of two identical nodes that can be deleted, the one goes that has', () => {
  for (const [what, running, machines] of EXAMPLES) {
    for (const thresholdCents of [0, 0.001]) {
      test(`${what}, at a threshold of ${thresholdCents}`, () => {
        const objects = cluster({
          instanceTypes: [TYPE],
          nodePools: [onDemandPool('default')],
          machines,
          pods: running,
        });
        const by = rules({ savingsThresholdCents: thresholdCents });
        assert.deepEqual(movesOf(planOf(objects, by)), ['delete y']);
      });
    }
  }
});
