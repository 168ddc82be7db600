import type { Draft } from '../draft.ts';
import { ZONE } from '../names.ts';
import type { Requirement } from '../shapes.ts';
import type { Theme } from '../theme.ts';
import { requireTerms } from './requirements.ts';

/** Labels that the provider gives its types, and that are therefore well known. */
const DISK = 'provider.example/local-disk-gb';
const CHIP = 'provider.example/accelerator';
const NETWORK = 'provider.example/bandwidth';

/** Types with labels of their own: some have them, some deny them, some do not know them. */
export const typeLabels: Theme = {
  catalog(d) {
    for (const t of d.types) {
      const r = d.random;
      const list: Requirement[] = [];
      if (r.chance(0.6)) list.push({ key: DISK, operator: 'In', values: [r.pick(['50', '100', '474', '900'])] });
      else if (r.chance(0.5)) list.push({ key: DISK, operator: 'DoesNotExist' });
      if (r.chance(0.3)) list.push({ key: CHIP, operator: 'In', values: [r.pick(['t4', 'a10g'])] });
      else list.push({ key: CHIP, operator: 'DoesNotExist' });
      if (r.chance(0.3)) list.push({ key: NETWORK, operator: 'In', values: r.some(['1000', '5000', '10000'], 1, 2) });
      t.requirements = list;
      if (r.chance(0.15)) t.os = ['linux', 'windows'];
    }
  },
  pools(d) {
    for (const pool of d.pools)
      if (d.random.chance(0.5)) pool.object.spec.template.spec.requirements.push(typeRequirement(d));
  },
  apps(d) {
    for (const app of d.apps) {
      const r = d.random;
      if (r.chance(0.3))
        requireTerms(
          app.spec,
          Array.from({ length: r.pick([1, 1, 2]) }, () => ({ matchExpressions: [typeRequirement(d)] })),
        );
      if (r.chance(0.1)) app.spec.nodeSelector = { [CHIP]: r.pick(['t4', 'a10g']) };
      if (r.chance(0.2)) {
        app.spec.topologySpreadConstraints = [
          {
            maxSkew: 1,
            topologyKey: r.pick([CHIP, DISK, ZONE]),
            whenUnsatisfiable: r.pick(['DoNotSchedule', 'ScheduleAnyway']),
            labelSelector: { matchLabels: { app: app.name } },
          },
        ];
      }
    }
  },
};

function typeRequirement(d: Draft): Requirement {
  const r = d.random;
  return r.pick<Requirement>([
    { key: DISK, operator: 'Gt', values: [r.pick(['60', '200'])] },
    { key: DISK, operator: 'Lt', values: ['500'] },
    { key: DISK, operator: 'Exists' },
    { key: DISK, operator: 'DoesNotExist' },
    { key: DISK, operator: 'NotIn', values: ['100', '900'] },
    { key: CHIP, operator: 'DoesNotExist' },
    { key: CHIP, operator: 'In', values: ['t4'] },
    { key: CHIP, operator: 'NotIn', values: ['t4'] },
    { key: NETWORK, operator: 'Gte', values: ['5000'] },
    { key: NETWORK, operator: 'NotIn', values: ['1000'] },
  ]);
}
