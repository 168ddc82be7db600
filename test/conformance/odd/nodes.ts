import { memory, typeLabels } from './catalog.ts';
import {
  type Draft,
  HOUR,
  MINUTE,
  meta,
  type NodeDraft,
  type PoolDraft,
  SECOND,
  type TypeDraft,
  time,
} from './draft.ts';
import { mebi, milli } from './matching.ts';
import { CAPACITY_TYPE, HOSTNAME, INITIALIZED, INSTANCE_TYPE, NODEPOOL, REGION, REGISTERED, ZONE } from './names.ts';
import { condition, NODE_CLASS, settlePool } from './pools.ts';
import type { Labels, Node, NodeClaim, Quantities } from './shapes.ts';

export function makeNodes(d: Draft): void {
  for (const pool of d.pools) settlePool(d, pool);
  for (let i = 0; i < d.nodeCount; i++) {
    const pool = i < d.pools.length ? d.pools[i] : d.random.pick(d.pools);
    if (pool) addNode(d, pool);
  }
}

export function addNode(d: Draft, pool: PoolDraft | undefined): NodeDraft {
  const r = d.random;
  const n = d.nodes.length + 1;
  const type = pickType(d, pool?.types ?? d.types);
  const life = pool?.object.spec.template.spec.expireAfter === '168h' ? 168 : 720;
  const made: NodeDraft = {
    name: `n${String(n).padStart(3, '0')}-${r.pick(['aa', 'bb', 'zz'])}`,
    type,
    zone: r.pick(pool?.zones ?? d.zones),
    capacityType: r.pick(pool?.capacityTypes ?? ['on-demand']),
    target: target(d),
    createdMs: d.nowMs - HOUR - Math.floor(r.next() * 0.95 * (life - 1)) * HOUR,
    cpu: 0,
    memoryMi: 0,
    pods: 0,
    fullCpu: 0,
  };
  if (pool) made.pool = pool;
  made.node = writeNode(d, made);
  if (pool) made.claim = writeClaim(d, made, made.node);
  measure(made);
  d.nodes.push(made);
  return made;
}

/** Sets what is left for pods from what the node says is allocatable. */
export function measure(n: NodeDraft): void {
  const allocatable = n.node?.status.allocatable ?? n.claim?.status.allocatable ?? {};
  n.cpu = milli(allocatable.cpu);
  n.memoryMi = mebi(allocatable.memory);
  n.pods = Number(allocatable.pods ?? 0);
  n.fullCpu = n.cpu;
}

function pickType(d: Draft, types: readonly TypeDraft[]): TypeDraft {
  const r = d.random;
  const sized = types.filter((t) => t.cpu >= 2 && t.cpu <= (r.chance(0.2) ? 16 : 8));
  const pool = sized.length > 0 ? sized : types;
  // The most expensive of some, so that cheaper replacements exist.
  const drawn = Array.from({ length: d.draws }, () => r.pick(pool));
  return drawn.reduce((a, b) => (price(a) / a.cpu >= price(b) / b.cpu ? a : b));
}

function price(t: TypeDraft): number {
  return t.offerings[0]?.price ?? 0;
}

function target(d: Draft): number {
  const r = d.random;
  // An empty or idle node takes all pods: in a tight cluster it must be rare.
  const [none, low] = { loose: [0.06, 0.7], mixed: [0.02, 0.25], tight: [0.005, 0.08] }[d.fill] as [number, number];
  if (r.chance(none)) return 0;
  if (r.chance(low)) return 0.15 + 0.5 * r.next();
  return d.fill === 'tight' ? 1 : 0.9 + 0.1 * r.next();
}

export function allocatableOf(t: TypeDraft): Quantities {
  return {
    cpu: `${t.cpu * 1000 - 100}m`,
    memory: `${t.memoryMi - 10}Mi`,
    pods: String(t.pods),
    ...t.extra,
    ...t.allocatable,
  };
}

export function capacityOf(t: TypeDraft): Quantities {
  return { cpu: String(t.cpu), memory: memory(t.memoryMi), pods: String(t.pods), ...t.extra };
}

function labelsOf(n: NodeDraft): Labels {
  const labels: Labels = {
    ...typeLabels(n.type),
    [ZONE]: n.zone,
    [CAPACITY_TYPE]: n.capacityType,
    [REGION]: 'region-1',
  };
  const pool = n.pool?.object;
  if (!pool) return labels;
  labels[NODEPOOL] = pool.metadata.name;
  for (const q of pool.spec.template.spec.requirements) {
    if (q.operator === 'In' && labels[q.key] === undefined && q.values?.[0] !== undefined) labels[q.key] = q.values[0];
  }
  return { ...labels, ...pool.spec.template.metadata.labels };
}

/** Some clusters' host names are not their nodes' names; some still carry the labels of old. */
function hostLabels(d: Draft, n: NodeDraft): Labels {
  const labels: Labels = { [HOSTNAME]: d.hostNames ? `host-${n.name}` : n.name };
  if (d.classLabels && n.pool) labels['karpenter.kwok.sh/kwoknodeclass'] = 'default';
  if (d.betaLabels) {
    labels['beta.kubernetes.io/arch'] = n.type.arch;
    labels['failure-domain.beta.kubernetes.io/zone'] = n.zone;
  }
  return labels;
}

function writeNode(d: Draft, n: NodeDraft): Node {
  const object: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: meta(d, n.name, n.createdMs + 30 * SECOND, undefined, { ...hostLabels(d, n), ...labelsOf(n) }),
    spec: { providerID: `kwok://${n.name}` },
    status: {
      capacity: capacityOf(n.type),
      allocatable: allocatableOf(n.type),
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
    },
  };
  if (n.pool) Object.assign(object.metadata.labels, { [REGISTERED]: 'true', [INITIALIZED]: 'true' });
  const taints = n.pool?.object.spec.template.spec.taints;
  if (taints) object.spec.taints = taints.map((t) => ({ ...t }));
  return object;
}

function writeClaim(d: Draft, n: NodeDraft, node: Node): NodeClaim {
  const template = n.pool?.object.spec.template.spec;
  const poolName = n.pool?.object.metadata.name ?? '';
  const last = d.nowMs - 2 * HOUR - d.random.int(0, 7200) * SECOND;
  const claim: NodeClaim = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: meta(d, `${poolName}-${n.name.slice(1, 4)}x`, n.createdMs, undefined, labelsOf(n)),
    spec: {
      requirements: [
        { key: NODEPOOL, operator: 'In', values: [poolName] },
        { key: INSTANCE_TYPE, operator: 'In', values: [n.type.name] },
      ],
      nodeClassRef: { ...NODE_CLASS },
      resources: {},
    },
    status: {
      nodeName: n.name,
      providerID: `kwok://${n.name}`,
      capacity: capacityOf(n.type),
      allocatable: allocatableOf(n.type),
      conditions: ['Launched', 'Registered', 'Initialized', 'Ready'].map((c) => condition(c, n.createdMs + MINUTE)),
      lastPodEventTime: time(last),
    },
  };
  claim.status.conditions.push(condition('Consolidatable', last + 30 * SECOND));
  if (template?.expireAfter) claim.spec.expireAfter = template.expireAfter;
  if (template?.taints) claim.spec.taints = template.taints.map((t) => ({ ...t }));
  if (template?.startupTaints) claim.spec.startupTaints = template.startupTaints.map((t) => ({ ...t }));
  if (node.spec.providerID) claim.status.providerID = node.spec.providerID;
  return claim;
}
