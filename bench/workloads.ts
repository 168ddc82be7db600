import type { Input } from './generate/cached-input.ts';
import { DEFAULTS } from './generate/parameters.ts';
import type { PassKind } from './measures/controller-pass.ts';

/**
 * - every-node: each node's removal evaluated alone, on a compiled cluster.
 * - cold-start: a command as a process, `decant plan` mostly: read, parse, compile, evaluate, print.
 * - multi-node: one pass of Karpenter's search for nodes to remove together.
 * - load: read, parse and compile, in a process that has just started.
 * - controller: a pass of the controller in observe mode, with the merged search.
 */
export type MeasureName = 'every-node' | 'cold-start' | 'multi-node' | 'load' | 'controller';

export interface Goal {
  /** Than Karpenter's own code on the same snapshot. */
  readonly timesFaster?: number;
  readonly belowMs?: number;
  /** Highest resident memory of the process, in 10⁶ bytes. */
  readonly belowMb?: number;
  /** Longest time without a turn for others on the event loop. */
  readonly blockMs?: number;
  /** Of the heap after garbage collection, from the fifth pass to the last, as a share. */
  readonly heapGrowth?: number;
  /** e in t ∝ n^e, against a smaller workload of the same kind. */
  readonly growth?: { readonly from: string; readonly below: number };
}

export interface Workload {
  readonly name: string;
  readonly measure: MeasureName;
  readonly input: Input;
  /** Instead of the input: a file of the repository. */
  readonly file?: string;
  /** Of a cold start: what is run, without -f. */
  readonly command?: readonly string[];
  /** Of the controller measure: which pass. */
  readonly pass?: PassKind;
  /** Empty: measured for comparison. */
  readonly goal: Goal;
  /** What Karpenter 1.14.1 took on a quiet machine of the same kind, to be used where it cannot be asked. */
  readonly stockMs?: number;
}

const STOCK_PLAIN_MS = 120_000;
const STOCK_MIXED_MS = 258_000;
const STOCK_MULTI_MS = 28_000;

const SNAPSHOT: Input = { ...DEFAULTS, form: 'snapshot' };
/** Nothing fits anywhere, and every node is spot: nothing can be consolidated. */
const PACKED: Input = { ...SNAPSHOT, variant: 'packed', capacityType: 'spot' };

const MODES = [
  { mode: 'plain', stockMs: STOCK_PLAIN_MS },
  { mode: 'mixed', stockMs: STOCK_MIXED_MS },
] as const;

/** Spot nodes without spot-to-spot are refused before prices are compared. Here they are not. */
const SEARCHES: readonly { readonly name: string; readonly change: Partial<Input> }[] = [
  { name: 'spot-to-spot', change: { spotToSpot: true } },
  { name: 'on-demand', change: { capacityType: 'on-demand' } },
  { name: 'aws', change: { catalog: 'aws' } },
  { name: 'aws-spot-to-spot', change: { catalog: 'aws', spotToSpot: true } },
  { name: 'aws-on-demand', change: { catalog: 'aws', capacityType: 'on-demand' } },
];

const LARGE: readonly Input[] = [
  PACKED,
  { ...SNAPSHOT, variant: 'tight' },
  { ...SNAPSHOT, variant: 'fragmented' },
  { ...SNAPSHOT, variant: 'spread' },
];

/** As kubectl wrote it down: 60 nodes and about 900 pods of six NodePools, with 1,345 types in five zones to choose from. */
const DUMP: Input = { ...SNAPSHOT, form: 'kubectl', variant: 'tight', catalog: 'aws', nodes: 60, podsPerNode: 15 };

/** The commands of a user with nothing but a file. */
const FROM_THE_SHELL: readonly Workload[] = [
  {
    name: 'forty-nodes-plan',
    measure: 'cold-start',
    file: 'examples/forty-nodes.json.gz',
    command: ['plan'],
    input: { ...SNAPSHOT, nodes: 40 },
    goal: { belowMs: 800 },
  },
  { name: 'dump-60-plan', measure: 'cold-start', command: ['plan'], input: DUMP, goal: { belowMs: 2000 } },
  ...['node-0001', 'node-0003'].map((node): Workload => {
    return {
      name: `dump-60-explain-${node}`,
      measure: 'cold-start',
      command: ['explain', 'node', node],
      input: DUMP,
      goal: { belowMs: 1000 },
    };
  }),
];

/** What a pass of the controller may take at 1,000 and at 10,000 nodes. */
const PASSES: readonly { readonly pass: PassKind; readonly small: Goal; readonly large: Goal }[] = [
  { pass: 'first', small: { belowMs: 800 }, large: { belowMs: 5000 } },
  {
    pass: 'changed',
    small: { belowMs: 100, blockMs: 100, heapGrowth: 0.02 },
    large: { belowMs: 1000, blockMs: 100, heapGrowth: 0.02, belowMb: 700 },
  },
  { pass: 'joined', small: { belowMs: 50, blockMs: 100 }, large: { belowMs: 300, blockMs: 100 } },
];

const CONTROLLED = ['packed', 'normal', 'tight', 'spread'] as const;

export const WORKLOADS: readonly Workload[] = [
  ...MODES.map(({ mode, stockMs }): Workload => {
    return {
      name: `${mode}-packed-1000`,
      measure: 'every-node',
      input: { ...PACKED, mode },
      goal: { timesFaster: 5000 },
      stockMs,
    };
  }),
  ...MODES.flatMap(({ mode, stockMs }) =>
    SEARCHES.map(({ name, change }): Workload => {
      return {
        name: `${mode}-packed-1000-${name}`,
        measure: 'every-node',
        input: { ...PACKED, mode, ...change },
        goal: { timesFaster: 2500 },
        stockMs,
      };
    }),
  ),
  ...MODES.map(({ mode, stockMs }): Workload => {
    return {
      name: `${mode}-packed-1000-cold`,
      measure: 'cold-start',
      input: { ...PACKED, mode },
      goal: { timesFaster: 1000 },
      stockMs,
    };
  }),
  ...FROM_THE_SHELL,
  {
    name: 'mixed-packed-2000-multi',
    measure: 'multi-node',
    input: { ...PACKED, nodes: 2000 },
    goal: { timesFaster: 500 },
    stockMs: STOCK_MULTI_MS,
  },
  // Packed has its smaller sibling above.
  ...LARGE.slice(1).map((input): Workload => {
    return { name: `mixed-${input.variant}-1000`, measure: 'every-node', input, goal: {} };
  }),
  ...LARGE.map((input): Workload => {
    return {
      name: `mixed-${input.variant}-10000`,
      measure: 'every-node',
      input: { ...input, nodes: 10_000 },
      goal: { belowMs: 1000, belowMb: 1000, growth: { from: `mixed-${input.variant}-1000`, below: 1.2 } },
    };
  }),
  ...[1000, 10_000].flatMap((nodes) =>
    CONTROLLED.flatMap((variant) =>
      PASSES.map(({ pass, small, large }): Workload => {
        return {
          name: `controller-${variant}-${nodes}-${pass}`,
          measure: 'controller',
          pass,
          input: { ...SNAPSHOT, variant, nodes },
          goal: nodes === 1000 ? small : large,
        };
      }),
    ),
  ),
  {
    name: 'mixed-packed-10000-load',
    measure: 'load',
    input: { ...PACKED, nodes: 10_000 },
    goal: { belowMs: 2500 },
  },
  {
    name: 'kubectl-100000-pods-load',
    measure: 'load',
    input: { ...SNAPSHOT, form: 'kubectl', variant: 'tight', catalog: 'aws', nodes: 3300, podsPerNode: 30 },
    goal: { belowMs: 8000 },
  },
];

/** The same in small, as a smoke test; goals are about the whole. */
export function quickened(workload: Workload): Workload {
  const nodes = Math.min(300, Math.round(workload.input.nodes / 20));
  return { ...workload, input: { ...workload.input, nodes } };
}
