import type { Refusal } from '../../src/engine/refusal.ts';
import type { Decision } from '../../src/report/decision.ts';
import type { ClusterColumns } from '../../src/web/api.ts';

/** A node as a test cares for it. */
export interface SomeNode {
  readonly name: string;
  readonly cpu?: number;
  readonly memory?: number;
  readonly pool?: string;
  readonly centsPerHour?: number | null;
  readonly decision?: Decision;
  readonly refusal?: Refusal['code'];
  readonly reason?: string;
  readonly move?: number;
  readonly pods?: readonly { readonly name: string; readonly cpu: number; readonly memory: number }[];
}

/** Columns as the dashboard's server sends them. `moving`: indexes of pods, over all nodes. */
export function packing(nodes: readonly SomeNode[], moving: readonly number[] = []): ClusterColumns {
  const pods = nodes.flatMap((node) => node.pods ?? []);
  const firstPod = [0];
  for (const node of nodes) firstPod.push(firstPod[firstPod.length - 1] + (node.pods?.length ?? 0));
  const [pools, pool] = numbered(nodes.map((node) => node.pool ?? 'general'));
  const [decisions, decision] = numbered(nodes.map((node) => node.decision ?? 'protected'));
  const [refusals, refusal] = numbered(nodes.map((node) => node.refusal));
  const [reasons, reason] = numbered(nodes.map((node) => node.reason));
  return {
    names: {
      pools,
      zones: ['z'],
      types: ['t'],
      capacityTypes: ['spot'],
      decisions,
      reasons,
      refusals,
      marks: [],
      namespaces: ['default'],
    },
    nodes: {
      name: nodes.map(({ name }) => name),
      pool,
      zone: nodes.map(() => 0),
      type: nodes.map(() => 0),
      capacityType: nodes.map(() => 0),
      cpu: nodes.map(({ cpu = 4000 }) => cpu),
      memory: nodes.map(({ memory = 16_384 }) => memory),
      centsPerHour: nodes.map(({ centsPerHour = 10 }) => centsPerHour),
      decision,
      reason,
      refusal,
      utilization: nodes.map(() => 0.5),
      move: nodes.map(({ move = 0 }) => move),
      mark: nodes.map(() => -1),
      firstPod,
    },
    pods: {
      namespace: pods.map(() => 0),
      name: pods.map(({ name }) => name),
      cpu: pods.map(({ cpu }) => cpu),
      memory: pods.map(({ memory }) => memory),
      moving,
    },
  };
}

/** Each value once, and the index of every entry; -1 for none. */
function numbered<T>(values: readonly (T | undefined)[]): [T[], number[]] {
  const known = [...new Set(values.filter((value) => value !== undefined))];
  return [known, values.map((value) => (value === undefined ? -1 : known.indexOf(value)))];
}
