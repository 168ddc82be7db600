import { addDaemon, container } from '../apps.ts';
import type { Draft } from '../draft.ts';
import { ARCH, CAPACITY_TYPE, CPU, FAMILY, INSTANCE_TYPE, TEAM, ZONE } from '../names.ts';
import type { Labels, NodeTerm, PodSpec } from '../shapes.ts';
import type { Theme } from '../theme.ts';
import { requireTerms } from './requirements.ts';

/** DaemonSets that run on some types, zones or pools only, weigh much, or have not come up. */
export const daemons: Theme = {
  pools(d) {
    for (const pool of d.pools) {
      if (d.random.chance(0.3))
        pool.object.spec.template.spec.taints = [
          { key: 'dedicated', value: 'batch', effect: d.random.pick(['NoSchedule', 'PreferNoSchedule']) },
        ];
      if (d.random.chance(0.3)) pool.object.spec.template.metadata.labels = { [TEAM]: 'red' };
    }
  },
  daemons(d) {
    const r = d.random;
    const count = r.int(2, 4);
    for (let i = 0; i < count; i++) {
      const spec: PodSpec = { containers: [container(r.pick([50, 200, 400]), r.pick([64, 256, 1024]))] };
      if (r.chance(0.6))
        spec.tolerations = r.pick([[{ operator: 'Exists' }], [{ key: 'dedicated', operator: 'Exists' }]]);
      if (r.chance(0.6))
        requireTerms(
          spec,
          Array.from({ length: r.int(1, 2) }, () => daemonTerm(d)),
        );
      if (r.chance(0.2))
        spec.nodeSelector = r.pick<Labels>([
          { [CAPACITY_TYPE]: 'on-demand' },
          { [ZONE]: r.pick(d.zones) },
          { [TEAM]: 'red' },
          { [ARCH]: 'arm64' },
        ]);
      if (r.chance(0.2))
        spec.containers = [{ ...container(0, 0), resources: { limits: { cpu: '300m', memory: '256Mi' } } }];
      if (r.chance(0.1)) spec.initContainers = [{ ...container(0, 0, 'init'), resources: { limits: { cpu: '900m' } } }];
      if (r.chance(0.05)) spec.resourceClaims = [{ name: 'device', resourceClaimName: 'some-device' }];
      if (r.chance(0.15)) spec.overhead = { cpu: '50m' };
      if (r.chance(0.15)) spec.priority = 2000001000;
      addDaemon(d, `daemon-${i}`, spec);
    }
  },
  apps(d) {
    for (const app of d.apps)
      if (d.random.chance(0.3)) app.spec.tolerations = [{ key: 'dedicated', operator: 'Exists' }];
  },
  placed(d) {
    const r = d.random;
    // Some DaemonSets have no pods at all; another has just been given a heavier template.
    const idle = new Set(d.daemonSets.filter(() => r.chance(0.25)).map((set) => set.metadata.uid));
    d.pods = d.pods.filter((p) => !idle.has(p.metadata.ownerReferences?.[0]?.uid ?? ''));
    const changed = r.pick(d.daemonSets);
    if (r.chance(0.5)) changed.spec.template.spec.containers = [container(r.pick([100, 600]), 300)];
  },
};

function daemonTerm(d: Draft): NodeTerm {
  const r = d.random;
  return {
    matchExpressions: [
      r.pick([
        { key: CPU, operator: 'Gt', values: [r.pick(['2', '4'])] },
        { key: CPU, operator: 'Lt', values: ['8'] },
        {
          key: FAMILY,
          operator: 'In',
          values: r.some(
            d.types.map((t) => t.name.split('.')[0] as string),
            2,
            4,
          ),
        },
        {
          key: INSTANCE_TYPE,
          operator: 'NotIn',
          values: r.some(
            d.types.map((t) => t.name),
            3,
            8,
          ),
        },
        { key: ZONE, operator: 'In', values: r.some(d.zones, 1, 2) },
        { key: CAPACITY_TYPE, operator: 'NotIn', values: ['spot'] },
        { key: TEAM, operator: r.pick(['Exists', 'DoesNotExist']) },
        { key: 'karpenter.sh/initialized', operator: 'In', values: ['true'] },
      ]),
    ],
  };
}
