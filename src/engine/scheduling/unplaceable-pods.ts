import { hasBit, members } from '../cluster/bitset.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import { CPU, MEMORY, PODS } from '../cluster/request-table.ts';
import type { CompiledCluster } from './compiled-cluster.ts';
import type { ExistingNodes } from './existing-nodes.ts';
import { fitKeyOf } from './first-fit-cache.ts';
import { FittingPods, type Wanted } from './fitting-pods.ts';
import type { PodShape } from './pod-shapes.ts';
import type { RowQueues } from './row-queues.ts';

/** Summed requests of pods. */
interface Load {
  readonly cpu: number;
  readonly memory: number;
  readonly pods: number;
}

/** Equal pods of a row. */
interface Share {
  readonly kind: number;
  readonly pods: number;
  /** Pods of the row that are placed before them. */
  readonly before: number;
}

/** A kind of launchable node: its capacity besides DaemonSets, and its best price. */
interface Launchable extends Load {
  readonly price: number;
}

/** Templates outlive a cluster: those of a plan's later stages are the same. */
const LAUNCHABLES = new WeakMap<CompiledCluster['templates'], readonly Launchable[]>();

/** Amounts are summed in another order here than on a claim. */
const ROUNDING = 1e-9;

/**
 * Pods for which open nodes have no capacity, whatever their constraints: if their rows are removed they need new
 * nodes. In a simulation capacity only shrinks, so a lower bound on new nodes follows from sums. Not used in compat,
 * where labels of nodes grow while pods are placed.
 */
export class UnplaceablePods {
  private readonly cluster: CompiledCluster;
  private readonly queues: RowQueues;
  private readonly fitting: FittingPods;
  private readonly mayUseShielded: (pod: number) => boolean;
  private readonly kinds: Wanted[] = [];
  private readonly kindOfQuestion = new Map<number, number>();
  /** By kind: the number of pods on the rows in question. */
  private readonly asked: number[] = [];
  private readonly shares: (readonly Share[] | undefined)[] = [];

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

  /** Upper bound on pods of a row placed before one needs a new node; undefined if none is known to need one. */
  beforeFirst(row: number): number | undefined {
    let least: number | undefined;
    for (const { kind, pods, before } of this.sharesOf(row)) {
      const placed = this.fitting.beside([row], this.kinds[kind]);
      if (placed < pods) least = Math.min(least ?? Infinity, before + placed);
    }
    return least;
  }

  /** Whether this many new nodes are too few for these rows' pods. */
  outgrow(rows: readonly number[], nodes: number): boolean {
    return this.heldShare(rows, nodes) < 1;
  }

  /** Upper bound on the share of these rows' requests that this many new nodes hold. */
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

  /** Lower bound on dollars per hour of one new node for these rows' pods; 0 if none is needed. */
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
      // Large pods come first, so equal ones are mostly adjacent.
      let s = shares.length - 1;
      while (s >= 0 && shares[s].kind !== kind) s--;
      if (s < 0) shares.push({ kind, pods: 1, before: i });
      else shares[s].pods++;
    }
    return shares;
  }

  /** undefined if dropping a preference opens other nodes to the pod. */
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

  /** The maximum of each resource over all kinds. */
  private largest(): Load {
    const most = (of: (kind: Load) => number) => this.launchables().reduce((max, kind) => Math.max(max, of(kind)), 0);
    return { cpu: most(({ cpu }) => cpu), memory: most(({ memory }) => memory), pods: most(({ pods }) => pods) };
  }

  /** Cheapest first; without those that a cheaper one dominates. */
  private launchables(): readonly Launchable[] {
    return getOrInsert(LAUNCHABLES, this.cluster.templates, () => launchableKinds(this.cluster));
  }
}

/** The share of the load that it holds: 1 or more for all. */
function shareOf({ cpu, memory, pods }: Load, load: Load): number {
  return Math.min(ratio(cpu, load.cpu), ratio(memory, load.memory), ratio(pods, load.pods)) + ROUNDING;
}

/** Without a request anything suffices, except if DaemonSets exceed it. */
function ratio(available: number, asked: number): number {
  if (asked > 0) return available / asked;
  return available < 0 ? 0 : Infinity;
}

/** Every claim is launched as one of these, and no cheaper: its requirements are at least as narrow as its pool's. */
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
