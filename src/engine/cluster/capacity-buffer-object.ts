import type { Resources } from './objects.ts';

/** `autoscaling.x-k8s.io` CapacityBuffer: capacity to keep free for pods that do not exist yet. */
export interface CapacityBufferObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Name of a PodTemplate in the same namespace. */
  readonly podTemplate?: string;
  /** A workload in the same namespace; an empty group means apps. */
  readonly scalable?: { readonly group: string; readonly kind: string; readonly name: string };
  readonly replicas?: number;
  /** Percentage of the workload's replicas. */
  readonly percentage?: number;
  /** Limit on the total requests of the buffer's pods. */
  readonly limits?: Resources;
  /** Condition ReadyForProvisioning is True: an autoscaler keeps the capacity. */
  readonly ready: boolean;
}
