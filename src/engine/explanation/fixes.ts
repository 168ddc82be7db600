import { parseGoDuration } from '../cluster/go-duration.ts';
import type { PodObject } from '../cluster/objects.ts';
import { namespacedName } from '../cluster/pods.ts';
import { DO_NOT_DISRUPT } from '../cluster/well-known.ts';
import { allowedDisruptions, remainingBudgets } from '../disruption/budgets.ts';
import { mayRoll, type RolloutObstacle } from '../disruption/rollouts.ts';
import { idleSinceMs } from '../gates/idle-since.ts';
import type { MoveRefusal, NodeRefusal } from '../refusal.ts';
import { reasonFor } from '../search/approval.ts';
import { alike, namesOf, type UnplacedPod } from './attempt.ts';
import type { Change } from './change.ts';
import { placementFixes } from './placement-fixes.ts';
import { changed } from './situation.ts';
import type { NodeTrial } from './trial.ts';

/**
 * Changes that might lift a node's refusal, most promising first; each one suffices for this refusal. They are
 * proposals: a trial tells their overall effect. None if no change with a number exists.
 */
export function nodeFixes(r: NodeRefusal, trial: NodeTrial): readonly Change[] {
  const node = trial.cluster.rows[trial.row].name;
  switch (r.code) {
    case 'node-annotation':
      return [{ code: 'node-annotation-gone', node }];
    case 'pod-annotation':
      return annotationFixes(trial, r);
    case 'pod-disruption-budget':
      return [
        { code: 'disruption-budget', budget: r.budget, more: 1 },
        ...rolloutFixes(trial, r),
        { code: 'pod-gone', pod: r.pod },
      ];
    case 'several-disruption-budgets':
    case 'no-rollout':
      return [...rolloutFixes(trial, r), { code: 'pod-gone', pod: r.pod }];
    case 'ownerless-pod':
      return [
        { code: 'pod-owned', pod: r.pod },
        { code: 'pod-gone', pod: r.pod },
      ];
    case 'local-volume':
      return [
        { code: 'volume-free', pods: [r.pod] },
        { code: 'pod-gone', pod: r.pod },
      ];
    case 'local-data':
      return [{ code: 'local-data-moves' }, { code: 'pod-gone', pod: r.pod }];
    case 'consolidation-disabled':
      return [{ code: 'consolidation-enabled', nodePool: r.nodePool }];
    case 'policy-when-empty':
    case 'methods-disabled':
    case 'single-node-disabled':
      return [{ code: 'methods-enabled', nodePool: r.nodePool }];
    case 'emptiness-disabled':
      return [{ code: 'emptiness-enabled', nodePool: r.nodePool }];
    case 'minimum-lifetime':
      return [
        { code: 'wait', ms: r.waitMs, until: 'minimum-lifetime' },
        {
          code: 'minimum-lifetime',
          atMostMs: Math.max(0, trial.situation.rules.settings.minNodeLifetimeMs - r.waitMs),
        },
      ];
    case 'not-consolidatable':
      return idleFixes(trial, r.waitMs);
    case 'empty-ttl':
      return [{ code: 'wait', ms: r.waitMs, until: 'empty-ttl' }];
    case 'grace-period':
      return [{ code: 'wait', ms: r.waitMs, until: 'grace-period' }];
    case 'utilization':
      // 1 disables the gate, for overcommitted nodes too.
      return [{ code: 'utilization-threshold', atLeast: Math.min(1, r.utilization) }];
    default:
      return [];
  }
}

/** A pod that may not be evicted could be rolled. */
function rolloutFixes(
  { situation: { objects, rules } }: NodeTrial,
  { pod: name, rollout }: { readonly pod: string; readonly rollout?: RolloutObstacle },
): readonly Change[] {
  const pod = objects.pods.find((p) => namespacedName(p) === name);
  if (rules.settings.compat || pod === undefined) return [];
  if (rollout?.why === 'no-surge' || rollout?.why === 'recreate' || rollout?.why === 'deletion-cost')
    return [{ code: 'surge', pod: name }];
  const isOffered = rollout !== undefined && rollout.why !== 'off';
  return isOffered || !mayRoll(objects, pod) ? [] : [{ code: 'rollout-offered', pod: name }];
}

/** An annotation with a duration expires by itself. */
function annotationFixes(
  { situation }: NodeTrial,
  { pod: name, annotation }: Extract<NodeRefusal, { code: 'pod-annotation' }>,
): readonly Change[] {
  const gone: Change = { code: 'pod-annotation-gone', pod: name, annotation };
  const pod = situation.objects.pods.find((p) => namespacedName(p) === name) as PodObject;
  if (annotation !== DO_NOT_DISRUPT) return [gone];
  const duration = pod.doNotDisrupt === undefined ? undefined : parseGoDuration(pod.doNotDisrupt);
  if (duration === undefined || pod.startedMs === undefined) return [gone];
  return [{ code: 'wait', ms: pod.startedMs + duration - situation.objects.nowMs, until: 'pod-annotation' }, gone];
}

/** consolidateAfter passes by itself if no pod comes or goes; a shorter one would have passed already. */
function idleFixes({ situation, cluster, row, candidate }: NodeTrial, waitMs: number): readonly Change[] {
  const { claim, name } = cluster.rows[row];
  // Karpenter uses a condition that it sets itself, some time after the window.
  if (situation.rules.settings.compat) {
    const marked: Change = { code: 'consolidatable', node: name };
    return waitMs > 0 ? [{ code: 'wait', ms: waitMs, until: 'consolidate-after' }, marked] : [marked];
  }
  const wait: Change = { code: 'wait', ms: waitMs, until: 'consolidate-after' };
  if (claim === undefined || candidate === undefined) return [wait];
  const idleMs = Math.max(0, situation.objects.nowMs - idleSinceMs(claim));
  return [wait, { code: 'consolidate-after', nodePool: candidate.pool.name, atMostMs: idleMs }];
}

/** Changes that might lift a move's refusal; each one suffices. See `nodeFixes`. */
export function moveFixes(r: MoveRefusal, trial: NodeTrial): readonly Change[] {
  const nodePool = trial.candidate?.pool.name ?? '';
  switch (r.code) {
    case 'pods-unplaceable':
      return podFixes(trial, trial.attempt?.stranded ?? [], true);
    case 'relies-on-uninitialized-node':
      return [{ code: 'nodes-initialized', nodes: trial.attempt?.uninitialized ?? [] }];
    case 'too-many-replacements':
      return [
        r.allowed === 0 ? { code: 'methods-enabled', nodePool } : { code: 'max-replacements', atLeast: r.replacements },
        ...cheaperFixes(trial),
      ];
    case 'spot-to-spot-disabled':
      return [{ code: 'spot-to-spot' }, ...cheaperFixes(trial)];
    case 'spot-to-spot-flexibility':
      return [{ code: 'spot-to-spot-types', atMost: r.options }, ...cheaperFixes(trial)];
    case 'savings-below-threshold': {
      const counted = r.discountedCentsPerHour ?? r.savingsCentsPerHour;
      if (!(counted > 0) || !(r.disruptionCost > 0)) return cheaperFixes(trial);
      // With destinationLifetime, only part of what is saved counts.
      const needed = r.requiredCentsPerHour * (r.savingsCentsPerHour / counted);
      return [
        { code: 'more-savings', cents: needed - r.savingsCentsPerHour },
        { code: 'savings-threshold', nodePool, atMostCents: counted / r.disruptionCost },
        ...cheaperFixes(trial),
      ];
    }
    case 'savings-below-percent': {
      if (!(r.savingsPercent > 0)) return cheaperFixes(trial);
      // Savings and price grow together: (s + x) / (p + x) must reach the required share.
      const price = (trial.candidate?.price ?? 0) * 100;
      const [share, asked] = [r.savingsPercent / 100, r.requiredPercent / 100];
      const more: Change[] =
        asked < 1 ? [{ code: 'more-savings', cents: (price * (asked - share)) / (1 - asked) }] : [];
      return [...more, { code: 'savings-percent', nodePool, atMost: r.savingsPercent }, ...cheaperFixes(trial)];
    }
    case 'headroom': {
      const atMost = r.of === null ? r.free : r.of > 0 ? (r.free / r.of) * 100 : 0;
      return [{ code: 'headroom', nodePool: r.nodePool, resource: r.resource, atMost, isPercent: r.of !== null }];
    }
    case 'min-nodes':
      return [{ code: 'min-nodes', nodePool: r.nodePool, atMost: r.nodes }];
    case 'workload-share':
      return [{ code: 'workload-share', nodePool: r.nodePool, atLeast: r.replicas / r.all }];
    case 'balanced-score':
      return [...(r.score > 0 ? [atLeastK(nodePool, r.score)] : []), ...cheaperFixes(trial)];
    case 'budget':
      return budgetFixes(trial, r.nodePool);
    case 'not-cheaper':
    case 'covered-by-commitment':
    case 'min-values':
      return cheaperFixes(trial);
    case 'no-ready-node-pool':
    case 'capacity-buffer-room':
    // Brakes depend on earlier commands, which a single pass does not know.
    case 'stabilization':
    case 'workload-evictions':
    case 'pool-cooldown':
    case 'not-paid-back':
      return [];
  }
}

/** The least k with score ≥ 1/k, in floats too. */
function atLeastK(nodePool: string, score: number): Change {
  const k = 1 / score;
  return { code: 'balanced-k', nodePool, atLeast: score >= 1 / k ? k : k * (1 + Number.EPSILON) };
}

/** A new node costs the savings: if its pods fit on existing nodes, the node could be deleted. */
function cheaperFixes(trial: NodeTrial): readonly Change[] {
  return podFixes(trial, trial.attempt?.onNewNodes ?? [], false);
}

/** Each is tried, so there are few. */
const MAX_POD_FIXES = 8;
/** One constraint is dropped at a time, so with more kinds of pods only shared constraints help. */
const MAX_KINDS = 2;

function podFixes({ cluster }: NodeTrial, pods: readonly UnplacedPod[], onNewNodesToo: boolean): readonly Change[] {
  const groups = alike(cluster, pods).map((group) =>
    placementFixes(group[0].obstacles, namesOf(cluster, group), onNewNodesToo),
  );
  const out = groups.length > 1 ? sharedFixes(groups) : [];
  if (groups.length <= MAX_KINDS) out.push(...groups.flat());
  if (pods.some(({ obstacles }) => obstacles.preferences.length > 0)) out.push({ code: 'preferences-ignored' });
  if (pods.length === 1) out.push({ code: 'pod-gone', pod: namesOf(cluster, pods)[0] });
  return out.slice(0, MAX_POD_FIXES);
}

/** Constraints that block every kind of pod, dropped by all of them. */
function sharedFixes([first, ...others]: readonly (readonly Change[])[]): Change[] {
  const out: Change[] = [];
  for (const change of first) {
    if (!('pods' in change)) continue;
    const alsoBy = others.map((fixes) => fixes.find((c) => 'pods' in c && isSameChange(c, change)));
    if (alsoBy.some((c) => c === undefined)) continue;
    const pods = [change, ...alsoBy].flatMap((c) => (c !== undefined && 'pods' in c ? c.pods : []));
    out.push({ ...change, pods });
  }
  return out;
}

/** Equal except for the pods. */
function isSameChange(a: Change, b: Change): boolean {
  return JSON.stringify({ ...a, pods: [] }) === JSON.stringify({ ...b, pods: [] });
}

const MINUTE_MS = 60_000;
/** Windows that open later are not suggested. */
const HORIZON_MINUTES = 7 * 24 * 60;
const MANY = 1_000_000;

/** A budget that allows one more than are being disrupted, or the first minute at which it does. */
function budgetFixes(trial: NodeTrial, nodePool: string): readonly Change[] {
  const { cluster, situation, candidate, move } = trial;
  if (candidate === undefined || move === undefined) return [];
  const reason = reasonFor(move.kind, candidate);
  const { objects } = changed(situation, [{ code: 'budget', nodePool, atLeast: MANY, disrupting: 0 }]);
  const disrupting = MANY - (remainingBudgets(objects, cluster.rows, reason).get(nodePool) ?? 0);
  const more: Change = { code: 'budget', nodePool, atLeast: disrupting + 1, disrupting };
  const pool = situation.objects.nodePools.find((p) => p.name === nodePool);
  if (pool === undefined || !pool.budgets.some((b) => b.schedule !== undefined)) return [more];
  const nodes = cluster.rows.filter((r) => r.claim !== undefined && r.initialized).length;
  const { nowMs } = situation.objects;
  const nextMinute = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  for (let i = 0; i < HORIZON_MINUTES; i++) {
    const at = nextMinute + i * MINUTE_MS;
    if (allowedDisruptions(pool, nodes, reason, at) > disrupting)
      return [{ code: 'wait', ms: at - nowMs, until: 'budget' }, more];
  }
  return [more];
}
