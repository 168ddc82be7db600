import type { Resources } from './objects.ts';

/** `autoscaling.x-k8s.io` CapacityBuffer: room to keep free for pods that do not exist yet. */
export interface CapacityBufferObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Name of a PodTemplate in the same namespace. */
  readonly podTemplate?: string;
  /** A workload in the same namespace; an empty group means apps. */
  readonly scalable?: { readonly group: string; readonly kind: string; readonly name: string };
  readonly replicas?: number;
  /** Of the workload's replicas. */
  readonly percentage?: number;
  /** Most that all pods of the buffer may request together. */
  readonly limits?: Resources;
  /** Condition ReadyForProvisioning is True: an autoscaler keeps the room. */
  readonly ready: boolean;
}
