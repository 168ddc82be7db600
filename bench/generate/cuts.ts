import type { GeneratedNode } from './nodes.ts';
import type { ClusterParameters, Variant } from './parameters.ts';
import type { Request } from './placement.ts';
import type { Random } from './random.ts';

const MIB = 2 ** 20;
const CPU = { smallest: 100, grain: 25 };
const MEMORY = { smallest: 128 * MIB, grain: 16 * MIB };
/** Bytes per millicore: about 1 GiB per core. */
const USUAL_RATIO = MIB;

/** Those that fill nodes one by one. */
export type FullVariant = Exclude<Variant, 'normal'>;

/** How a node is to be filled: along which resource it is cut into pods, and what stays free of it. */
interface Filling {
  readonly along: 'cpu' | 'memory';
  readonly spare: number;
  /** Bytes of memory per millicore that a pod asks for. */
  readonly ratio: number;
  /** Every pod asks for this much of the other resource. */
  readonly otherAtLeast: number;
}

function packed(): Filling {
  return { along: 'cpu', spare: 0, ratio: USUAL_RATIO, otherAtLeast: 0 };
}

function tight(node: GeneratedNode, random: Random): Filling {
  const ratio = random.pick([0.5, 1, 2, 3, 6]) * USUAL_RATIO;
  const hasFreeCpu = random.chance(0.1) && node.freeCpu < 8000;
  const spare = hasFreeCpu ? Math.floor(node.freeCpu * random.between(0.1, 0.5)) : 0;
  return { along: 'cpu', spare, ratio, otherAtLeast: 0 };
}

/** However large the cluster: with a share of its nodes, large ones would have room for everything. */
const NODES_WITH_ROOM = 10;

/**
 * Of one resource half or more is free; of the other, less than the smallest pod asks for, and on a few
 * nodes more. Hardly ever exactly nothing: a filter for that must not see through it.
 */
function fragmented(node: GeneratedNode, random: Random, nodes: number): Filling {
  const share = random.between(0.2, 0.5);
  const perCpu = node.freeMemory / node.freeCpu;
  const along = random.chance(0.5) ? 'cpu' : 'memory';
  const { smallest, grain } = along === 'cpu' ? CPU : MEMORY;
  const room = random.chance(NODES_WITH_ROOM / nodes) ? 3 * smallest : smallest;
  const spare = random.below(room / grain) * grain;
  return along === 'cpu'
    ? { along, spare, ratio: perCpu * share, otherAtLeast: MEMORY.smallest }
    : { along, spare, ratio: perCpu / share, otherAtLeast: CPU.smallest };
}

const FILLINGS: Record<FullVariant, (node: GeneratedNode, random: Random, nodes: number) => Filling> = {
  packed,
  tight,
  fragmented,
  spread: tight,
};

/**
 * Requests that fill the node as the variant has it, `podsPerNode` of them or fewer. The caller takes each off
 * the node before it asks for the next, so what is left is read from the node.
 */
export function* cuts(
  { nodes, podsPerNode }: ClusterParameters,
  variant: FullVariant,
  node: GeneratedNode,
  random: Random,
): Generator<Request> {
  const { along, spare, ratio, otherAtLeast } = FILLINGS[variant](node, random, nodes);
  const pods = Math.min(podsPerNode, node.freePods);
  for (let left = pods; ; left--) {
    const budget = (along === 'cpu' ? node.freeCpu : node.freeMemory) - spare;
    if (budget <= 0) return;
    const piece = cut(budget, left, along === 'cpu' ? CPU : MEMORY, random);
    const free = along === 'cpu' ? node.freeMemory : node.freeCpu;
    const wished = Math.max(otherAtLeast, along === 'cpu' ? piece * ratio : piece / ratio);
    // An even share of the other resource at most, so that it lasts for all of them.
    const other = Math.floor(Math.min(free / Math.max(1, left), wished));
    yield along === 'cpu' ? { cpuMilli: piece, memoryBytes: other } : { cpuMilli: other, memoryBytes: piece };
  }
}

/** Half to one and a half of what the remaining pods get on average; the last one takes all. */
function cut(budget: number, left: number, unit: typeof CPU, random: Random): number {
  if (left <= 1 || budget < 2 * unit.smallest) return budget;
  const wished = Math.floor(((budget / left) * random.between(0.5, 1.5)) / unit.grain) * unit.grain;
  return Math.min(Math.max(unit.smallest, wished), budget - unit.smallest);
}
