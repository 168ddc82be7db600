import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import type { Move } from '../../src/engine/moves/move.ts';
import type { Plan } from '../../src/engine/plan-document.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import type { Rules } from '../../src/engine/settings.ts';
import { runs } from '../build/runs.ts';
import { clusterAfter } from './cluster-after.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { type Laws, obey } from './laws.ts';
import { Money } from './money-of.ts';
import { LITTLE_WORK, planOf, searched } from './searched.ts';

interface Planned {
  readonly objects: ClusterObjects;
  readonly rules: Rules;
  readonly plan: Plan;
  readonly cluster: CompiledCluster;
  readonly moves: readonly Move[];
  readonly after: ClusterObjects;
}

const close = (a: number, b: number) => Math.abs(a - b) < 1e-6;

const LAWS: Laws<Planned> = {
  'its figures add up': ({ plan: { totals, moves, nodes } }) => {
    const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
    assert.ok(close(totals.centsPerHour, sum(nodes.map((n) => n.centsPerHour ?? 0))));
    assert.ok(close(totals.savingsCentsPerHour, sum(moves.map((m) => m.savingsCentsPerHour))));
    assert.ok(close(totals.plannedCentsPerHour, totals.centsPerHour - totals.savingsCentsPerHour));
    assert.equal(totals.evictions, sum(moves.map((m) => m.placements.length)));
    assert.ok(close(totals.disruptionCost, sum(moves.map((m) => m.disruptionCost))));
  },

  'its moves are those of the search': ({ plan, moves }) => {
    const names = moves.map(({ kind, candidates }) => `${kind} ${candidates.map((c) => c.name).sort()}`);
    assert.deepEqual(
      plan.moves.map((m) => `${m.kind} ${m.nodes}`),
      names,
    );
  },

  'only candidates go, each once, and no pod is moved twice or to a node that goes': ({ plan: { moves, nodes } }) => {
    const gone = moves.flatMap((m) => m.nodes);
    const candidates = new Set(nodes.filter((n) => n.candidate).map((n) => n.name));
    assert.ok(gone.every((name) => candidates.has(name)));
    assert.equal(new Set(gone).size, gone.length);
    const pods = moves.flatMap((m) => m.placements.map((p) => p.pod));
    assert.equal(new Set(pods).size, pods.length);
    for (const { to } of moves.flatMap((m) => m.placements)) assert.ok(!gone.includes(to));
  },

  'the cluster that it leads to costs what it says': ({ plan: { totals }, after, rules }) => {
    const money = new Money(after, rules.settings.nodeSurchargeCents);
    const cents = after.nodes.reduce((sum, node) => sum + money.priceOf(node) * 100, 0);
    assert.ok(close(cents, totals.plannedCentsPerHour), `${cents} against ${totals.plannedCentsPerHour}`);
  },

  'it never ends more expensive, whatever its launches become': ({ objects, rules, cluster, moves }) => {
    const money = new Money(objects, rules.settings.nodeSurchargeCents);
    for (const { candidates, replacements } of moves) {
      const before = candidates.reduce((sum, c) => sum + money.priceOfNamed(c.name), 0);
      const worst = replacements.reduce((sum, r) => sum + money.worstOf(cluster, r), 0);
      assert.ok(worst <= before);
    }
  },

  'every pod has a place on a node that is there, with room for all': ({ objects, rules, after }) => {
    const names = new Set(after.nodes.map((n) => n.name));
    const before = objects.pods.filter((p) => p.nodeName !== '' && p.owners[0].kind !== 'DaemonSet');
    const now = after.pods.filter((p) => p.nodeName !== '' && p.owners[0].kind !== 'DaemonSet');
    assert.deepEqual(now.map((p) => p.name).sort(), before.map((p) => p.name).sort());
    assert.ok(now.every((p) => names.has(p.nodeName)));
    const wasShort = shortRows(compile(objects, rules.settings));
    assert.deepEqual(
      [...shortRows(compile(after, rules.settings))].filter((name) => !wasShort.has(name)),
      [],
    );
  },
};

/** Nodes that have less than their pods ask for. */
function shortRows({ rows, free }: CompiledCluster): Set<string> {
  return new Set(rows.filter((_, row) => free.some((column) => column[row] < 0)).map((r) => r.name));
}

test('of every plan it is true that', () => {
  fc.assert(
    fc.property(anyFleet, anyRules, (objects, rules) => {
      const plan = planOf(objects, rules, { work: LITTLE_WORK });
      const { problem, moves: timed } = searched(objects, rules, LITTLE_WORK);
      const { cluster } = problem.simulation;
      const moves = timed.map((t) => t.move);
      obey(LAWS, { objects, rules, plan, cluster, moves, after: clusterAfter(cluster, moves) });
    }),
    runs(80),
  );
});
