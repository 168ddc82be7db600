import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { highsSolver } from '../../src/bound/highs-solver.ts';
import { applyCommitments } from '../../src/catalog/commitments.ts';
import { decodePriceOverlay } from '../../src/catalog/price-overlay.ts';
import { leastCost } from '../../src/engine/bound/plan-bound.ts';
import { type CoveredBy, commitmentsOf } from '../../src/engine/cluster/commitment.ts';
import type { ClusterObjects, InstanceType, Labels, NodeObject } from '../../src/engine/cluster/objects.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, ON_DEMAND, SPOT, ZONE } from '../../src/engine/cluster/well-known.ts';
import type { Replacement } from '../../src/engine/moves/replacement.ts';
import type { FoundStage } from '../../src/engine/pass/evaluation.ts';
import type { Plan } from '../../src/engine/plan-document.ts';
import { cluster } from '../build/cluster.ts';
import { is } from '../build/constraints.ts';
import { LARGE, MEDIUM, SMALL } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { runs } from '../build/runs.ts';
import { GIB } from '../build/units.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { Money } from './money-of.ts';
import { afterStages, LITTLE_WORK, planOf, searched } from './searched.ts';

const solver = await highsSolver();

type Entry = Readonly<Record<string, unknown>>;

function committed(types: readonly InstanceType[], entries: readonly Entry[]): readonly InstanceType[] {
  const decoded = decodePriceOverlay(
    'o.yaml',
    entries.map((entry, i) => ({ name: `c${i}`, ...entry })),
  );
  return applyCommitments(
    types,
    decoded.filter((rule) => 'size' in rule),
  ).types;
}

/** No node is being deleted: such a node is paid for, and takes nothing from a commitment that is worth keeping. */
const settledFleet = anyFleet.map((objects) => ({
  ...objects,
  nodes: objects.nodes.map((node) => ({ ...node, terminating: false })),
  nodeClaims: objects.nodeClaims.map((claim) => ({ ...claim, terminating: false })),
}));

const anyEntries = fc.array(
  fc.record(
    {
      dollarsPerHour: fc.constantFrom(0.05, 0.3, 1, 3, 50),
      price: fc.constantFrom('-0%', '-28%', '-50%'),
      capacityType: fc.constantFrom<string | string[]>(ON_DEMAND, SPOT, [ON_DEMAND, SPOT]),
      zone: fc.constantFrom<string | string[]>('zone-a', ['zone-a', 'zone-b']),
      requirements: fc.constantFrom<Entry[]>(
        [{ key: INSTANCE_TYPE, operator: 'NotIn', values: ['t4-4', 't16-2'] }],
        [{ key: INSTANCE_TYPE, operator: 'In', values: ['t2-2', 't2-4', 't8-4', 't16-4', 't4-8'] }],
      ),
    },
    { requiredKeys: ['dollarsPerHour'] },
  ),
  { minLength: 1, maxLength: 3 },
);

/** The cost of nodes, worked out again: the smallest cut between spend and commitments. */
function costOf(
  objects: ClusterObjects,
  surchargeCents = 0,
  nodes: readonly Pick<NodeObject, 'labels'>[] = objects.nodes,
) {
  const commitments = commitmentsOf(objects.instanceTypes);
  const money = new Money(objects);
  const spend = nodes.map((node) => ({ dollars: money.priceOf(node), coveredBy: coveredBy(objects, node) }));
  const surcharge = spend.filter(({ dollars }) => dollars > 0).length * (surchargeCents / 100);
  const cuts = Array.from({ length: 2 ** commitments.length }, (_, set) => {
    const cut = new Set(commitments.filter((__, i) => set & (1 << i)));
    const open = spend.filter((s) => s.coveredBy.some((c) => !cut.has(c)));
    return sum([...cut].map((c) => c.coversDollarsPerHour)) + sum(open.map((s) => s.dollars));
  });
  const paid = sum(commitments.map((c) => c.dollarsPerHour)) + sum(spend.map((s) => s.dollars)) + surcharge;
  return 100 * (paid - Math.min(...cuts));
}

function coveredBy(objects: ClusterObjects, { labels }: Pick<NodeObject, 'labels'>): CoveredBy {
  const type = objects.instanceTypes.find(({ name }) => name === labels[INSTANCE_TYPE]);
  const own = type?.offerings.find(({ requirements }) =>
    requirements.every(({ key, values }) => (key !== ZONE && key !== CAPACITY_TYPE) || values?.[0] === labels[key]),
  );
  return own?.coveredBy ?? [];
}

const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
const close = (a: number, b: number, what: string) => assert.ok(Math.abs(a - b) < 1e-6, `${what}: ${a} against ${b}`);

describe('with commitments', () => {
  test('totals are the cost of the whole cluster, moves add up to the difference, and none makes it more expensive', () => {
    fc.assert(
      fc.property(settledFleet, anyRules, anyEntries, (fleet, by, entries) => {
        const objects = { ...fleet, instanceTypes: committed(fleet.instanceTypes, entries) };
        const surcharge = by.settings.nodeSurchargeCents ?? 0;
        const { totals, moves } = planOf(objects, by, { work: LITTLE_WORK });
        const { stages } = searched(objects, by, LITTLE_WORK);
        close(totals.centsPerHour, costOf(objects, surcharge), 'now');
        close(totals.plannedCentsPerHour, costOf(afterStages(stages), surcharge), 'planned');
        close(sum(moves.map((m) => m.savingsCentsPerHour)), totals.savingsCentsPerHour, 'sum');
        for (const stage of stages) eachMoveSaves(stage, surcharge);
        // Stages may remove nodes that they launch, which the bound does not allow.
        const [first] = stages;
        const candidates = new Set(first.problem.candidates.map((c) => c.name));
        const dollarsPerHour = leastCost(objects, by, candidates, solver);
        const reached = costOf(afterStages([first]), surcharge);
        assert.ok(dollarsPerHour * 100 <= reached + 1e-6, `bound ${dollarsPerHour * 100} above ${reached}`);
      }),
      runs(30),
    );
  });

  test('Karpenter knows nothing of commitments', () => {
    fc.assert(
      fc.property(anyFleet, anyEntries, (fleet, entries) => {
        const compat = rules({}, { compat: true });
        const objects = { ...fleet, instanceTypes: committed(fleet.instanceTypes, entries) };
        const settings = { search: 'karpenter' } as const;
        assert.deepEqual(planOf(objects, compat, settings), planOf(fleet, compat, settings));
      }),
      runs(20),
    );
  });
});

/** In its order, at the least as much as it says: whatever its launches become, the cluster costs no more than before. */
function eachMoveSaves({ problem, moves }: FoundStage, surcharge: number): void {
  const { types, objects } = problem.simulation.cluster;
  const launched: NodeObject['labels'][] = [];
  const gone = new Set<string>();
  const cost = (more: readonly NodeObject['labels'][]) => {
    const left = objects.nodes.filter((n) => !gone.has(n.name));
    return costOf(objects, surcharge, [...left, ...[...launched, ...more].map((labels) => ({ labels }))]);
  };
  for (const { move } of moves) {
    const before = cost([]);
    for (const { name } of move.candidates) gone.add(name);
    const become = (prices: 'worst' | 'cheapest', pick: (r: Replacement) => number) =>
      move.replacements.map((r) => {
        const type = pick(r);
        return labelsAt(objects, types.list[type], types.prices(r.requirements)[prices][type], surcharge);
      });
    const mostExpensive = become('worst', ({ types: all, requirements }) => {
      const { worst } = types.prices(requirements);
      return all.reduce((a, t) => (worst[t] > worst[a] ? t : a));
    });
    assert.ok(cost(mostExpensive) <= before + 1e-6, `${cost(mostExpensive)} after ${before}`);
    launched.push(...become('cheapest', (r) => r.types[0]));
    close(before - cost([]), move.savings * 100, 'savings');
  }
}

/** Labels of a node of this type at this price. */
function labelsAt(objects: ClusterObjects, { name }: InstanceType, price: number, surchargeCents = 0) {
  const type = objects.instanceTypes.find((t) => t.name === name);
  const found = type?.offerings.find((o) => Math.abs(o.price + surchargeCents / 100 - price) < 1e-12);
  assert.ok(found !== undefined);
  const labels = found.requirements.map(({ key, values }) => [key, values?.[0] ?? '']);
  return { [INSTANCE_TYPE]: name, ...Object.fromEntries(labels) };
}

/** Nodes of 20 cents per hour on demand with a pod each that needs half of one. */
function ofMediums(nodes: number, entries: readonly Entry[], more: Partial<ClusterObjects> = {}): ClusterObjects {
  const names = Array.from({ length: nodes }, (_, i) => `node-${i}`);
  return {
    ...cluster({
      instanceTypes: [...committed([SMALL, MEDIUM, LARGE], entries)],
      nodePools: [nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', SPOT, ON_DEMAND)] })],
      machines: names.map((name) => machine(name, { type: MEDIUM, capacityType: ON_DEMAND })),
      pods: names.map((name) => pod(`pod-of-${name}`, { on: name, cpu: 2000, memory: GIB })),
    }),
    ...more,
  };
}

const medium = (size: Entry): Entry => ({ selector: { [INSTANCE_TYPE]: 'medium' }, ...size });

describe('a commitment of its own type', () => {
  const facts = ({ totals, moves, commitments, nodes }: Plan) => ({
    now: Math.round(totals.centsPerHour),
    planned: Math.round(totals.plannedCentsPerHour),
    moves: moves.length,
    unused: commitments?.map(({ planned }) => Math.round(planned.unusedCentsPerHour)),
    refusals: [...new Set(nodes.flatMap((n) => n.refusals.map((r) => r.code)))],
  });

  test('without one, on-demand nodes are replaced by spot', () => {
    const { planned, moves } = facts(planOf(ofMediums(4, []), rules()));
    assert.ok(moves > 0 && planned < 80);
  });

  test('that pays for all nodes leaves nothing to gain: not even spot is cheaper than what is paid anyway', () => {
    assert.deepEqual(facts(planOf(ofMediums(4, [medium({ nodes: 4 })]), rules())), {
      now: 80,
      planned: 80,
      moves: 0,
      unused: [0],
      refusals: ['covered-by-commitment'],
    });
  });

  test('that pays for two of four nodes: two go, and their pods move to the two that are paid for', () => {
    const { now, planned, unused } = facts(planOf(ofMediums(4, [medium({ nodes: 2 })]), rules()));
    assert.deepEqual({ now, planned, unused }, { now: 80, planned: 40, unused: [0] });
  });

  test('that pays for three of four nodes: one goes, although the pods fit on two', () => {
    const plan = planOf(ofMediums(4, [medium({ nodes: 3 })]), rules());
    const { planned, moves } = facts(plan);
    assert.deepEqual({ planned, moves, evictions: plan.totals.evictions }, { planned: 60, moves: 1, evictions: 1 });
  });

  test('with a discount costs less than list price, and covers the same', () => {
    const { now, planned, unused } = facts(planOf(ofMediums(4, [medium({ nodes: 2, price: '-25%' })]), rules()));
    assert.deepEqual({ now, planned, unused }, { now: 70, planned: 30, unused: [0] });
    const dollars = facts(planOf(ofMediums(4, [medium({ dollarsPerHour: 0.3, price: '-25%' })]), rules()));
    assert.deepEqual([dollars.now, dollars.planned], [70, 30]);
  });

  test('that nothing uses is filled: spot nodes are replaced by nodes that are paid for', () => {
    const spot = ofMediums(2, [medium({ nodes: 1 })]);
    const onSpot = (labels: Labels) => ({ ...labels, [CAPACITY_TYPE]: SPOT });
    const objects = {
      ...spot,
      nodes: spot.nodes.map((n) => ({ ...n, labels: onSpot(n.labels) })),
      nodeClaims: spot.nodeClaims.map((c) => ({ ...c, labels: onSpot(c.labels) })),
    };
    const plan = planOf(objects, rules());
    const { now, planned, unused } = facts(plan);
    // 20 cents are committed and unused, two spot nodes cost 8 each.
    assert.deepEqual({ now, planned, unused }, { now: 36, planned: 20, unused: [0] });
    assert.deepEqual(
      plan.moves.flatMap((m) => m.replacements.map((r) => [r.instanceTypes, r.capacityTypes])),
      [[['medium'], [ON_DEMAND]]],
    );
  });
});
