import { bothOfferings } from '../catalog.ts';
import { INSTANCE_TYPE } from '../names.ts';
import type { Theme } from '../theme.ts';

/** More types than a claim may name (600), with and without a minimum of variety. */
export const manyTypes: Theme = {
  catalog(d) {
    const base = d.types.filter((t) => t.arch === 'amd64' && t.cpu >= 4);
    for (let i = 0; i < 640; i++) {
      const t = base[i % base.length];
      if (!t) break;
      const price = (t.offerings[0]?.price ?? 0.1) * (0.7 + 0.6 * d.random.next());
      const [family, size] = t.name.split('.');
      d.types.push({
        ...t,
        name: `${family}v${i}.${size}`,
        extra: { ...t.extra },
        offerings: bothOfferings(d, d.zones[0] ?? 'zone-a', price),
      });
    }
  },
  pools(d) {
    for (const pool of d.pools) {
      if (d.random.chance(0.6))
        pool.object.spec.template.spec.requirements.push({
          key: INSTANCE_TYPE,
          operator: 'Exists',
          minValues: d.random.pick([10, 590, 601]),
        });
    }
  },
};
