import type { AppDraft, Draft, NodeDraft } from '../draft.ts';
import { CAPACITY_TYPE, HOSTNAME, RACK, ZONE } from '../names.ts';
import type { Pod, PodTerm, Selector } from '../shapes.ts';
import type { Theme } from '../theme.ts';

/** Pods that require or avoid each other, across namespaces, by several keys. */
export const podAffinity: Theme = {
  pools(d) {
    for (const pool of d.pools) {
      if (d.random.chance(0.3))
        pool.object.spec.template.spec.requirements.push({
          key: RACK,
          operator: 'In',
          values: d.random.some(['r1', 'r2', 'r3'], 1, 3),
        });
    }
  },
  nodes(d) {
    for (const n of d.nodes) {
      const labels = n.node?.metadata.labels;
      if (!labels) continue;
      if (d.random.chance(0.5)) labels[RACK] = d.random.pick(['r1', 'r2', 'r3']);
      // A node that has just come may lack it; then its name stands in, for counting only.
      if (d.random.chance(0.05)) delete labels[HOSTNAME];
    }
  },
  apps(d) {
    for (const app of d.apps) {
      const r = d.random;
      if (r.chance(0.3)) {
        const together = {
          topologyKey: r.pick([HOSTNAME, ZONE, RACK]),
          labelSelector: { matchLabels: { app: app.name } },
        };
        const terms = r.chance(0.4) ? [together] : Array.from({ length: r.pick([1, 1, 2]) }, () => podTerm(d, app));
        app.spec.affinity = {
          ...app.spec.affinity,
          podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms },
        };
      }
      if (r.chance(0.4)) {
        const own = r.chance(0.6);
        const terms = own
          ? [
              {
                topologyKey: r.pick([HOSTNAME, HOSTNAME, HOSTNAME, ZONE]),
                labelSelector: { matchLabels: { app: app.name } },
              },
            ]
          : [podTerm(d, app)];
        app.spec.affinity = {
          ...app.spec.affinity,
          podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms },
        };
        for (const t of terms) if (own) app.admits.push(keepApart(app, t.topologyKey, d));
      }
    }
  },
};

function keepApart(app: AppDraft, key: string, d: Draft): (n: NodeDraft, pods: readonly Pod[]) => boolean {
  return (n, pods) => {
    const domain = n.node?.metadata.labels[key];
    const taken = new Set(d.nodes.filter((m) => m.node?.metadata.labels[key] === domain).map((m) => m.name));
    return !pods.some((p) => p.metadata.labels.app === app.name && taken.has(p.spec.nodeName ?? ''));
  };
}

export function labelSelector(d: Draft, app: AppDraft): Selector {
  const r = d.random;
  const other = r.pick(d.apps);
  return r.pick<Selector>([
    { matchLabels: { app: app.name } },
    { matchLabels: { app: app.name } },
    { matchLabels: { app: other.name } },
    { matchLabels: { app: other.name } },
    { matchLabels: { tier: r.pick(['front', 'back']), version: 'v1' } },
    { matchExpressions: [{ key: 'app', operator: 'In', values: [app.name, other.name] }] },
    {
      matchExpressions: [
        { key: 'tier', operator: 'NotIn', values: ['front', 'batch'] },
        { key: 'version', operator: 'Exists' },
      ],
    },
    {
      matchExpressions: [
        { key: 'canary', operator: 'DoesNotExist' },
        { key: 'app', operator: 'In', values: [other.name] },
      ],
    },
  ]);
}

export function podTerm(d: Draft, app: AppDraft): PodTerm {
  const r = d.random;
  const t: PodTerm = {
    topologyKey: r.pick([HOSTNAME, HOSTNAME, ZONE, ZONE, CAPACITY_TYPE, RACK]),
    labelSelector: labelSelector(d, app),
  };
  if (r.chance(0.2)) t.namespaces = r.some(d.namespaces, 1, 2).map((n) => n.name);
  if (r.chance(0.2))
    t.namespaceSelector = r.pick([
      {},
      { matchLabels: { team: 'red' } },
      { matchExpressions: [{ key: 'team', operator: 'Exists' }] },
    ]);
  if (r.chance(0.04)) delete t.labelSelector;
  return t;
}
