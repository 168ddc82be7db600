import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DEFAULT_CONTROLLER_SETTINGS } from '../../src/config/controller-settings.ts';
import type { ClusterPort, ClusterView } from '../../src/controller/cluster-port.ts';
import { Controller } from '../../src/controller/controller.ts';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { boundLargeHeap } from '../../src/live/heap-growth.ts';
import { Random } from '../generate/random.ts';
import { loadObjects } from './load-objects.ts';
import { type Facts, type Measured, peakMb, type Sample, sample, type Task } from './measure.ts';
import { PodTurnover } from './pod-turnover.ts';

/**
 * - first: the first pass of a controller that has just started.
 * - changed: a pass after one pod in a hundred restarted, went or moved.
 * - joined: a pass after one node joined.
 */
export type PassKind = 'first' | 'changed' | 'joined';

const SHARE_CHANGED = 0.01;
/** Longer than the polling period. */
const BETWEEN_PASSES_MS = 60_000;
/** As the operator has it. */
const SLICE_MS = 25;

/** Time of `Controller.reconcile()` in observe mode, on views that share all objects but those that changed. */
export async function controllerPass(task: Task): Promise<Measured> {
  if (task.pass === undefined) throw new Error('controller: the workload does not say which pass');
  const cluster = new ObservedCluster(await loadObjects(task.file));
  const first = await cluster.pass();
  if (task.pass === 'first')
    return { samples: [first.sample], peakMb: peakMb(), facts: { ...factsOf(cluster.objects), ...first.facts } };
  // Nothing else may hold the first view: its pods would count as growth.
  const turnover = new PodTurnover(cluster.objects, new Random(task.input.seed));
  const samples: Sample[] = [];
  let longestBlockMs = 0;
  let heapAfterFive = 0;
  let facts: Facts = first.facts;
  const passes = task.warmUps + task.runs;
  for (let i = 1; i <= passes; i++) {
    if (task.pass === 'changed') turnover.change(SHARE_CHANGED);
    cluster.objects = task.pass === 'changed' ? turnover.objects : cluster.withNode(i);
    const pass = await cluster.pass();
    if (i === 5) heapAfterFive = heapMb();
    if (i <= task.warmUps) continue;
    samples.push(pass.sample);
    longestBlockMs = Math.max(longestBlockMs, Number(pass.facts.blockMs));
    facts = pass.facts;
  }
  const rssMb = process.memoryUsage().rss / 1e6;
  const ownPeakMb = peakMb();
  const heap = heapMb();
  const scratch = await new ObservedCluster(cluster.objects).pass();
  const growth: Facts = heapAfterFive > 0 ? { heapMb: heap, heapGrowth: heap / heapAfterFive - 1 } : {};
  return {
    first: first.sample,
    samples,
    peakMb: ownPeakMb,
    facts: {
      ...factsOf(cluster.objects),
      ...facts,
      blockMs: longestBlockMs,
      scratchSavings: scratch.facts.savings,
      rssMb,
      ...growth,
    },
  };
}

function factsOf({ nodes, pods }: ClusterObjects): Facts {
  return { nodes: nodes.length, pods: pods.length };
}

/** A controller, and the cluster that it observes. */
class ObservedCluster implements ClusterPort {
  objects: ClusterObjects;
  private nowMs: number;
  private readonly controller: Controller;
  private yieldedMs = 0;

  constructor(objects: ClusterObjects) {
    this.objects = objects;
    this.nowMs = objects.nowMs;
    this.controller = new Controller(this, {
      mode: 'observe',
      settings: DEFAULT_CONTROLLER_SETTINGS,
      yieldToOthers: () => this.yield(),
    });
  }

  view(): ClusterView {
    return { objects: { ...this.objects, nowMs: this.nowMs }, commands: [] };
  }

  act(): Promise<void> {
    throw new Error('a controller that observes does not act');
  }

  async pass(): Promise<{ readonly sample: Sample; readonly facts: Facts }> {
    this.nowMs += BETWEEN_PASSES_MS;
    // As the operator does.
    boundLargeHeap();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await turn();
    this.yieldedMs = performance.now();
    const { sample: taken, value } = await sample(() => this.controller.reconcile());
    await turn();
    delay.disable();
    if (value.pass === undefined) throw new Error(`no pass was made: ${JSON.stringify(value)}`);
    const { proposals, plannedSavingsCentsPerHour, coverage } = value.pass;
    return {
      sample: taken,
      facts: {
        proposals: proposals.length,
        savings: plannedSavingsCentsPerHour / 100,
        work: coverage?.work ?? 0,
        blockMs: delay.max / 1e6,
      },
    };
  }

  /** With another node that has just joined, with its CSINode and the pods of its DaemonSets. */
  withNode(round: number): ClusterObjects {
    const { objects, nowMs: createdMs } = this;
    const claim = objects.nodeClaims[round];
    const node = objects.nodes.find((n) => n.providerId === claim.providerId);
    if (node === undefined) throw new Error(`NodeClaim ${claim.name} has no Node`);
    const name = `joined-${round}`;
    const providerId = `kwok://${name}`;
    const labels = { ...node.labels, 'kubernetes.io/hostname': name };
    const daemons = objects.pods.filter(
      (p) => p.nodeName === node.name && p.owners.some((o) => o.kind === 'DaemonSet'),
    );
    const limits = objects.csiNodes.find((csiNode) => csiNode.name === node.name)?.limits ?? { 'ebs.csi.aws.com': 25 };
    const pods = daemons.map((p) => ({
      ...p,
      name: `${p.name}-${name}`,
      uid: `${p.uid}-${name}`,
      nodeName: name,
      createdMs,
    }));
    return {
      ...objects,
      pods: [...objects.pods, ...pods],
      csiNodes: [...objects.csiNodes, { name, limits }],
      nodes: [...objects.nodes, { ...node, name, providerId, labels, createdMs }],
      nodeClaims: [...objects.nodeClaims, { ...claim, name, providerId, nodeName: name, createdMs }],
    };
  }

  private async yield(): Promise<void> {
    if (performance.now() - this.yieldedMs < SLICE_MS) return;
    await turn();
    this.yieldedMs = performance.now();
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/**
 * Objects that are left after collections, in 10⁶ bytes. Without compiled code, which grows for as long as functions are used that were
 * not used before: it was all of the growth that remained between a fifth and a fiftieth pass.
 */
function heapMb(): number {
  for (let i = 0; i < COLLECTIONS; i++) collectGarbage();
  const objects = getHeapSpaceStatistics().filter(({ space_name }) => !OF_CODE.test(space_name));
  return objects.reduce((sum, { space_used_size }) => sum + space_used_size, 0) / 1e6;
}

/** The first leaves what only a finalizer or an old function holds. */
const COLLECTIONS = 3;
const OF_CODE = /code|trusted/;
