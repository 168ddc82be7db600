import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects, NodeObject, PodObject } from '../../src/engine/cluster/objects.ts';
import { HOSTNAME } from '../../src/engine/cluster/well-known.ts';
import type { Move } from '../../src/engine/moves/move.ts';
import { evaluate, searchMoves } from '../../src/engine/pass/evaluation.ts';
import { IncrementalCluster } from '../../src/engine/pass/incremental-cluster.ts';
import { plannedMoves, plannedNode } from '../../src/engine/planned.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { CompileCache } from '../../src/engine/scheduling/compile-cache.ts';
import { RequestPeaks } from '../../src/engine/scheduling/request-peaks.ts';
import { merged } from '../../src/engine/search/merged/merged.ts';
import type { Search, SearchBudget } from '../../src/engine/search/method.ts';
import { benefitOf } from '../../src/engine/search/net-benefit.ts';
import type { SearchProblem } from '../../src/engine/search/problem.ts';
import { type Rules, STOCK_RULES } from '../../src/engine/settings.ts';
import { resultOf } from '../../src/engine/steps.ts';
import { cluster } from '../build/cluster.ts';
import { podsOf } from '../build/constraints.ts';
import { type Machine, machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { pod } from '../build/pod.ts';
import { rules } from '../build/policy.ts';
import { anyCluster } from '../build/random/cluster.ts';
import { runs } from '../build/runs.ts';
import { csiNode } from '../build/storage.ts';
import { anyRules } from '../search/fleet-rules.ts';
import { anyFleet } from '../search/fleets.ts';
import { problemsOfSequence } from './sequence.ts';

const WORK = 300;

interface Way {
  readonly own: Rules;
  readonly search: 'karpenter' | 'merged';
  readonly peakWindowMs?: number;
}

/** A pass over a cluster that was seen before, and one over the same cluster from scratch. */
class Passes {
  private readonly incremental: IncrementalCluster;
  private readonly peaks: RequestPeaks | undefined;
  private readonly way: Way;

  constructor(way: Way) {
    this.way = way;
    this.incremental = new IncrementalCluster(way);
    this.peaks =
      way.peakWindowMs === undefined
        ? undefined
        : new RequestPeaks({ peakWindowMs: way.peakWindowMs, jobPeakWindowMs: 0 });
  }

  pass(objects: ClusterObjects, work = WORK) {
    const { own, search } = this.way;
    const evaluation = resultOf(this.incremental.evaluate(objects, own));
    const { simulated } = this.incremental;
    const findings = resultOf(this.incremental.search(evaluation, { search, work: () => work }));
    return { evaluation, findings, simulated };
  }

  fromScratch(objects: ClusterObjects) {
    const { own, search } = this.way;
    const evaluation = evaluate(compile(objects, own.settings, new CompileCache(this.peaks)), own);
    return { evaluation, findings: resultOf(searchMoves(evaluation, search, WORK)) };
  }
}

type Passed = ReturnType<Passes['fromScratch']>;

/** Everything that is said of every node, in names. */
function verdictsIn({ evaluation: { rows, problem } }: Passed): unknown {
  return rows.map(({ row, verdict }) => plannedNode(problem.simulation, row, verdict, 1));
}

function movesIn({ evaluation: { problem }, findings: { moves } }: Passed): unknown {
  return plannedMoves(problem.simulation.cluster, moves);
}

const fatesOf = (...fates: readonly string[]) => fc.array(fc.constantFrom('same', 'same', ...fates), { minLength: 20 });

/** A later view: some pods and nodes are gone, some were written anew, catalog, budgets and DaemonSets may have changed. */
const later = fc.record({
  /** Pods wait in few of the passes: then every verdict is a new one. */
  pods: fc.oneof(fatesOf('copied', 'gone', 'moved'), fatesOf('copied', 'gone', 'moved'), fatesOf('copied', 'waits')),
  joined: fc.boolean(),
  nodes: fatesOf('copied', 'gone'),
  higherPrice: fc.constantFrom(false, false, false, true),
  claims: fatesOf('same', 'leaving'),
  budgets: fatesOf('used up', 'gone', 'wider'),
  volumes: fatesOf('gone'),
  csiNodes: fatesOf('gone', 'copied'),
  daemonCpu: fc.constantFrom(0, 0, 0, 700),
  laterMs: fc.nat(600_000),
});

type Later = typeof later extends fc.Arbitrary<infer T> ? T : never;

function seenLater(objects: ClusterObjects, view: Later): ClusterObjects {
  const { nodes } = objects;
  const changed = (p: PodObject, fate: string): PodObject =>
    fate === 'waits'
      ? { ...p, nodeName: '', phase: 'Pending', unschedulable: true }
      : { ...p, nodeName: nodes[(p.name.length * 7 + view.laterMs) % nodes.length]?.name ?? p.nodeName };
  const met = <T extends object>(
    list: readonly T[],
    fates: readonly string[],
    change: (each: T, fate: string) => T,
  ): T[] =>
    list.flatMap((each, i) => {
      const fate = fates[i % fates.length];
      return fate === 'gone'
        ? []
        : fate === 'copied'
          ? [{ ...each }]
          : fate === 'waits' || fate === 'moved'
            ? [change(each, fate)]
            : [each];
    });
  const resized = <T extends Pick<PodObject, 'requests'>>(each: T): T =>
    view.daemonCpu === 0 ? each : { ...each, requests: { ...each.requests, cpu: view.daemonCpu } };
  return {
    ...objects,
    nowMs: objects.nowMs + view.laterMs,
    pods: met(objects.pods, view.pods, changed).map((p) => (p.owners[0]?.kind === 'DaemonSet' ? resized(p) : p)),
    nodes: [...met(nodes, view.nodes, (node) => node), ...(view.joined ? nodes.slice(0, 1).map(another) : [])],
    nodeClaims: objects.nodeClaims.map((c, i) =>
      view.claims[i % view.claims.length] === 'leaving' ? { ...c, terminating: true } : c,
    ),
    podDisruptionBudgets: objects.podDisruptionBudgets.flatMap((budget, i) => {
      const fate = view.budgets[i % view.budgets.length];
      if (fate === 'used up') return [{ ...budget, disruptionsAllowed: 0, fullyBlocking: true }];
      return fate === 'gone' ? [] : [fate === 'wider' ? { ...budget, selector: {} } : budget];
    }),
    persistentVolumes: met(objects.persistentVolumes, view.volumes, (volume) => volume),
    csiNodes: met(objects.csiNodes, view.csiNodes, (csiNode) => csiNode),
    daemonSets: objects.daemonSets.map(resized),
    instanceTypes: view.higherPrice ? withHigherPriceFirst(objects) : objects.instanceTypes,
  };
}

function another(node: NodeObject): NodeObject {
  const labels = { ...node.labels, [HOSTNAME]: 'another' };
  return { ...node, name: 'another', providerId: '', labels };
}

/** With another node like the first, which is the youngest and has no pods. */
function withJoined(objects: ClusterObjects, name: string, laterMs: number): ClusterObjects {
  const nowMs = objects.nowMs + laterMs;
  const claim = objects.nodeClaims[0];
  const node = objects.nodes.find((n) => n.providerId === claim?.providerId);
  if (node === undefined) return { ...objects, nowMs };
  const own = { name, providerId: `test://${name}`, createdMs: objects.nowMs };
  const labels = { ...node.labels, [HOSTNAME]: name };
  return {
    ...objects,
    nowMs,
    nodes: [...objects.nodes, { ...node, ...own, labels }],
    nodeClaims: [...objects.nodeClaims, { ...claim, ...own, nodeName: name }],
  };
}

/** Pools that lose more nodes in these moves than their budget allows for any reason. */
function overBudget({ budgets }: SearchProblem, moves: readonly Move[]): string[] {
  const gone = Map.groupBy(
    moves.flatMap((move) => move.candidates),
    (c) => c.pool.name,
  );
  return [...gone].flatMap(([pool, { length }]) =>
    length > Math.max(budgets.Empty.get(pool) ?? 0, budgets.Underutilized.get(pool) ?? 0) ? [pool] : [],
  );
}

function namesIn(plan: readonly Move[]): string[] {
  return plan.flatMap((move) => move.candidates.map((c) => c.name));
}

interface View {
  readonly view: ClusterObjects;
  /** Different from the view before in what gates read; simulations read little of it. */
  readonly isOfGates: boolean;
}

/** Seen again when nothing else is different but the time, then what PodDisruptionBudgets allow, then volumes, then a price. */
function withOneThingChanged(objects: ClusterObjects): readonly View[] {
  const { nowMs, podDisruptionBudgets } = objects;
  const usedUp = podDisruptionBudgets.map((each) => ({ ...each, disruptionsAllowed: 0, fullyBlocking: true }));
  return [
    { view: objects, isOfGates: false },
    { view: { ...objects, nowMs: nowMs + 3_600_000 }, isOfGates: true },
    { view: { ...objects, podDisruptionBudgets: usedUp }, isOfGates: true },
    { view: { ...objects, persistentVolumes: [] }, isOfGates: false },
    { view: { ...objects, instanceTypes: withHigherPriceFirst(objects) }, isOfGates: false },
  ];
}

function withHigherPriceFirst({ instanceTypes: [first, ...others] }: ClusterObjects): ClusterObjects['instanceTypes'] {
  return [{ ...first, offerings: first.offerings.map((o) => ({ ...o, price: o.price * 2 })) }, ...others];
}

describe('passes over one cluster', () => {
  const ways: readonly Way[] = [
    { own: rules(), search: 'merged' },
    { own: rules(), search: 'merged', peakWindowMs: 900_000 },
    { own: STOCK_RULES, search: 'karpenter' },
  ];
  for (const way of ways) {
    test(`give every node the verdict that it has from scratch: ${way.search}${way.peakWindowMs ? ' with room for peaks' : ''}`, () => {
      // Where what simulations read is different, as many verdicts as chance has it are new ones.
      let [simulated, all] = [0, 0];
      fc.assert(
        fc.property(anyCluster, fc.array(later, { minLength: 1, maxLength: 5 }), (objects, views) => {
          const passes = new Passes(way);
          const states = [objects, ...views.map((each) => seenLater(objects, each)), objects];
          for (const { view, isOfGates } of states.flatMap(withOneThingChanged)) {
            const [passed, scratch] = [passes.pass(view), passes.fromScratch(view)];
            if (isOfGates) simulated += passed.simulated;
            if (isOfGates) all += passed.evaluation.problem.candidates.length;
            assert.deepEqual(verdictsIn(passed), verdictsIn(scratch));
            if (way.search === 'karpenter') assert.deepEqual(movesIn(passed), movesIn(scratch));
          }
        }),
        runs(way.search === 'merged' ? 40 : 100),
      );
      // Stock's policies are new objects in each pass, and then so are all verdicts.
      if (way.search === 'merged') assert.ok(simulated < all / 2, `${simulated} of ${all} verdicts were simulated`);
    });
  }

  /**
   * True of each search. Not of the first stage of a plan, nor of all its stages: a cold plan may have other moves in the first, and
   * what a stage finds is not the best that there is.
   */
  test('find moves that can all be made; a search that starts from earlier ones finds no less than from scratch', (t) => {
    let [moves, more] = [0, 0];
    const { search } = merged;
    t.mock.method(merged, 'search', function* (problem: SearchProblem, budget: SearchBudget): Search {
      const found = yield* search(problem, budget);
      if (problem.start === undefined) return found;
      const scratch = resultOf(search({ ...problem, start: undefined }, budget));
      const [warm, cold] = [found, scratch].map((result) => benefitOf(result.moves).netCents);
      assert.ok(warm >= cold - 1e-6, `${warm} < ${cold}`);
      if (warm > cold + 1e-6) more++;
      return found;
    });
    fc.assert(
      fc.property(anyFleet, anyRules, fc.array(later, { minLength: 1, maxLength: 4 }), (objects, own, views) => {
        const passes = new Passes({ own, search: 'merged' });
        for (const view of [objects, ...views.map((each) => seenLater(objects, each)), objects]) {
          const { evaluation, findings } = passes.pass(view);
          // Pods that can go nowhere are there without any move.
          const { problem } = evaluation;
          assert.deepEqual(problemsOfSequence(problem, findings.plan), problemsOfSequence(problem, []));
          moves += findings.plan.length;
        }
      }),
      runs(60),
    );
    assert.ok(moves > 0 && more > 0, `${moves} moves, ${more} searches with more than from scratch`);
  });

  test('keep every move without trying it again while nodes only join, and delete those that joined empty', () => {
    let [kept, deleted, standing] = [0, 0, 0];
    fc.assert(
      fc.property(
        anyFleet,
        anyRules,
        fc.array(fc.nat(600_000), { minLength: 1, maxLength: 3 }),
        (objects, own, times) => {
          const passes = new Passes({ own, search: 'merged' });
          let view = objects;
          let before = passes.pass(view).findings;
          for (const [i, laterMs] of times.entries()) {
            view = withJoined(view, `joined-${i}`, laterMs);
            const { evaluation, findings } = passes.pass(view, 0);
            const { problem } = evaluation;
            assert.deepEqual(problemsOfSequence(problem, findings.plan), problemsOfSequence(problem, []));
            assert.deepEqual(problemsOfSequence(problem, findings.first), problemsOfSequence(problem, []));
            assert.deepEqual(overBudget(problem, findings.first), []);
            const nodes = new Set(namesIn(findings.plan));
            if (findings.coverage?.work === 0) {
              assert.deepEqual(
                namesIn(before.plan).filter((name) => !nodes.has(name)),
                [],
              );
              kept += before.plan.length;
              deleted += nodes.has(`joined-${i}`) ? 1 : 0;
              const known = new Set(before.first.map((move) => move.placements));
              standing += findings.first.filter((move) => known.has(move.placements)).length;
            }
            before = findings;
          }
        },
      ),
      runs(60),
    );
    assert.ok(kept > 0 && deleted > 0, `${kept} moves were kept, ${deleted} nodes that joined are deleted`);
    assert.ok(standing > 0, 'no first wave was kept');
  });

  test('a verdict changes when a peak is over, and with nothing else', () => {
    const passes = new Passes({ own: rules(), search: 'merged', peakWindowMs: 900_000 });
    const [p, q, job] = [
      pod('p', { on: 'a', cpu: 1000 }),
      pod('q', { on: 'b', cpu: 1000, doNotDisrupt: 'true' }),
      pod('job', { on: 'b', cpu: 2500 }),
    ];
    const before = cluster({
      machines: [machine('a'), machine('b')],
      pods: [p, q, job],
      nodePools: [nodePool('default', { limits: { cpu: 1 } })],
    });
    const views = [0, 1, 14, 16].map((minutes) => ({
      ...before,
      pods: minutes === 0 ? before.pods : before.pods.slice(0, 2),
      nowMs: before.nowMs + minutes * 60_000,
    }));
    const moves = views.map((view) => {
      const [passed, scratch] = [passes.pass(view), passes.fromScratch(view)];
      assert.deepEqual(verdictsIn(passed), verdictsIn(scratch));
      return passed.findings.moves.length;
    });
    assert.deepEqual(moves, [0, 0, 0, 1]);
  });

  test('a resource that is no longer requested leaves no node short', () => {
    const [asking, plain] = [pod('asking', { on: 'n', extra: { gpu: 1 } }), pod('plain', { on: 'n' })];
    const objects = cluster({ machines: [machine('n')], pods: [asking, plain] });
    const short: ClusterObjects = {
      ...objects,
      nodes: objects.nodes.map((n) => ({ ...n, allocatable: { ...n.allocatable, gpu: -1 } })),
    };
    const cache = new CompileCache();
    const isOpen = (o: ClusterObjects) => compile(o, STOCK_RULES.settings, cache).destinations[0] !== 0;
    assert.equal(isOpen(short), false);
    assert.equal(isOpen({ ...short, pods: [plain] }), true);
  });

  test('rules that no pod has any more count no pods', () => {
    const apart = pod('apart', { on: 'n', labels: { app: 'web' }, requiredAntiAffinity: [podsOf('web', HOSTNAME)] });
    const plain = pod('plain', { on: 'n', labels: { app: 'web' } });
    const objects = cluster({ machines: [machine('n')], pods: [plain, apart] });
    const cache = new CompileCache();
    const groupsOfPlain = (o: ClusterObjects) => compile(o, rules().settings, cache).membershipOfPod[0].counted.length;
    assert.equal(groupsOfPlain(objects), 1);
    assert.equal(groupsOfPlain({ ...objects, pods: [plain] }), 0);
  });

  test('a node that joins comes last, so that verdicts on nodes whose pods had places stand', () => {
    const passes = new Passes({ own: rules(), search: 'merged' });
    const objects = cluster({
      machines: ['b', 'c'].map((name) => machine(name)),
      pods: ['b', 'c'].map((on) => pod(`on-${on}`, { on, cpu: 100 })),
    });
    const { nodes, nodeClaims, nowMs: createdMs } = objects;
    const { node, claim } = machine('a') as Required<Machine>;
    const { simulated } = passes.pass(objects);
    const { evaluation, simulated: again } = passes.pass({
      ...objects,
      nodes: [{ ...node, createdMs }, ...nodes],
      nodeClaims: [{ ...claim, createdMs }, ...nodeClaims],
      csiNodes: [csiNode('a', 25)],
    });
    assert.deepEqual(
      evaluation.problem.simulation.cluster.rows.map(({ name }) => name),
      ['b', 'c', 'a'],
    );
    assert.deepEqual([simulated, again], [2, 0]);
  });

  test('what did not change is not made again', () => {
    const objects = cluster({ machines: [machine('n')], pods: [pod('a', { on: 'n' })] });
    const cache = new CompileCache();
    const first = compile(objects, STOCK_RULES.settings, cache);
    const second = compile({ ...objects, nowMs: objects.nowMs + 1 }, STOCK_RULES.settings, cache);
    assert.equal(second.types, first.types);
    assert.equal(second.rows[0], first.rows[0]);
    assert.equal(second.shapeOfPod[0], first.shapeOfPod[0]);
  });
});
