import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import type { FoundStage } from '../../src/engine/pass/evaluation.ts';
import type { Plan } from '../../src/engine/plan-document.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import type { Rules } from '../../src/engine/settings.ts';
import { runs } from '../build/runs.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { type Laws, obey } from './laws.ts';
import { Money } from './money-of.ts';
import { afterStages, LITTLE_WORK, planOf, searched } from './searched.ts';

interface Planned {
  readonly objects: ClusterObjects;
  readonly rules: Rules;
  readonly plan: Plan;
  readonly stages: readonly FoundStage[];
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

  'its moves are those of the search': ({ plan, stages }) => {
    const names = stages
      .flatMap(({ moves }) => moves.map(({ move }) => move))
      .map(({ kind, candidates }) => `${kind} ${candidates.map((c) => c.name).sort()}`);
    assert.deepEqual(
      plan.moves.map((m) => `${m.kind} ${m.nodes}`),
      names,
    );
  },

  'only candidates and nodes that it launched before go, each once': ({ plan: { moves, nodes } }) => {
    const present = new Set(nodes.filter((n) => n.candidate).map((n) => n.name));
    for (const [i, { nodes: gone, replacements }] of moves.entries()) {
      for (const name of gone) assert.ok(present.delete(name), name);
      for (const k of replacements.keys()) present.add(`new-${k + 1} of move ${i + 1}`);
    }
  },

  'in a stage no pod is moved twice or to a node that goes': ({ stages }) => {
    for (const { moves } of stages) {
      const gone = new Set(moves.flatMap(({ move }) => move.candidates.map((c) => c.row)));
      const placed = moves.flatMap(({ move }) => move.placements);
      assert.equal(new Set(placed.map((p) => p.pod)).size, placed.length);
      assert.ok(placed.every(({ row }) => !gone.has(row)));
    }
  },

  'a later stage begins when those before it are over': ({ plan: { moves } }) => {
    for (const [i, { wave }] of moves.entries()) assert.ok(wave >= (moves[i - 1]?.wave ?? 1));
  },

  'the cluster that it leads to costs what it says': ({ plan: { totals }, after, rules }) => {
    const money = new Money(after, rules.settings.nodeSurchargeCents);
    const cents = after.nodes.reduce((sum, node) => sum + money.priceOf(node) * 100, 0);
    assert.ok(close(cents, totals.plannedCentsPerHour), `${cents} against ${totals.plannedCentsPerHour}`);
  },

  'it never ends more expensive, whatever its launches become': ({ rules, stages }) => {
    for (const { problem, moves } of stages) {
      const { cluster } = problem.simulation;
      const money = new Money(cluster.objects, rules.settings.nodeSurchargeCents);
      for (const { candidates, replacements } of moves.map((t) => t.move)) {
        const before = candidates.reduce((sum, c) => sum + money.priceOfNamed(c.name), 0);
        const worst = replacements.reduce((sum, r) => sum + money.worstOf(cluster, r), 0);
        assert.ok(worst <= before);
      }
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
      const { stages } = searched(objects, rules, LITTLE_WORK);
      obey(LAWS, { objects, rules, plan, stages, after: afterStages(stages) });
    }),
    runs(80),
  );
});
