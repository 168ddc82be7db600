import type { Draft } from '../draft.ts';
import {
  ARCH,
  CAPACITY_TYPE,
  CPU,
  FAMILY,
  GENERATION,
  HOSTNAME,
  INITIALIZED,
  INSTANCE_TYPE,
  NODEPOOL,
  OS,
  RACK,
  REGION,
  SIZE,
  SPECIAL,
  TEAM,
  ZONE,
} from '../names.ts';
import type { Labels, NodeTerm, PodSpec, Requirement } from '../shapes.ts';
import type { Theme } from '../theme.ts';

/** Every operator, on labels that types, pools or nodes define, on undefined ones, and old aliases. */
export const requirements: Theme = {
  pools(d) {
    for (const pool of d.pools) {
      const r = d.random;
      const list = pool.object.spec.template.spec.requirements;
      if (r.chance(0.5)) list.push(poolRequirement(d));
      if (r.chance(0.4))
        list.push({
          key: TEAM,
          operator: r.pick(['In', 'In', 'Exists', 'NotIn', 'DoesNotExist']),
          values: r.some(['red', 'blue', 'green'], 1, 2),
        });
      if (r.chance(0.3))
        list.push({
          key: GENERATION,
          operator: r.pick(['Gt', 'Lt', 'Gte', 'Lte', 'In']),
          values: [r.pick(['3', '5', '6'])],
        });
      if (r.chance(0.3)) pool.object.spec.template.metadata.labels = { [RACK]: r.pick(['r1', 'r2']) };
      if (r.chance(0.25)) {
        const capacity = list.find((q) => q.key === CAPACITY_TYPE);
        if (capacity)
          Object.assign(
            capacity,
            r.pick([
              { operator: 'NotIn', values: ['spot'] },
              { operator: 'Exists' },
              { operator: 'NotIn', values: ['reserved'] },
            ]),
          );
      }
      fixValues(list);
    }
  },
  nodes(d) {
    for (const n of d.nodes) {
      const r = d.random;
      const labels = n.node?.metadata.labels;
      if (!labels) continue;
      if (r.chance(0.4)) labels[TEAM] = r.pick(['red', 'blue', 'green']);
      if (r.chance(0.4)) labels[GENERATION] = r.pick(['2', '4', '5', '6', '7', 'x']);
      if (r.chance(0.15)) labels[RACK] = r.pick(['r1', 'r2', 'r3']);
      if (r.chance(0.2)) labels[SPECIAL] = r.pick(['true', '']);
    }
  },
  apps(d) {
    for (const app of d.apps) {
      const r = d.random;
      if (r.chance(0.35)) app.spec.nodeSelector = { ...app.spec.nodeSelector, ...selector(d) };
      if (r.chance(0.45))
        requireTerms(
          app.spec,
          Array.from({ length: r.pick([1, 1, 1, 2, 3]) }, () => term(d)),
        );
    }
  },
};

/** Exists and DoesNotExist take no values. */
function fixValues(list: Requirement[]): void {
  for (const q of list) if (q.operator === 'Exists' || q.operator === 'DoesNotExist') delete q.values;
}

function poolRequirement(d: Draft): Requirement {
  const r = d.random;
  const families = [...new Set(d.types.map((t) => t.name.split('.')[0] as string))];
  return r.pick<Requirement>([
    { key: FAMILY, operator: 'NotIn', values: r.some(families, 1, 2) },
    { key: FAMILY, operator: 'In', values: r.some(families, 2, 4) },
    { key: CPU, operator: 'Gt', values: [r.pick(['1', '2', '3'])] },
    { key: CPU, operator: 'Lt', values: [r.pick(['9', '17', '32'])] },
    { key: CPU, operator: 'Gte', values: ['4'] },
    { key: CPU, operator: 'Lte', values: ['8'] },
    { key: SIZE, operator: 'NotIn', values: ['medium', '8xlarge'] },
    { key: ZONE, operator: 'In', values: r.some(d.zones, 1, 2) },
    { key: ZONE, operator: 'NotIn', values: [r.pick(d.zones)] },
    {
      key: INSTANCE_TYPE,
      operator: 'NotIn',
      values: r.some(
        d.types.map((t) => t.name),
        1,
        3,
      ),
    },
    { key: INSTANCE_TYPE, operator: 'Exists' },
    { key: SPECIAL, operator: 'DoesNotExist' },
    { key: 'failure-domain.beta.kubernetes.io/zone', operator: 'In', values: r.some(d.zones, 1, 2) },
    { key: 'beta.kubernetes.io/instance-type', operator: 'NotIn', values: [r.pick(d.types).name] },
    { key: REGION, operator: 'In', values: ['region-1', 'region-2'] },
  ]);
}

export function selector(d: Draft): Labels {
  const r = d.random;
  return r.pick<Labels>([
    { [ZONE]: r.pick(d.zones) },
    { [CAPACITY_TYPE]: r.pick(['on-demand', 'spot']) },
    { [ARCH]: 'amd64' },
    { [TEAM]: r.pick(['red', 'blue']) },
    { [RACK]: 'r1' },
    { 'beta.kubernetes.io/arch': 'amd64' },
    { 'failure-domain.beta.kubernetes.io/zone': r.pick(d.zones) },
    { [REGION]: 'region-1' },
    { 'karpenter.kwok.sh/kwoknodeclass': 'default' },
    { [INITIALIZED]: 'true' },
    { [NODEPOOL]: r.pick(d.pools).object.metadata.name },
    { 'beta.kubernetes.io/instance-type': r.pick(d.types).name },
  ]);
}

/** One requirement of a pod, satisfiable more often than not. */
export function podRequirement(d: Draft): Requirement {
  const r = d.random;
  const op = r.pick(['Gt', 'Lt', 'Gte', 'Lte']);
  return r.pick<Requirement>([
    { key: ZONE, operator: 'In', values: r.some(d.zones, 1, 2) },
    { key: ZONE, operator: 'NotIn', values: [r.pick(d.zones)] },
    { key: CAPACITY_TYPE, operator: r.pick(['In', 'NotIn']), values: [r.pick(['spot', 'on-demand'])] },
    { key: CAPACITY_TYPE, operator: 'Exists' },
    { key: CPU, operator: op, values: [r.pick(['2', '4', '8'])] },
    { key: CPU, operator: 'Gt', values: ['1'] },
    { key: FAMILY, operator: 'NotIn', values: [r.pick(d.types).name.split('.')[0] as string] },
    { key: SIZE, operator: 'In', values: r.some(['large', 'xlarge', '2xlarge', '4xlarge'], 2, 3) },
    { key: TEAM, operator: 'In', values: r.some(['red', 'blue', 'green', 'none'], 1, 3) },
    { key: TEAM, operator: 'NotIn', values: ['red'] },
    { key: TEAM, operator: 'Exists' },
    { key: TEAM, operator: 'DoesNotExist' },
    { key: GENERATION, operator: op, values: [r.pick(['3', '4', '5', '6'])] },
    { key: GENERATION, operator: 'NotIn', values: ['4', '5'] },
    { key: SPECIAL, operator: 'DoesNotExist' },
    { key: SPECIAL, operator: 'NotIn', values: ['true'] },
    { key: RACK, operator: r.pick(['In', 'NotIn']), values: r.some(['r1', 'r2', 'r3'], 1, 2) },
    { key: OS, operator: 'In', values: ['linux'] },
    { key: 'beta.kubernetes.io/os', operator: 'NotIn', values: ['windows'] },
    { key: 'failure-domain.beta.kubernetes.io/zone', operator: 'In', values: r.some(d.zones, 1, 2) },
    { key: HOSTNAME, operator: 'NotIn', values: [r.pick(d.nodes).name] },
    { key: NODEPOOL, operator: 'Exists' },
    {
      key: INSTANCE_TYPE,
      operator: 'NotIn',
      values: r.some(
        d.types.map((t) => t.name),
        1,
        5,
      ),
    },
    { key: 'node.kubernetes.io/windows-build', operator: 'DoesNotExist' },
  ]);
}

export function term(d: Draft): NodeTerm {
  const t = expressions(d);
  // Karpenter reads expressions only.
  if (d.random.chance(0.05))
    t.matchFields = [{ key: 'metadata.name', operator: 'In', values: [d.random.pick(d.nodes).name] }];
  return t;
}

function expressions(d: Draft): NodeTerm {
  if (d.random.chance(0.06)) return { matchExpressions: between(d) };
  return { matchExpressions: Array.from({ length: d.random.pick([1, 1, 2, 3]) }, () => podRequirement(d)) };
}

/** Two bounds on one label, which now and then leave nothing between them. */
function between(d: Draft): Requirement[] {
  const r = d.random;
  const key = r.pick([CPU, GENERATION]);
  return [
    { key, operator: r.pick(['Gt', 'Gte']), values: [r.pick(['1', '2', '4', '6'])] },
    { key, operator: r.pick(['Lt', 'Lte']), values: [r.pick(['4', '5', '8', '16'])] },
    ...(r.chance(0.3) ? [{ key, operator: 'NotIn', values: ['4', '5'] }] : []),
  ];
}

export function requireTerms(spec: PodSpec, nodeSelectorTerms: NodeTerm[]): void {
  spec.affinity = {
    ...spec.affinity,
    nodeAffinity: {
      ...spec.affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
    },
  };
}
