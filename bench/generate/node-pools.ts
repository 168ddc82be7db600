import { type CatalogRequirement, type CatalogType, requires } from './catalog-type.ts';
import { condition, daysAgo, type KubeObject, metadata } from './kube-object.ts';
import type { CapacityType, ClusterParameters } from './parameters.ts';
import type { Random } from './random.ts';

const HOUR_MS = 3600 * 1000;
const NODE_CLASS = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' };
const UNDERUTILIZED = 'WhenEmptyOrUnderutilized';
const FAMILIES_ON_DEMAND = ['m5', 'm6i', 'm6a', 'c5', 'c6i', 'c6a', 'r5', 'r6i', 'r6a'];

/** The tainted pool: only pods that ask for it run there. */
export const BATCH = 'batch';
export const BATCH_TAINT = { key: 'dedicated', value: 'batch', effect: 'NoSchedule' };
export const BATCH_LABEL = { workload: 'batch' };

interface PoolDesign {
  readonly name: string;
  /** Of the cluster's nodes. */
  readonly share: number;
  readonly weight: number;
  readonly policy: string;
  readonly arch: string;
  readonly capacityTypes: readonly CapacityType[];
  readonly expireAfterHours: number;
  readonly families?: readonly string[];
  readonly taints?: readonly (typeof BATCH_TAINT)[];
  readonly labels?: Readonly<Record<string, string>>;
}

export interface Pool extends PoolDesign {
  readonly types: readonly CatalogType[];
  readonly lifeMs: number;
  readonly expireAfter: string;
  readonly requirements: readonly CatalogRequirement[];
}

const DESIGN = { weight: 0, policy: UNDERUTILIZED, arch: 'amd64', expireAfterHours: 720 };
const BOTH = ['on-demand', 'spot'] as const;
const ON_DEMAND = ['on-demand'] as const;
const SPOT = ['spot'] as const;

const PLAIN: readonly PoolDesign[] = [{ ...DESIGN, name: 'default', share: 1, capacityTypes: ON_DEMAND }];

const MIXED: readonly PoolDesign[] = [
  { ...DESIGN, name: 'general', share: 0.4, weight: 10, capacityTypes: BOTH },
  {
    ...DESIGN,
    name: 'ondemand',
    share: 0.2,
    weight: 5,
    capacityTypes: ON_DEMAND,
    expireAfterHours: 168,
    families: FAMILIES_ON_DEMAND,
  },
  {
    ...DESIGN,
    name: BATCH,
    share: 0.1,
    capacityTypes: SPOT,
    expireAfterHours: 48,
    taints: [BATCH_TAINT],
    labels: BATCH_LABEL,
  },
  { ...DESIGN, name: 'arm', share: 0.1, arch: 'arm64', capacityTypes: BOTH, expireAfterHours: 336 },
  { ...DESIGN, name: 'balanced', share: 0.15, policy: 'Balanced', capacityTypes: BOTH, labels: { tier: 'balanced' } },
  { ...DESIGN, name: 'quiet', share: 0.05, policy: 'WhenEmpty', capacityTypes: ON_DEMAND },
];

export function makePools(p: ClusterParameters, catalog: readonly CatalogType[]): Pool[] {
  // Policies that spare nodes from evaluation would make these clusters cheaper than they look.
  const everyNodeCounts = p.variant !== 'normal' && p.variant !== 'tight';
  const familyLabel = p.catalog === 'aws' ? 'karpenter.k8s.aws/instance-family' : 'karpenter.kwok.sh/instance-family';
  return (p.mode === 'plain' ? PLAIN : MIXED).map((design) => {
    const capacityTypes = p.capacityType === undefined ? design.capacityTypes : [p.capacityType];
    const { arch, families } = design;
    return {
      ...design,
      capacityTypes,
      policy: everyNodeCounts ? UNDERUTILIZED : design.policy,
      types: catalog.filter((t) => t.entry.architecture === arch && (families?.includes(t.family) ?? true)),
      lifeMs: design.expireAfterHours * HOUR_MS,
      expireAfter: `${design.expireAfterHours}h`,
      requirements: [
        requires('kubernetes.io/arch', arch),
        requires('kubernetes.io/os', 'linux'),
        requires('karpenter.sh/capacity-type', ...capacityTypes),
        ...(families === undefined ? [] : [requires(familyLabel, ...families)]),
      ],
    };
  });
}

export function poolObject(random: Random, pool: Pool): KubeObject {
  const conditions = ['ValidationSucceeded', 'NodeClassReady', 'Ready'].map((type) => condition(type, daysAgo(60)));
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: metadata(random, '', pool.name, daysAgo(60)),
    spec: {
      weight: pool.weight,
      template: {
        metadata: { labels: pool.labels },
        spec: {
          nodeClassRef: NODE_CLASS,
          requirements: pool.requirements,
          taints: pool.taints,
          expireAfter: pool.expireAfter,
        },
      },
      disruption: {
        consolidateAfter: '30s',
        consolidationPolicy: pool.policy,
        budgets: [{ nodes: '10%' }],
      },
    },
    status: { conditions },
  };
}

/** What a NodeClaim copies from its pool. */
export function claimSpec(pool: Pool, typeName: string) {
  return {
    requirements: [
      requires('karpenter.sh/nodepool', pool.name),
      requires('node.kubernetes.io/instance-type', typeName),
      ...pool.requirements,
    ],
    taints: pool.taints,
    nodeClassRef: NODE_CLASS,
    expireAfter: pool.expireAfter,
  };
}
