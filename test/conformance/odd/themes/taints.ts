import type { Draft } from '../draft.ts';
import type { Taint, Toleration } from '../shapes.ts';
import type { Theme } from '../theme.ts';

const TAINTS: readonly Taint[] = [
  { key: 'dedicated', value: 'batch', effect: 'NoSchedule' },
  { key: 'dedicated', value: 'web', effect: 'PreferNoSchedule' },
  { key: 'soft', effect: 'PreferNoSchedule' },
  { key: 'level', value: '5', effect: 'NoSchedule' },
  { key: 'level', value: '8', effect: 'NoExecute' },
  { key: 'gone', value: '', effect: 'NoExecute' },
];
const TOLERATIONS: readonly Toleration[] = [
  { key: 'dedicated', operator: 'Equal', value: 'batch', effect: 'NoSchedule' },
  { key: 'dedicated', value: 'web' },
  { key: 'dedicated', operator: 'Exists' },
  { key: 'soft', operator: 'Exists', effect: 'PreferNoSchedule' },
  { key: 'soft', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'level', operator: 'Gt', value: '4' },
  { key: 'level', operator: 'Lt', value: '6', effect: 'NoSchedule' },
  { key: 'level', operator: 'Gt', value: 'x' },
  { key: 'gone', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
  { operator: 'Exists' },
  { operator: 'Exists', effect: 'PreferNoSchedule' },
];

/** Taints of all three effects on pools and nodes, tolerations of every operator. */
export const taints: Theme = {
  pools(d) {
    for (const pool of d.pools) {
      const spec = pool.object.spec.template.spec;
      if (d.random.chance(0.5)) spec.taints = d.random.some(TAINTS, 1, 2).map((t) => ({ ...t }));
      if (d.random.chance(0.3)) spec.startupTaints = [{ key: 'startup', value: 'yes', effect: 'NoSchedule' }];
    }
  },
  nodes(d) {
    for (const n of d.nodes) {
      const spec = n.node?.spec;
      if (!spec) continue;
      if (d.random.chance(0.2)) spec.taints = [...(spec.taints ?? []), { ...d.random.pick(TAINTS) }];
      if (d.random.chance(0.05)) spec.taints = [];
      if (d.random.chance(0.05)) spec.taints = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }];
      if (d.random.chance(0.05)) {
        spec.taints = [...(spec.taints ?? []), { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }];
        spec.unschedulable = true;
      }
      // A disruption that failed may leave its taint behind.
      if (d.random.chance(0.04))
        spec.taints = [...(spec.taints ?? []), { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }];
    }
  },
  apps(d) {
    for (const app of d.apps) if (d.random.chance(0.6)) app.spec.tolerations = tolerations(d);
  },
};

export function tolerations(d: Draft): Toleration[] {
  return d.random.some(TOLERATIONS, 1, 3).map((t) => ({ ...t }));
}
