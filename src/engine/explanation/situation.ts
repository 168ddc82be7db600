import type { ClusterObjects, NodeClaimObject, NodeObject, NodePoolObject } from '../cluster/objects.ts';
import { INITIALIZED } from '../cluster/well-known.ts';
import type { PoolPolicy } from '../disruption/pool-policy.ts';
import type { Rules, Settings } from '../settings.ts';
import { type Change, sumOfResources } from './change.ts';
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

function changedBy(s: Situation, change: Change): Situation {
  switch (change.code) {
    case 'utilization-threshold':
      return withSettings(s, { utilizationThreshold: change.atLeast });
    case 'minimum-lifetime':
      return withSettings(s, { minNodeLifetimeMs: change.atMostMs });
    case 'max-replacements':
      return withSettings(s, { maxReplacements: change.atLeast });
    case 'local-data-moves':
      return withSettings(s, { localDataBlocks: false });
    case 'spot-to-spot-types':
      return withSettings(s, { spotToSpotTypes: change.atMost });
    case 'savings-threshold':
      return withPolicy(s, change.nodePool, () => ({ savingsThresholdCents: change.atMostCents }));
    case 'savings-percent':
      return withPolicy(s, change.nodePool, () => ({ minSavingsPercent: change.atMost }));
    case 'headroom':
      return withPolicy(s, change.nodePool, ({ headroom = [] }) => ({
        headroom: headroom.map((need) =>
          need.resource === change.resource ? { ...need, amount: change.atMost } : need,
        ),
      }));
    case 'min-nodes':
      return withPolicy(s, change.nodePool, () => ({ minNodes: change.atMost }));
    case 'workload-share':
      return withPolicy(s, change.nodePool, () => ({ maxShareOnOneNode: change.atLeast }));
    case 'balanced-k':
      return withPolicy(s, change.nodePool, () => ({ balancedK: change.atLeast }));
    case 'consolidate-after':
      return withPolicy(s, change.nodePool, () => ({ consolidateAfterMs: change.atMostMs }));
    case 'consolidation-enabled':
      return withPolicy(s, change.nodePool, () => ({ consolidateAfterMs: 0 }));
    case 'emptiness-enabled':
      return withPolicy(s, change.nodePool, (p) => ({ emptiness: { ...p.emptiness, enabled: true } }));
    case 'methods-enabled':
      return withPolicy(s, change.nodePool, (p) => ({
        policy: 'WhenUnderutilizedOrCheaper',
        singleNode: { enabled: true },
        multiNode: { ...p.multiNode, enabled: true },
      }));
    case 'rollout-offered':
      return withSettings(withObjects(s, changePods(s.objects, change)), { rollouts: true });
    case 'spot-to-spot':
      return withObjects(s, { options: { ...s.objects.options, spotToSpot: true } });
    case 'preferences-ignored':
      return withObjects(s, { options: { ...s.objects.options, preferences: 'Ignore' } });
    case 'budget':
      return withPool(s, change.nodePool, { budgets: [{ nodes: String(change.atLeast) }] });
    case 'pool-limits':
      return withPool(s, change.nodePool, { limits: {} });
    case 'wait':
      return withObjects(s, { nowMs: s.objects.nowMs + change.ms });
    case 'node-annotation-gone':
      return withMachine(s, change.node, () => ({ doNotDisrupt: undefined }));
    case 'more-room':
      return withNode(s, change.node, (n) => ({ allocatable: sumOfResources(n.allocatable, change.resources) }));
    case 'nodes-initialized':
      return change.nodes.reduce(
        (t, name) => withNode(t, name, (n) => ({ labels: { ...n.labels, [INITIALIZED]: 'true' } })),
        s,
      );
    case 'consolidatable':
      return withClaim(s, change.node, (claim) => ({
        conditions: [
          ...claim.conditions.filter((c) => c.type !== 'Consolidatable'),
          { type: 'Consolidatable', status: 'True', changedMs: s.objects.nowMs },
        ],
      }));
    case 'more-savings':
      // A trial adds it to the node's price: a changed catalog would change the replacements too.
      return s;
    default:
      return withObjects(s, changePods(s.objects, change));
  }
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
