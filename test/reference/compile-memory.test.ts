import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects, PodObject } from '../../src/engine/cluster/objects.ts';
import { HOSTNAME } from '../../src/engine/cluster/well-known.ts';
import { plannedMoves, plannedNode } from '../../src/engine/planned.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { CompileMemory } from '../../src/engine/scheduling/compile-memory.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import { type Rules, STOCK_RULES } from '../../src/engine/settings.ts';
import { type SearchFindings, type Survey, searchMoves, survey } from '../../src/engine/survey.ts';
import { SurveyMemory } from '../../src/engine/survey-memory.ts';
import { cluster } from '../build/cluster.ts';
import { podsOf } from '../build/constraints.ts';
import { machine } from '../build/machine.ts';
import { pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { anyCluster } from '../build/random/cluster.ts';
import { runs } from '../build/runs.ts';

/** Everything that is said of every node, and every move, in names. */
function decisions(
  compiled: CompiledCluster,
  { own, search }: { own: Rules; search: 'karpenter' | 'merged' },
  looks?: SurveyMemory,
): unknown {
  const surveyed = survey(compiled, own, own.settings.maxReplacements, false, looks);
  const { moves, coverage } = looks?.findings(surveyed.problem, WORK) ?? searched(surveyed, search);
  looks?.learn(surveyed.problem, WORK, { moves, coverage });
  return {
    nodes: surveyed.rows.map(({ row, verdict }) => plannedNode(compiled, row, verdict, 1)),
    moves: plannedMoves(compiled, moves),
    coverage,
  };
}

const WORK = 300;

function searched(surveyed: Survey, search: 'karpenter' | 'merged'): SearchFindings {
  const steps = searchMoves(surveyed, search, WORK);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

const fatesOf = (...fates: readonly string[]) => fc.array(fc.constantFrom('same', 'same', ...fates), { minLength: 20 });

/** A later look: some pods and nodes are gone, some were written anew, catalog, budgets and DaemonSets may have changed. */
const later = fc.record({
  pods: fatesOf('copied', 'gone', 'waits'),
  nodes: fatesOf('copied', 'gone'),
  dearer: fc.constantFrom(false, false, false, true),
  claims: fatesOf('same', 'leaving'),
  budgets: fatesOf('used up', 'gone', 'wider'),
  daemonCpu: fc.constantFrom(0, 0, 0, 700),
  laterMs: fc.nat(600_000),
});

type Later = typeof later extends fc.Arbitrary<infer T> ? T : never;

function lookedAtLater(objects: ClusterObjects, look: Later): ClusterObjects {
  const waiting = (p: PodObject): PodObject => ({ ...p, nodeName: '', phase: 'Pending', unschedulable: true });
  const met = <T extends object>(list: readonly T[], fates: readonly string[], wait: (each: T) => T): T[] =>
    list.flatMap((each, i) => {
      const fate = fates[i % fates.length];
      return fate === 'gone' ? [] : fate === 'copied' ? [{ ...each }] : fate === 'waits' ? [wait(each)] : [each];
    });
  const resized = <T extends Pick<PodObject, 'requests'>>(each: T): T =>
    look.daemonCpu === 0 ? each : { ...each, requests: { ...each.requests, cpu: look.daemonCpu } };
  return {
    ...objects,
    nowMs: objects.nowMs + look.laterMs,
    pods: met(objects.pods, look.pods, waiting).map((p) => (p.owners[0]?.kind === 'DaemonSet' ? resized(p) : p)),
    nodes: met(objects.nodes, look.nodes, (node) => node),
    nodeClaims: objects.nodeClaims.map((c, i) =>
      look.claims[i % look.claims.length] === 'leaving' ? { ...c, terminating: true } : c,
    ),
    podDisruptionBudgets: objects.podDisruptionBudgets.flatMap((budget, i) => {
      const fate = look.budgets[i % look.budgets.length];
      if (fate === 'used up') return [{ ...budget, disruptionsAllowed: 0, fullyBlocking: true }];
      return fate === 'gone' ? [] : [fate === 'wider' ? { ...budget, selector: {} } : budget];
    }),
    daemonSets: objects.daemonSets.map(resized),
    instanceTypes: look.dearer ? withDearerFirst(objects) : objects.instanceTypes,
  };
}

/** Looked at again when nothing else is different but the time, then what PodDisruptionBudgets allow, then a price. */
function withOneThingChanged(objects: ClusterObjects): readonly ClusterObjects[] {
  const { nowMs, podDisruptionBudgets } = objects;
  const usedUp = podDisruptionBudgets.map((each) => ({ ...each, disruptionsAllowed: 0, fullyBlocking: true }));
  return [
    objects,
    { ...objects, nowMs: nowMs + 3_600_000 },
    { ...objects, podDisruptionBudgets: usedUp },
    { ...objects, instanceTypes: withDearerFirst(objects) },
  ];
}

function withDearerFirst({ instanceTypes: [first, ...others] }: ClusterObjects): ClusterObjects['instanceTypes'] {
  return [{ ...first, offerings: first.offerings.map((o) => ({ ...o, price: o.price * 2 })) }, ...others];
}

describe('compiling again with a memory', () => {
  const ways = [
    { own: rules(), search: 'merged' },
    { own: STOCK_RULES, search: 'karpenter' },
  ] as const;
  for (const way of ways) {
    test(`decides as without: ${way.search}`, () => {
      fc.assert(
        fc.property(anyCluster, fc.array(later, { minLength: 1, maxLength: 5 }), (objects, looks) => {
          const memory = new CompileMemory();
          const surveys = new SurveyMemory();
          const states = [objects, ...looks.map((each) => lookedAtLater(objects, each)), objects];
          for (const look of states.flatMap(withOneThingChanged)) {
            const fast = decisions(compile(look, way.own.settings, memory, surveys.last), way, surveys);
            const slow = decisions(compile(look, way.own.settings), way);
            assert.deepEqual(fast, slow);
          }
        }),
        runs(way.search === 'merged' ? 40 : 100),
      );
    });
  }

  test('a resource that nobody asks for any more leaves no node short', () => {
    const [asking, plain] = [pod('asking', { on: 'n', extra: { gpu: 1 } }), pod('plain', { on: 'n' })];
    const objects = cluster({ machines: [machine('n')], pods: [asking, plain] });
    const short: ClusterObjects = {
      ...objects,
      nodes: objects.nodes.map((n) => ({ ...n, allocatable: { ...n.allocatable, gpu: -1 } })),
    };
    const memory = new CompileMemory();
    const isOpen = (o: ClusterObjects) => compile(o, STOCK_RULES.settings, memory).destinations[0] !== 0;
    assert.equal(isOpen(short), false);
    assert.equal(isOpen({ ...short, pods: [plain] }), true);
  });

  test('rules that no pod has any more count nobody', () => {
    const apart = pod('apart', { on: 'n', labels: { app: 'web' }, requiredAntiAffinity: [podsOf('web', HOSTNAME)] });
    const plain = pod('plain', { on: 'n', labels: { app: 'web' } });
    const objects = cluster({ machines: [machine('n')], pods: [plain, apart] });
    const memory = new CompileMemory();
    const groupsOfPlain = (o: ClusterObjects) => compile(o, rules().settings, memory).membershipOfPod[0].counted.length;
    assert.equal(groupsOfPlain(objects), 1);
    assert.equal(groupsOfPlain({ ...objects, pods: [plain] }), 0);
  });

  test('what did not change is not made again', () => {
    const objects = cluster({ machines: [machine('n')], pods: [pod('a', { on: 'n' })] });
    const memory = new CompileMemory();
    const first = compile(objects, STOCK_RULES.settings, memory);
    const second = compile({ ...objects, nowMs: objects.nowMs + 1 }, STOCK_RULES.settings, memory);
    assert.equal(second.types, first.types);
    assert.equal(second.rows[0], first.rows[0]);
    assert.equal(second.shapeOfPod[0], first.shapeOfPod[0]);
  });
});
