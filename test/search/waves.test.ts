import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects, NodePoolObject, PodObject } from '../../src/engine/cluster/objects.ts';
import { type Candidate, isEmpty } from '../../src/engine/disruption/candidates.ts';
import type { Move } from '../../src/engine/moves/move.ts';
import type { Rules } from '../../src/engine/settings.ts';
import { runs } from '../build/runs.ts';
import { selects } from '../reference/labels.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { type Laws, obey } from './laws.ts';
import { LITTLE_WORK, searched } from './searched.ts';

type Reason = 'Empty' | 'Underutilized';

function wavesOf(objects: ClusterObjects, rules: Rules): Move[][] {
  const { moves } = searched(objects, rules, LITTLE_WORK);
  const waves = [...Map.groupBy(moves, (t) => t.wave).entries()];
  assert.deepEqual(
    waves.map(([wave]) => wave),
    waves.map((_, i) => i + 1),
    'waves are numbered from 1, and moves are in their order',
  );
  return waves.map(([, own]) => own.map((t) => t.move));
}

const LAWS: Laws<{ readonly wave: readonly Move[]; readonly objects: ClusterObjects; readonly rules: Rules }> = {
  'nodes of a pool than its budgets allow, by reason and in all': ({ wave, objects }) => {
    for (const pool of objects.nodePools) {
      const counts = { Empty: 0, Underutilized: 0 };
      for (const { kind, candidates } of wave)
        for (const c of candidates) if (c.pool === pool) counts[reasonOf(kind, c)]++;
      const left = { Empty: leftOf(objects, pool, 'Empty'), Underutilized: leftOf(objects, pool, 'Underutilized') };
      const text = JSON.stringify({ pool: pool.budgets, counts, left });
      assert.ok(counts.Empty <= left.Empty && counts.Underutilized <= left.Underutilized, text);
      // Karpenter does not tell the reasons of nodes that are going already: the tighter ones have to go first.
      assert.ok(counts.Empty + counts.Underutilized <= Math.max(left.Empty, left.Underutilized), text);
    }
  },

  'pods of a PodDisruptionBudget than it allows, but for a move that does alone': ({ wave, objects }) => {
    for (const budget of objects.podDisruptionBudgets) {
      const isDrawn = (p: PodObject) =>
        selects(budget.selector, p.labels) && !(budget.evictsUnhealthy && p.ready === 'False');
      atMost(
        wave.map((move) => podsOn(objects, move).filter(isDrawn)),
        budget.disruptionsAllowed,
        budget.name,
      );
    }
  },

  'pods of a workload than the brake allows, but for a move that does alone': ({ wave, objects, rules }) => {
    const { maxWorkloadEvictions: most } = rules.settings;
    if (most === 0) return;
    for (const name of ['web', 'db', 'job']) {
      const isDrawn = ({ owners: [owner] }: PodObject) => owner.name === name && owner.kind === 'ReplicaSet';
      atMost(
        wave.map((move) => podsOn(objects, move).filter(isDrawn)),
        most,
        name,
      );
    }
  },
};

test('a wave never takes more', () => {
  fc.assert(
    fc.property(anyFleet, anyRules, (objects, rules) => {
      for (const wave of wavesOf(objects, rules)) obey(LAWS, { wave, objects, rules });
    }),
    runs(100),
  );
});

/** By move, what it draws on something of which there is so much. */
function atMost(drawn: readonly (readonly unknown[])[], most: number, name: string): void {
  const drawing = drawn.filter((list) => list.length > 0);
  const sum = drawing.reduce((all, list) => all + list.length, 0);
  assert.ok(sum <= most || drawing.length === 1, `${name}: ${drawing.map((l) => l.length)} of ${most}`);
}

function podsOn(objects: ClusterObjects, { candidates }: Move): PodObject[] {
  const names = new Set(candidates.map((c) => c.name));
  return objects.pods.filter((p) => names.has(p.nodeName));
}

function reasonOf(kind: Move['kind'], c: Candidate): Reason {
  return kind === 'delete' && (isEmpty(c) || c.methods.emptiness) ? 'Empty' : 'Underutilized';
}

/** The budgets of the random pools: numbers, or all. */
function leftOf(objects: ClusterObjects, pool: NodePoolObject, reason: Reason): number {
  const own = objects.nodeClaims.filter((c) => c.labels['karpenter.sh/nodepool'] === pool.name);
  const going = own.filter((c) => c.terminating).length;
  const allowed = pool.budgets
    .filter((b) => b.reasons === undefined || b.reasons.includes(reason))
    .map((b) => (b.nodes === '100%' ? own.length : Number(b.nodes)));
  return Math.max(0, Math.min(Infinity, ...allowed) - going);
}
