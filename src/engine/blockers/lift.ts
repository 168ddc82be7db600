import type { PodObject } from '../cluster/objects.ts';
import { namespacedName } from '../cluster/pods.ts';
import { MOVE } from '../cluster/well-known.ts';
import { workloadNames } from '../disruption/workloads.ts';
import { FIELD_OF_ANNOTATION } from '../explanation/changed-pods.ts';
import { changed, type Situation, withObjects } from '../explanation/situation.ts';
import type { Blocker } from './blocker.ts';

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
      return changed(s, [{ code: CHANGE_OF_SETTING[blocker.setting], nodePool: blocker.nodePool }]);
    case 'Budget':
      return changed(s, [{ code: 'budget', nodePool: blocker.nodePool, atLeast: UNLIMITED, disrupting: 0 }]);
    case 'Utilization':
      return changed(s, [{ code: 'utilization-threshold', atLeast: 1 }]);
  }
}

const CHANGE_OF_SETTING = {
  consolidateAfter: 'consolidation-enabled',
  consolidationPolicy: 'methods-enabled',
  methods: 'methods-enabled',
  emptiness: 'emptiness-enabled',
} as const;

const UNLIMITED = 2 ** 31 - 1;

function podsOf({ objects }: Situation, workload: string): readonly string[] {
  const workloadOf = workloadNames(objects.workloads);
  return objects.pods.filter((pod: PodObject) => workloadOf(pod) === workload).map(namespacedName);
}
