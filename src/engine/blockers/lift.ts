import type { PodObject } from '../cluster/objects.ts';
import { namespacedName } from '../cluster/pods.ts';
import { MOVE, NODE_POOL } from '../cluster/well-known.ts';
import { workloadNames } from '../disruption/workloads.ts';
import type { Change } from '../explanation/change.ts';
import { FIELD_OF_ANNOTATION } from '../explanation/changed-pods.ts';
import { changed, type Situation, withObjects } from '../explanation/situation.ts';
import type { Blocker, PoolSetting } from './blocker.ts';

/** The situation without these blockers, each removed entirely: for all pods of a workload, a budget for any number. */
export function lifted(situation: Situation, blockers: readonly Blocker[]): Situation {
  return blockers.reduce(without, situation);
}

function without(s: Situation, blocker: Blocker): Situation {
  switch (blocker.kind) {
    case 'PodDisruptionBudget':
      return withObjects(s, {
        podDisruptionBudgets: s.objects.podDisruptionBudgets.filter(
          (b) => b.namespace !== blocker.namespace || b.name !== blocker.name,
        ),
      });
    case 'PodAnnotation': {
      // The pod's own value takes precedence over its Deployment's.
      const edit =
        blocker.annotation === MOVE ? { move: 'evict' } : { [FIELD_OF_ANNOTATION[blocker.annotation]]: undefined };
      const own = new Set(podsOf(s, blocker.workload));
      const pods = s.objects.pods.map((pod) => (own.has(namespacedName(pod)) ? { ...pod, ...edit } : pod));
      return withObjects(s, { pods });
    }
    case 'NodeAnnotation':
      return changed(s, [{ code: 'node-annotation-gone', node: blocker.node }]);
    case 'OwnerlessPod':
      return changed(s, [{ code: 'pod-owned', pod: blocker.pod }]);
    case 'LocalVolume':
      return changed(s, [{ code: 'volume-free', pods: podsOf(s, blocker.workload) }]);
    case 'LocalData':
      return changed(s, [{ code: 'local-data-moves' }]);
    case 'Constraint': {
      const pods = podsOf(s, blocker.workload);
      const { constraint, key } = blocker;
      if (constraint === 'node-affinity') return changed(s, [{ code: 'label-free', pods, key, values: [] }]);
      return changed(s, [{ code: 'topology-free', pods, kind: constraint, key }]);
    }
    case 'Policy':
      return changed(s, changesOf(blocker.setting, blocker.nodePool, s));
    case 'Budget':
      return changed(s, [{ code: 'budget', nodePool: blocker.nodePool, atLeast: UNLIMITED, disrupting: 0 }]);
    case 'Utilization':
      return changed(s, [{ code: 'utilization-threshold', atLeast: 1 }]);
  }
}

function changesOf(setting: PoolSetting, nodePool: string, { objects }: Situation): readonly Change[] {
  switch (setting) {
    case 'consolidateAfterDuration':
      // With compat, Karpenter's own condition decides.
      return [
        { code: 'consolidate-after', nodePool, atMostMs: 0 },
        ...objects.nodes.flatMap(({ name, labels }) =>
          labels[NODE_POOL] === nodePool ? [{ code: 'consolidatable', node: name } as const] : [],
        ),
      ];
    case 'consolidateAfter':
      return [{ code: 'consolidation-enabled', nodePool }];
    case 'consolidationPolicy':
    case 'methods':
      return [{ code: 'methods-enabled', nodePool }];
    case 'emptiness':
      return [{ code: 'emptiness-enabled', nodePool }];
    case 'headroom':
      return (['cpu', 'memory', 'pods'] as const).map((resource) => ({
        code: 'headroom',
        nodePool,
        resource,
        atMost: 0,
        isPercent: false,
      }));
    case 'minNodes':
      return [{ code: 'min-nodes', nodePool, atMost: 0 }];
    case 'maxShareOnOneNode':
      return [{ code: 'workload-share', nodePool, atLeast: 1 }];
  }
}

const UNLIMITED = 2 ** 31 - 1;

function podsOf({ objects }: Situation, workload: string): readonly string[] {
  const workloadOf = workloadNames(objects.workloads);
  return objects.pods.filter((pod: PodObject) => workloadOf(pod) === workload).map(namespacedName);
}
