import { hasBit, members } from '../cluster/bitset.ts';
import { CPU, MEMORY, PODS } from '../cluster/request-table.ts';
import type { CompiledCluster } from './compiled-cluster.ts';
import type { ExistingNodes } from './existing-nodes.ts';
import { fitKeyOf } from './first-fit-cache.ts';
import { FittingPods, type Wanted } from './fitting-pods.ts';
import type { PodShape } from './pod-shapes.ts';
import type { RowQueues } from './row-queues.ts';

/** What pods ask for together. */
interface Load {
  readonly cpu: number;
  readonly memory: number;
  readonly pods: number;
}

/** Pods of a row that are alike. */
interface Share {
  readonly kind: number;
  readonly pods: number;
  /** Pods of the row that are placed before them. */
  readonly before: number;
}

/** A kind of node that could be launched: what it holds beside DaemonSets, and what it costs at best. */
interface Launchable extends Load {
  readonly price: number;
}

/** Amounts are added up in another order here than on a claim. */
const ROUNDING = 1e-9;

/**
 * Pods for whom open nodes have no room, whatever their constraints: if their rows go they need new ones. In a simulation
 * room only becomes scarcer, so what new nodes they need at least can be told without one, from sums. Nothing is known in
 * compat, where labels of nodes grow while pods are placed.
 */
export class UnplaceablePods {
  private readonly cluster: CompiledCluster;
  private readonly queues: RowQueues;
  private readonly fitting: FittingPods;
  private readonly mayUseShielded: (pod: number) => boolean;
  private readonly kinds: Wanted[] = [];
  private readonly kindOfQuestion = new Map<number, number>();
  /** By kind: how many of the rows in question. */
  private readonly asked: number[] = [];
  private readonly shares: (readonly Share[] | undefined)[] = [];
  private launchable: readonly Launchable[] | undefined;

  constructor(
    cluster: CompiledCluster,
    existing: ExistingNodes,
    queues: RowQueues,
    mayUseShielded: (pod: number) => boolean,
  ) {
    this.cluster = cluster;
    this.queues = queues;
    this.fitting = new FittingPods(cluster, existing);
    this.mayUseShielded = mayUseShielded;
  }

  /** Pods of a row that are placed, at most, before one needs a new node; undefined if none is known to need one. */
  beforeFirst(row: number): number | undefined {
    let least: number | undefined;
    for (const { kind, pods, before } of this.sharesOf(row)) {
      const placed = this.fitting.beside([row], this.kinds[kind]);
      if (placed < pods) least = Math.min(least ?? Infinity, before + placed);
    }
    return least;
  }

  /** Would so many new nodes be too few for those of these rows? */
  outgrow(rows: readonly number[], nodes: number): boolean {
    return this.heldShare(rows, nodes) < 1;
  }

  /** The share of what those of these rows ask for that so many new nodes hold at most; 1 if it is all. */
  heldShare(rows: readonly number[], nodes: number): number {
    const load = this.of(rows);
    if (load.pods === 0) return 1;
    let share = 0;
    for (const kind of nodes <= 1 ? this.launchables() : [this.largest()]) {
      share = Math.max(share, nodes * shareOf(kind, load));
      if (share >= 1) return 1;
    }
    return share;
  }

  /** Dollars per hour that one new node for all of those of these rows costs at least; 0 if none is needed. */
  leastPrice(rows: readonly number[]): number {
    const load = this.of(rows);
    if (load.pods === 0) return 0;
    return this.launchables().find((kind) => shareOf(kind, load) >= 1)?.price ?? Infinity;
  }

  private of(rows: readonly number[]): Load {
    const { asked, kinds, cluster } = this;
    let [cpu, memory, pods] = [0, 0, 0];
    for (const row of rows) for (const share of this.sharesOf(row)) asked[share.kind] += share.pods;
    for (const row of rows) {
      for (const { kind } of this.sharesOf(row)) {
        if (asked[kind] === 0) continue;
        const without = asked[kind] - this.fitting.beside(rows, kinds[kind]);
        asked[kind] = 0;
        if (without <= 0) continue;
        const amounts = cluster.requests.amounts(kinds[kind].request);
        cpu += without * amounts[CPU];
        memory += without * amounts[MEMORY];
        pods += without * amounts[PODS];
      }
    }
    return { cpu, memory, pods };
  }

  private sharesOf(row: number): readonly Share[] {
    this.shares[row] ??= this.share(row);
    return this.shares[row];
  }

  private share(row: number): readonly Share[] {
    if (this.cluster.settings.compat) return [];
    const shares: { kind: number; pods: number; before: number }[] = [];
    const queue = this.queues.of(row);
    for (let i = 0; i < queue.length; i++) {
      const kind = this.kindOf(queue[i]);
      if (kind === undefined) continue;
      // Large pods come first, so those that are alike mostly follow each other.
      let s = shares.length - 1;
      while (s >= 0 && shares[s].kind !== kind) s--;
      if (s < 0) shares.push({ kind, pods: 1, before: i });
      else shares[s].pods++;
    }
    return shares;
  }

  /** undefined if giving up a preference opens other nodes to the pod: nothing is claimed of those. */
  private kindOf(pod: number): number | undefined {
    const { stages } = this.cluster.shapeOfPod[pod] as PodShape;
    const [stage] = stages;
    for (const { nodeClass } of stages) if (nodeClass !== stage.nodeClass) return undefined;
    const request = this.cluster.requestOfPod[pod];
    const mayUseShielded = this.mayUseShielded(pod);
    const question = fitKeyOf(this.cluster, request, stage, mayUseShielded);
    let kind = this.kindOfQuestion.get(question);
    if (kind === undefined) {
      kind = this.kinds.push({ request, stage, mayUseShielded }) - 1;
      this.asked.push(0);
      this.kindOfQuestion.set(question, kind);
    }
    return kind;
  }

  /** As much of each resource as any kind has. */
  private largest(): Load {
    const most = (of: (kind: Load) => number) => this.launchables().reduce((max, kind) => Math.max(max, of(kind)), 0);
    return { cpu: most(({ cpu }) => cpu), memory: most(({ memory }) => memory), pods: most(({ pods }) => pods) };
  }

  /** Cheapest first; without those that hold no more than a cheaper one. */
  private launchables(): readonly Launchable[] {
    this.launchable ??= launchableKinds(this.cluster);
    return this.launchable;
  }
}

/** How much of the load it holds: 1 or more if it is all. */
function shareOf({ cpu, memory, pods }: Load, load: Load): number {
  return Math.min(ratio(cpu, load.cpu), ratio(memory, load.memory), ratio(pods, load.pods)) + ROUNDING;
}

/** Where nothing is asked for, anything is enough, but what DaemonSets overdraw. */
function ratio(available: number, asked: number): number {
  if (asked > 0) return available / asked;
  return available < 0 ? 0 : Infinity;
}

/** What a claim is launched as is of these, and no cheaper: its requirements are those of its pool, or narrower. */
function launchableKinds({ templates, types }: CompiledCluster): readonly Launchable[] {
  const all = templates.flatMap((template) => {
    const { cheapest } = types.prices(template.requirements);
    return template.daemons.flatMap(({ types: group, overhead }) =>
      [...members(group)]
        .filter((type) => hasBit(template.types, type))
        .map((type) => {
          const { cpu = 0, memory = 0, pods = 0 } = types.list[type].allocatable;
          return {
            cpu: cpu - overhead[CPU],
            memory: memory - overhead[MEMORY],
            pods: pods - overhead[PODS],
            price: cheapest[type],
          };
        }),
    );
  });
  const kept: Launchable[] = [];
  for (const kind of all.sort((a, b) => a.price - b.price || b.cpu - a.cpu || b.memory - a.memory))
    if (!kept.some((k) => k.cpu >= kind.cpu && k.memory >= kind.memory && k.pods >= kind.pods)) kept.push(kind);
  return kept;
}
