import type {
  ClusterObjects,
  LabelSelector,
  Labels,
  PodConstraints,
  PodObject,
  ServiceObject,
  TopologySpread,
  WorkloadObject,
} from '../cluster/objects.ts';
import { labelOf } from '../cluster/objects.ts';

/** Owners whose selectors count, by apiVersion and kind. */
const OWNERS = ['v1/ReplicationController', 'apps/v1/ReplicaSet', 'apps/v1/StatefulSet'];

/**
 * The spread constraints of Karpenter's --scheduler-config for pods without their own, with the selector that
 * kube-scheduler would deduce: labels of the Services that select the pod, and the selector of its controller.
 */
export class DefaultSpread {
  private readonly constraints: readonly TopologySpread[];
  private readonly services: Map<string, ServiceObject[]>;
  private readonly workloads: ReadonlyMap<string, WorkloadObject>;
  private readonly known = new Map<PodConstraints, Map<string, PodConstraints>>();

  /** `enabled`: Karpenter's release supports them. */
  constructor(objects: Pick<ClusterObjects, 'options' | 'services' | 'workloads'>, enabled: boolean) {
    const { options, services, workloads } = objects;
    this.constraints = enabled ? (options.defaultSpread ?? []) : [];
    const isNone = this.constraints.length === 0;
    this.services = Map.groupBy(isNone ? [] : services, (s) => s.namespace);
    this.workloads = new Map((isNone ? [] : workloads).map((w) => [`${w.kind} ${w.namespace}/${w.name}`, w]));
  }

  /** The pod as it is scheduled. Pods of a workload share their constraints. */
  applied(pod: PodObject): PodObject {
    if (this.constraints.length === 0 || pod.constraints.topologySpread.length > 0) return pod;
    const labelSelector = this.selectorFor(pod);
    if (labelSelector === undefined) return pod;
    const key = JSON.stringify(labelSelector);
    const own = this.known.get(pod.constraints) ?? new Map<string, PodConstraints>();
    this.known.set(pod.constraints, own);
    let constraints = own.get(key);
    if (constraints === undefined) {
      const topologySpread = this.constraints.map((c) => ({ ...c, labelSelector }));
      constraints = { ...pod.constraints, topologySpread };
      own.set(key, constraints);
    }
    return { ...pod, constraints };
  }

  private selectorFor(pod: PodObject): LabelSelector | undefined {
    const labels: Record<string, string> = {};
    for (const { selector } of this.services.get(pod.namespace) ?? [])
      if (selector !== undefined && selects(selector, pod.labels)) Object.assign(labels, selector);
    const owner = this.controllerOf(pod);
    const isReplicationController = owner?.kind === 'ReplicationController';
    if (isReplicationController) Object.assign(labels, owner?.selector?.matchLabels);
    const { matchLabels = {}, matchExpressions = [] } = (isReplicationController ? undefined : owner?.selector) ?? {};
    const expressions = [
      ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In', values: [value] }) as const),
      ...matchExpressions,
    ];
    const hasLabels = Object.keys(labels).length > 0;
    if (!hasLabels && expressions.length === 0) return undefined;
    return {
      ...(hasLabels ? { matchLabels: labels } : {}),
      ...(expressions.length === 0 ? {} : { matchExpressions: expressions }),
    };
  }

  private controllerOf({ owners, namespace }: PodObject): WorkloadObject | undefined {
    const owner = owners.find((o) => o.controller);
    if (owner === undefined || !OWNERS.includes(`${owner.apiVersion}/${owner.kind}`)) return undefined;
    return this.workloads.get(`${owner.kind} ${namespace}/${owner.name}`);
  }
}

function selects(selector: Labels, labels: Labels): boolean {
  return Object.entries(selector).every(([key, value]) => labelOf(labels, key) === value);
}
