import type { Draft } from '../draft.ts';
import { CAPACITY_TYPE, HOSTNAME, ZONE } from '../names.ts';
import type { Affinity, Labels, PodTerm } from '../shapes.ts';
import type { Theme } from '../theme.ts';
import { requireTerms, term } from './requirements.ts';

/** What pods would like: it binds until every place has failed, then falls away step by step. */
export const preferences: Theme = {
  start(d) {
    if (d.random.chance(0.25)) d.options.preferencePolicy = 'Ignore';
  },
  apps(d) {
    for (const app of d.apps) {
      const r = d.random;
      app.spec.affinity ??= {};
      const affinity: Affinity = app.spec.affinity;
      if (r.chance(0.5)) {
        affinity.nodeAffinity = {
          ...affinity.nodeAffinity,
          preferredDuringSchedulingIgnoredDuringExecution: Array.from({ length: r.int(1, 3) }, () => ({
            weight: r.pick([1, 10, 50, 50, 100]),
            preference: term(d),
          })),
        };
      }
      if (r.chance(0.25))
        requireTerms(
          app.spec,
          Array.from({ length: r.int(2, 3) }, () => term(d)),
        );
      if (r.chance(0.25)) affinity.podAffinity = { preferredDuringSchedulingIgnoredDuringExecution: weighted(d) };
      if (r.chance(0.3))
        affinity.podAntiAffinity = {
          ...affinity.podAntiAffinity,
          preferredDuringSchedulingIgnoredDuringExecution: weighted(d, app.name),
        };
      if (r.chance(0.25)) {
        app.spec.topologySpreadConstraints = [
          {
            maxSkew: r.int(1, 2),
            topologyKey: r.pick([ZONE, HOSTNAME]),
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels: { app: app.name } },
          },
          ...(app.spec.topologySpreadConstraints ?? []),
        ];
      }
    }
  },
};

function weighted(d: Draft, own?: string): { weight: number; podAffinityTerm: PodTerm }[] {
  const r = d.random;
  const labels = (): Labels =>
    own !== undefined && r.chance(0.6) ? { app: own } : { tier: r.pick(['front', 'back']) };
  return Array.from({ length: r.int(1, 2) }, () => ({
    weight: r.pick([1, 10, 50, 100]),
    podAffinityTerm: {
      topologyKey: r.pick([HOSTNAME, HOSTNAME, ZONE, CAPACITY_TYPE]),
      labelSelector: { matchLabels: labels() },
    },
  }));
}
