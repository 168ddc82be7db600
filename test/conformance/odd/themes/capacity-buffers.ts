import { addGate, HOUR, meta } from '../draft.ts';
import type { JsonObject } from '../shapes.ts';
import type { Theme } from '../theme.ts';

/** CapacityBuffers of PodTemplates and workloads, with odd numbers and references that lead nowhere. */
export const capacityBuffers: Theme = {
  start(d) {
    if (d.random.chance(0.9)) addGate(d, 'CapacityBuffer=true');
  },
  placed(d) {
    const r = d.random;
    for (const app of r.some(d.apps, 1, 4)) {
      const { namespace, spec: podSpec } = app;
      const bornMs = d.nowMs - r.int(1, 90) * HOUR;
      const template = {
        metadata: { labels: { ...app.labels } },
        spec: structuredClone(podSpec) as unknown as JsonObject,
      };
      const kind = r.pick(['PodTemplate', 'PodTemplate', 'Deployment', 'StatefulSet', 'ReplicaSet']);
      const name = `${app.name}-of-buffer`;
      const replicas = r.pick([0, 1, 3, 8]);
      const body: JsonObject =
        kind === 'PodTemplate' ? { template } : { spec: { replicas, selector: { matchLabels: app.labels }, template } };
      const apiVersion = kind === 'PodTemplate' ? 'v1' : 'apps/v1';
      if (r.chance(0.95))
        d.others.push({ apiVersion, kind, metadata: { ...meta(d, name, bornMs, namespace) }, ...body });
      const reference: JsonObject =
        kind === 'PodTemplate'
          ? { podTemplateRef: { name } }
          : { scalableRef: { apiGroup: r.pick(['apps', '']), kind, name } };
      const spec: JsonObject = { ...reference };
      if (r.chance(0.7)) spec.replicas = r.pick([0, 1, 2, 5]);
      if (r.chance(0.4)) spec.percentage = r.pick([0, 1, 50, 120]);
      if (r.chance(0.4)) spec.limits = { cpu: r.pick(['500m', '3', '20']), memory: r.pick(['1Gi', '30Gi']) };
      d.others.push({
        apiVersion: 'autoscaling.x-k8s.io/v1beta1',
        kind: 'CapacityBuffer',
        metadata: { ...meta(d, `${app.name}-buffer`, bornMs, namespace) },
        spec,
      });
    }
  },
};
