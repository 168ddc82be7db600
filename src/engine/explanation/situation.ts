import type { ClusterObjects, NodeClaimObject, NodeObject, NodePoolObject } from '../cluster/objects.ts';
import { INITIALIZED } from '../cluster/well-known.ts';
import type { PoolPolicy } from '../disruption/pool-policy.ts';
import type { Rules, Settings } from '../settings.ts';
import { type Change, type NodeChange, type PodChange, type RuleChange, sumOfResources } from './change.ts';
import { changePods } from './changed-pods.ts';

/** A cluster with its settings and policies. */
export interface Situation {
  readonly objects: ClusterObjects;
  readonly rules: Rules;
}

/** The situation after the changes. Unchanged objects stay the same, so that they need not be compiled again. */
export function changed(situation: Situation, changes: readonly Change[]): Situation {
  return changes.reduce(changedBy, situation);
}

type Edits<C extends Change> = {
  readonly [Code in C['code']]: (s: Situation, c: Extract<C, { readonly code: Code }>) => Situation;
};

/** Changes of pods that are not here change the objects only. */
const EDITS: Edits<RuleChange | NodeChange | Extract<PodChange, { readonly code: 'rollout-offered' }>> = {
  'utilization-threshold': (s, c) => withSettings(s, { utilizationThreshold: c.atLeast }),
  'minimum-lifetime': (s, c) => withSettings(s, { minNodeLifetimeMs: c.atMostMs }),
  'max-replacements': (s, c) => withSettings(s, { maxReplacements: c.atLeast }),
  'local-data-moves': (s) => withSettings(s, { localDataBlocks: false }),
  'spot-to-spot-types': (s, c) => withSettings(s, { spotToSpotTypes: c.atMost }),
  'savings-threshold': (s, c) => withPolicy(s, c.nodePool, () => ({ savingsThresholdCents: c.atMostCents })),
  'savings-percent': (s, c) => withPolicy(s, c.nodePool, () => ({ minSavingsPercent: c.atMost })),
  headroom: (s, c) =>
    withPolicy(s, c.nodePool, ({ headroom = [] }) => ({
      headroom: headroom.map((need) => (need.resource === c.resource ? { ...need, amount: c.atMost } : need)),
    })),
  'min-nodes': (s, c) => withPolicy(s, c.nodePool, () => ({ minNodes: c.atMost })),
  'workload-share': (s, c) => withPolicy(s, c.nodePool, () => ({ maxShareOnOneNode: c.atLeast })),
  'balanced-k': (s, c) => withPolicy(s, c.nodePool, () => ({ balancedK: c.atLeast })),
  // Destinations within their own window may be shielded, by the pool's object.
  'consolidate-after': (s, { nodePool, atMostMs: consolidateAfterMs }) =>
    withPolicy(withPool(s, nodePool, { consolidateAfterMs }), nodePool, () => ({ consolidateAfterMs })),
  'consolidation-enabled': (s, c) => withPolicy(s, c.nodePool, () => ({ consolidateAfterMs: 0 })),
  'emptiness-enabled': (s, c) => withPolicy(s, c.nodePool, (p) => ({ emptiness: { ...p.emptiness, enabled: true } })),
  'methods-enabled': (s, c) =>
    withPolicy(s, c.nodePool, (p) => ({
      policy: 'WhenUnderutilizedOrCheaper',
      singleNode: { enabled: true },
      multiNode: { ...p.multiNode, enabled: true },
    })),
  'rollout-offered': (s, c) => withSettings(withObjects(s, changePods(s.objects, c)), { rollouts: true }),
  'spot-to-spot': (s) => withObjects(s, { options: { ...s.objects.options, spotToSpot: true } }),
  'preferences-ignored': (s) => withObjects(s, { options: { ...s.objects.options, preferences: 'Ignore' } }),
  budget: (s, c) => withPool(s, c.nodePool, { budgets: [{ nodes: String(c.atLeast) }] }),
  'pool-limits': (s, c) => withPool(s, c.nodePool, { limits: {} }),
  wait: (s, c) => withObjects(s, { nowMs: s.objects.nowMs + c.ms }),
  'node-annotation-gone': (s, c) => withMachine(s, c.node, () => ({ doNotDisrupt: undefined })),
  'more-room': (s, c) => withNode(s, c.node, (n) => ({ allocatable: sumOfResources(n.allocatable, c.resources) })),
  'nodes-initialized': (s, c) =>
    c.nodes.reduce((t, name) => withNode(t, name, (n) => ({ labels: { ...n.labels, [INITIALIZED]: 'true' } })), s),
  consolidatable: (s, c) =>
    withClaim(s, c.node, (claim) => ({
      conditions: [
        ...claim.conditions.filter(({ type }) => type !== 'Consolidatable'),
        { type: 'Consolidatable', status: 'True', changedMs: s.objects.nowMs },
      ],
    })),
  // A trial adds it to the node's price: a changed catalog would change the replacements too.
  'more-savings': (s) => s,
};

function changedBy(s: Situation, change: Change): Situation {
  const edit = (EDITS as Partial<Record<string, (s: Situation, c: Change) => Situation>>)[change.code];
  return edit?.(s, change) ?? withObjects(s, changePods(s.objects, change as PodChange));
}

export function withObjects(s: Situation, objects: Partial<ClusterObjects>): Situation {
  return { ...s, objects: { ...s.objects, ...objects } };
}

function withSettings(s: Situation, settings: Partial<Settings>): Situation {
  return { ...s, rules: { ...s.rules, settings: { ...s.rules.settings, ...settings } } };
}

function withPolicy(s: Situation, nodePool: string, change: (p: PoolPolicy) => Partial<PoolPolicy>): Situation {
  const policyOf = (pool: NodePoolObject): PoolPolicy => {
    const own = s.rules.policyOf(pool);
    return pool.name === nodePool ? { ...own, ...change(own) } : own;
  };
  return { ...s, rules: { ...s.rules, policyOf } };
}

function withPool(s: Situation, name: string, change: Partial<NodePoolObject>): Situation {
  const pools = s.objects.nodePools.map((p) => (p.name === name ? { ...p, ...change } : p));
  const changedSituation = withObjects(s, { nodePools: pools });
  const { budgets } = change;
  return budgets === undefined ? changedSituation : withPolicy(changedSituation, name, () => ({ budgets }));
}

function withNode(s: Situation, name: string, change: (n: NodeObject) => Partial<NodeObject>): Situation {
  return withObjects(s, { nodes: s.objects.nodes.map((n) => (n.name === name ? { ...n, ...change(n) } : n)) });
}

function withClaim(s: Situation, node: string, change: (c: NodeClaimObject) => Partial<NodeClaimObject>): Situation {
  const own = (c: NodeClaimObject) => c.nodeName === node || c.name === node;
  return withObjects(s, { nodeClaims: s.objects.nodeClaims.map((c) => (own(c) ? { ...c, ...change(c) } : c)) });
}

function withMachine(s: Situation, node: string, change: () => { readonly doNotDisrupt: undefined }): Situation {
  return withClaim(withNode(s, node, change), node, change);
}
