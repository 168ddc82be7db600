import { amountOf, type Resources, type Taint } from '../cluster/objects.ts';
import type { GroupKind } from '../scheduling/group-rules.ts';

/**
 * One possible change, with the number at which it takes effect: `atLeast` and `atMost` are sharp, so slightly less
 * would not do. `situation.ts` applies a change to a cluster; every claim is confirmed by a simulation of the changed
 * cluster.
 */
export type Change = RuleChange | NodeChange | PodChange;

/** Settings of the process, fields of a NodePool. */
export type RuleChange =
  | { readonly code: 'utilization-threshold'; readonly atLeast: number }
  | { readonly code: 'savings-threshold'; readonly nodePool: string; readonly atMostCents: number }
  | { readonly code: 'savings-percent'; readonly nodePool: string; readonly atMost: number }
  /** Millicores, bytes or pods, or percent. */
  | {
      readonly code: 'headroom';
      readonly nodePool: string;
      readonly resource: 'cpu' | 'memory' | 'pods';
      readonly atMost: number;
      readonly isPercent: boolean;
    }
  | { readonly code: 'min-nodes'; readonly nodePool: string; readonly atMost: number }
  | { readonly code: 'workload-share'; readonly nodePool: string; readonly atLeast: number }
  | { readonly code: 'balanced-k'; readonly nodePool: string; readonly atLeast: number }
  | { readonly code: 'consolidate-after'; readonly nodePool: string; readonly atMostMs: number }
  | { readonly code: 'minimum-lifetime'; readonly atMostMs: number }
  | { readonly code: 'consolidation-enabled'; readonly nodePool: string }
  | { readonly code: 'methods-enabled'; readonly nodePool: string }
  | { readonly code: 'emptiness-enabled'; readonly nodePool: string }
  | { readonly code: 'max-replacements'; readonly atLeast: number }
  | { readonly code: 'local-data-moves' }
  | { readonly code: 'spot-to-spot' }
  | { readonly code: 'preferences-ignored' }
  | { readonly code: 'spot-to-spot-types'; readonly atMost: number }
  /** Nodes of the pool that may be disrupted at once, and those that already are. */
  | { readonly code: 'budget'; readonly nodePool: string; readonly atLeast: number; readonly disrupting: number }
  | { readonly code: 'pool-limits'; readonly nodePool: string };

/** Time, money and nodes. */
export type NodeChange =
  | { readonly code: 'wait'; readonly ms: number; readonly until: Wait }
  | { readonly code: 'more-savings'; readonly cents: number }
  | { readonly code: 'node-annotation-gone'; readonly node: string }
  /** Karpenter's own condition, which it sets itself; only in compat. */
  | { readonly code: 'consolidatable'; readonly node: string }
  | { readonly code: 'more-room'; readonly node: string; readonly resources: Resources }
  | { readonly code: 'nodes-initialized'; readonly nodes: readonly string[] };

export type Wait =
  | 'consolidate-after'
  | 'minimum-lifetime'
  | 'grace-period'
  | 'empty-ttl'
  | 'pod-annotation'
  | 'budget';

/** Pods as namespace/name. */
export type PodChange =
  | { readonly code: 'pod-annotation-gone'; readonly pod: string; readonly annotation: string }
  | { readonly code: 'pod-owned'; readonly pod: string }
  | { readonly code: 'disruption-budget'; readonly budget: string; readonly more: 1 }
  /** Its annotation asks for a rollout, and rollouts are on. */
  | { readonly code: 'rollout-offered'; readonly pod: string }
  /** Its Deployment starts the new pod first. */
  | { readonly code: 'surge'; readonly pod: string }
  | { readonly code: 'pod-gone'; readonly pod: string }
  /** The label that the pods require, and the values that they accept. */
  | {
      readonly code: 'label-free';
      readonly pods: readonly string[];
      readonly key: string;
      readonly values: readonly string[];
    }
  | { readonly code: 'toleration'; readonly pods: readonly string[]; readonly taint: Taint }
  | { readonly code: 'topology-free'; readonly pods: readonly string[]; readonly kind: GroupKind; readonly key: string }
  /** A preference of the pods, which counts against a node as long as a new node satisfies it. */
  | {
      readonly code: 'preference-free';
      readonly pods: readonly string[];
      readonly kind: GroupKind | 'node-affinity';
      readonly key: string;
    }
  | { readonly code: 'volume-free'; readonly pods: readonly string[] }
  | { readonly code: 'host-port-free'; readonly pods: readonly string[] };

/** Fields with amounts; the others identify the subject. */
const AMOUNTS: ReadonlySet<string> = new Set(['until', 'resources', 'nodes', 'values']);

/** Changes with the same subject are merged. */
function subjectOf(change: Change): string {
  const about = Object.entries(change).filter(([field, value]) => typeof value !== 'number' && !AMOUNTS.has(field));
  return JSON.stringify(about);
}

export function isSameSubject(a: Change, b: Change): boolean {
  return subjectOf(a) === subjectOf(b);
}

/** Adds a change. The longer of two waits covers both; free capacity adds up; a later limit replaces an earlier one. */
export function withChange(changes: readonly Change[], change: Change): readonly Change[] {
  const known = changes.find((c) => isSameSubject(c, change));
  if (known === undefined) return [...changes, change];
  return changes.map((c) => (c === known ? merged(known, change) : c));
}

function merged(known: Change, change: Change): Change {
  if (known.code === 'wait' && change.code === 'wait') return known.ms > change.ms ? known : change;
  if (known.code === 'more-savings' && change.code === 'more-savings')
    return { ...change, cents: known.cents + change.cents };
  if (known.code === 'nodes-initialized' && change.code === 'nodes-initialized')
    return { ...change, nodes: [...new Set([...known.nodes, ...change.nodes])] };
  if (known.code === 'more-room' && change.code === 'more-room')
    return { ...change, resources: sumOfResources(known.resources, change.resources) };
  return change;
}

export function sumOfResources(a: Resources, b: Resources): Resources {
  const out: Record<string, number> = { ...a };
  for (const [name, amount] of Object.entries(b)) out[name] = (amountOf(out, name) ?? 0) + amount;
  return out;
}
