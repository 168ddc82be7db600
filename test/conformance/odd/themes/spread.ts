import type { AppDraft, Draft, NodeDraft } from '../draft.ts';
import { CAPACITY_TYPE, HOSTNAME, RACK, ZONE } from '../names.ts';
import type { Pod, Spread } from '../shapes.ts';
import type { Theme } from '../theme.ts';
import { labelSelector } from './pod-affinity.ts';
import { requireTerms, selector, term } from './requirements.ts';

/** Topology spread in all its settings. */
export const spread: Theme = {
  pools(d) {
    for (const pool of d.pools) {
      const r = d.random;
      if (r.chance(0.4))
        pool.object.spec.template.spec.requirements.push({
          key: RACK,
          operator: 'In',
          values: r.some(['r1', 'r2', 'r3'], 2, 3),
        });
      if (r.chance(0.2))
        pool.object.spec.template.spec.taints = [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }];
    }
  },
  nodes(d) {
    for (const n of d.nodes) {
      const labels = n.node?.metadata.labels;
      if (!labels) continue;
      if (d.random.chance(0.5)) labels[RACK] = d.random.pick(['r1', 'r2', 'r3', 'r4']);
      // A node that has just come may lack it; then its name stands in, for counting only.
      if (d.random.chance(0.05)) delete labels[HOSTNAME];
    }
  },
  apps(d) {
    for (const app of d.apps) {
      const r = d.random;
      if (r.chance(0.15)) app.spec.nodeSelector = selector(d);
      if (r.chance(0.15)) requireTerms(app.spec, [term(d)]);
      if (r.chance(0.2)) app.spec.tolerations = [{ key: 'dedicated', operator: 'Exists' }];
      if (!r.chance(0.65)) continue;
      const list = Array.from({ length: r.pick([1, 1, 2, 3]) }, () => constraint(d, app));
      app.spec.topologySpreadConstraints = uniqueKeys(list);
      for (const c of list) if (c.whenUnsatisfiable === 'DoNotSchedule') app.admits.push(evenly(d, app, c));
    }
  },
};

/** The API refuses two constraints of the same key and effect. */
function uniqueKeys(list: Spread[]): Spread[] {
  const seen = new Set<string>();
  return list.filter((c) => {
    const id = `${c.topologyKey} ${c.whenUnsatisfiable}`;
    return !seen.has(id) && seen.add(id);
  });
}

function constraint(d: Draft, app: AppDraft): Spread {
  const r = d.random;
  const c: Spread = {
    maxSkew: r.pick([1, 1, 1, 2, 3]),
    topologyKey: r.pick([ZONE, ZONE, ZONE, HOSTNAME, HOSTNAME, RACK, CAPACITY_TYPE]),
    whenUnsatisfiable: r.pick(['DoNotSchedule', 'DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway']),
    labelSelector: r.chance(0.8) ? { matchLabels: { app: app.name } } : labelSelector(d, app),
  };
  if (c.whenUnsatisfiable === 'DoNotSchedule' && r.chance(0.2)) c.minDomains = r.int(1, 4);
  if (r.chance(0.25)) c.nodeAffinityPolicy = r.pick(['Honor', 'Ignore']);
  if (r.chance(0.25)) c.nodeTaintsPolicy = r.pick(['Honor', 'Ignore']);
  // matchLabelKeys needs a selector: the real code dereferences it.
  if (r.chance(0.2)) c.matchLabelKeys = r.pick([['version'], ['version', 'nobody-has-this']]);
  else if (r.chance(0.06)) delete c.labelSelector;
  return c;
}

function evenly(d: Draft, app: AppDraft, c: Spread): (n: NodeDraft, pods: readonly Pod[]) => boolean {
  return (n, pods) => {
    const domain = new Map(d.nodes.map((m) => [m.name, m.node?.metadata.labels[c.topologyKey] ?? '']));
    const counts = new Map([...new Set(domain.values())].map((v) => [v, 0]));
    for (const p of pods) {
      const v = domain.get(p.spec.nodeName ?? '');
      if (p.metadata.labels.app === app.name && v !== undefined) counts.set(v, (counts.get(v) ?? 0) + 1);
    }
    const least = c.topologyKey === HOSTNAME ? 0 : Math.min(...counts.values());
    return (counts.get(domain.get(n.name) ?? '') ?? 0) + 1 - least <= c.maxSkew;
  };
}
