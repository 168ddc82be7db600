import { type Draft, HOUR, meta } from '../draft.ts';
import type { Json, JsonObject, Selector } from '../shapes.ts';
import type { Theme } from '../theme.ts';

/** Pod disruption budgets that block, half block, contradict or select everything. */
export const pdbs: Theme = {
  apps(d) {
    for (const app of d.apps) {
      const r = d.random;
      if (r.chance(0.35))
        app.onPod.push((pod) => {
          pod.status.conditions = [
            { type: 'PodScheduled', status: 'True' },
            { type: 'Ready', status: r.pick(['False', 'False', 'Unknown', 'True']) },
          ];
        });
      if (r.chance(0.1))
        app.spec.tolerations = [{ key: 'karpenter.sh/disrupted', operator: 'Exists', effect: 'NoSchedule' }];
    }
  },
  placed(d) {
    const r = d.random;
    const apps = [...new Set(d.pods.map((p) => p.metadata.labels.app).filter((a) => a !== undefined))];
    for (const app of r.some(apps, 0, Math.ceil(apps.length / 3))) {
      const copies = r.chance(0.1) ? 2 : 1;
      for (let i = 0; i < copies; i++) add(d, `pdb-${app}-${i}`, { matchLabels: { app } });
    }
    if (r.chance(0.15)) add(d, 'all', {}, r.pick(['default', ...d.namespaces.map((n) => n.name)]));
    if (r.chance(0.1)) add(d, 'none', undefined);
    if (r.chance(0.1))
      add(d, 'some', { matchExpressions: [{ key: 'version', operator: 'NotIn', values: ['v1', 'v2'] }] });
    if (r.chance(0.15)) add(d, 'agents', { matchExpressions: [{ key: 'ds', operator: 'Exists' }] }, 'kube-system');
  },
};

function add(d: Draft, name: string, selector: Selector | undefined, namespace = 'default'): void {
  const r = d.random;
  const spec: JsonObject = r.pick<JsonObject>([
    { maxUnavailable: 1 },
    { maxUnavailable: 1 },
    { minAvailable: 1 },
    { maxUnavailable: '25%' },
    { maxUnavailable: 0 },
    { maxUnavailable: '0%' },
    { minAvailable: '100%' },
  ]);
  const copy: JsonObject = { ...spec };
  if (selector !== undefined) copy.selector = selector as unknown as Json;
  if (r.chance(0.4)) copy.unhealthyPodEvictionPolicy = r.pick(['AlwaysAllow', 'AlwaysAllow', 'IfHealthyBudget']);
  d.others.push({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { ...meta(d, name, d.nowMs - 300 * HOUR, namespace) },
    spec: copy,
    status: { disruptionsAllowed: r.pick([0, 0, 1, 1, 2, 5]), currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 },
  });
}
