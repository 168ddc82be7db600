/** The parts of Kubernetes' objects that the scenarios read. */
interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly object[];
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly lastTransitionTime: string;
  readonly reason?: string;
  readonly message?: string;
}

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface Node {
  readonly metadata: Metadata;
  readonly spec: { readonly taints?: readonly { readonly key: string; readonly effect: string }[] };
  readonly status: { readonly conditions: readonly Condition[] };
}

export interface NodeClaim {
  readonly metadata: Metadata;
  readonly spec: {
    readonly requirements: readonly Requirement[];
    readonly nodeClassRef: object;
    readonly taints?: readonly object[];
    readonly startupTaints?: readonly object[];
    readonly expireAfter?: string;
    readonly terminationGracePeriod?: string;
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly nodeName?: string;
    readonly lastPodEventTime?: string;
  };
}

export interface NodePool {
  readonly metadata: Metadata & { readonly uid: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface Pod {
  readonly metadata: Metadata;
  readonly spec: { readonly nodeName?: string };
  readonly status: { readonly phase: string; readonly conditions?: readonly Condition[] };
}

export interface ConsolidationPolicy {
  readonly metadata: Metadata;
  readonly status?: {
    readonly observedGeneration: number;
    readonly conditions: readonly Condition[];
    readonly nodePools: number;
    readonly nodes: number;
    readonly openCommands: number;
    readonly currentCentsPerHour: number;
    readonly plannedCentsPerHour: number;
  };
}

export interface ConsolidationCommand {
  readonly metadata: Metadata;
  readonly spec: {
    readonly nodes: readonly { readonly nodeClaim: string; readonly nodePool: string }[];
    readonly workloads: Readonly<Record<string, number>>;
  };
  readonly status: { readonly phase: string; readonly reason?: string };
}

export interface ClusterEvent {
  readonly reason: string;
  readonly message: string;
  /** Karpenter also speaks of NodeClaims that it has not named yet. */
  readonly involvedObject: { readonly kind: string; readonly name?: string };
}

export function holds(
  object: { readonly status?: { readonly conditions?: readonly Condition[] } },
  type: string,
): boolean {
  return (
    object.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false
  );
}
