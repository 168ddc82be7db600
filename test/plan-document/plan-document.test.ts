import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Plan, PlannedMove } from '../../src/engine/plan-document.ts';
import { plan, type Snapshot } from '../../src/library/engine.ts';
import { findCases, readText } from '../conformance/case-files.ts';
import { problemsOfPlan } from './problems-of-plan.ts';
import type { RawSnapshot } from './raw-snapshot.ts';

/** False claims of a plan, which a check must notice. */
const LIES: Readonly<Record<string, (honest: Plan) => Plan>> = {
  'a price': (p) => withMoves(p, (m) => ({ ...m, savingsCentsPerHour: m.savingsCentsPerHour + 1 })),
  'a pod that is forgotten': (p) => withMoves(p, (m) => ({ ...m, placements: m.placements.slice(1) })),
  'a place that is gone': (p) => withPlaces(p, () => p.moves[0].nodes[0]),
  'an unknown place': (p) => withPlaces(p, () => 'new-1 of move 1'),
  'a place with too many': (p) => withPlaces(p, () => p.nodes.find((n) => !goes(p, n.name))?.name ?? ''),
  'all at once': (p) => withMoves(p, (m) => ({ ...m, wave: 1 })),
  'more than is saved required': (p) => withMoves(p, (m) => ({ ...m, requiredCentsPerHour: 1e6 })),
  'a node left out': (p) => ({ ...p, nodes: p.nodes.slice(1) }),
  'no reason to stay': (p) => ({ ...p, nodes: p.nodes.map((n) => ({ ...n, refusals: [] })) }),
  'a node twice': (p) => ({ ...p, moves: [...p.moves, p.moves[0]] }),
  'a total': (p) => ({ ...p, totals: { ...p.totals, plannedCentsPerHour: 0 } }),
};

function goes({ moves }: Plan, name: string): boolean {
  return moves.some((m) => m.nodes.includes(name));
}

function withMoves(p: Plan, change: (m: PlannedMove) => PlannedMove): Plan {
  return { ...p, moves: p.moves.map(change) };
}

function withPlaces(p: Plan, to: () => string): Plan {
  return withMoves(p, (m) => ({ ...m, placements: m.placements.map(({ pod }) => ({ pod, to: to() })) }));
}

/** Enough for a plan that has been improved a little. */
const WORK = 5000;
const CASES = findCases(join(import.meta.dirname, '../conformance/recorded/ordinary'));

describe('a Plan document and the raw snapshot agree', () => {
  for (const maxReplacements of [1, 5]) {
    for (const search of ['merged', 'karpenter'] as const) {
      test(`${search}, up to ${maxReplacements} new nodes for a move`, () => {
        let moves = 0;
        for (const { name, cluster } of CASES) {
          const text = readText(cluster);
          const settings = { maxReplacements, utilizationThreshold: 1 };
          const made = plan(JSON.parse(text) as Snapshot, { search, settings, work: WORK });
          assert.deepEqual(problemsOfPlan(JSON.parse(text) as RawSnapshot, made), [], name);
          moves += made.moves.length;
        }
        assert.ok(moves >= 50, `${moves} moves on ${CASES.length} clusters`);
      });
    }
  }
});

describe('a Plan document that lies about', () => {
  const text = readText(CASES[29].cluster);
  const snapshot = JSON.parse(text) as RawSnapshot;
  const honest = plan(JSON.parse(text) as Snapshot, { work: WORK });
  for (const [name, lie] of Object.entries(LIES)) {
    test(name, () => {
      assert.deepEqual(problemsOfPlan(snapshot, honest), []);
      assert.notDeepEqual(problemsOfPlan(snapshot, lie(honest)), []);
    });
  }
});
