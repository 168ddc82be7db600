import { HOUR, meta } from '../draft.ts';
import { HOSTNAME, ZONE } from '../names.ts';
import type { JsonObject } from '../shapes.ts';
import type { Theme } from '../theme.ts';

/** Default topology spread (--scheduler-config), with Services and controllers that selectors are deduced from. */
export const defaultSpread: Theme = {
  start(d) {
    const r = d.random;
    const constraint = (topologyKey: string): JsonObject => ({
      topologyKey,
      maxSkew: r.pick([1, 1, 2]),
      whenUnsatisfiable: r.pick(['DoNotSchedule', 'ScheduleAnyway']),
    });
    const defaultConstraints = r.some([ZONE, HOSTNAME].map(constraint), 1, 2);
    d.options.schedulerConfig = { podTopologySpread: { defaultConstraints } };
    if (r.chance(0.2)) d.options.preferencePolicy = 'Ignore';
  },
  apps(d) {
    const r = d.random;
    for (const app of d.apps) {
      if (r.chance(0.8)) delete app.spec.topologySpreadConstraints;
      const { namespace, labels, owner } = app;
      if (r.chance(0.5)) {
        const selector = r.chance(0.9) ? { ...labels } : r.pick([{}, null]);
        const metadata = { ...meta(d, `${app.name}-service`, d.nowMs - HOUR, namespace) };
        d.others.push({ apiVersion: 'v1', kind: 'Service', metadata, spec: { selector } });
      }
      if (owner === undefined || !r.chance(0.7)) continue;
      if (!['ReplicaSet', 'StatefulSet', 'ReplicationController'].includes(owner.kind)) continue;
      const matchLabels = { ...labels };
      const selector = owner.kind === 'ReplicationController' ? matchLabels : { matchLabels };
      const template = { metadata: { labels: matchLabels }, spec: { containers: [{ name: 'a', image: 'b' }] } };
      const metadata = { ...meta(d, app.name, d.nowMs - HOUR, namespace) };
      d.others.push({ ...owner, metadata, spec: { replicas: app.replicas, selector, template } });
    }
  },
};
