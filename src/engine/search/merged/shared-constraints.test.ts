import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster, compiled, rowOf } from '../../../../test/build/cluster.ts';
import { podsOf, spread } from '../../../../test/build/constraints.ts';
import { machine } from '../../../../test/build/machine.ts';
import { type PodSketch, pod } from '../../../../test/build/pod.ts';
import { HOSTNAME, ZONE } from '../../cluster/well-known.ts';
import { SharedConstraints } from './shared-constraints.ts';

/** Whether a node has the same ties as one of the same zone, and as one of another, with pods like these on each. */
function sharesTies(...sketches: readonly PodSketch[]): string {
  const zones = { here: 'zone-a', near: 'zone-a', far: 'zone-b' };
  const own = compiled(
    cluster({
      machines: Object.entries(zones).map(([name, zone]) => machine(name, { zone })),
      pods: Object.keys(zones).flatMap((on) =>
        sketches.map((own, i) => pod(`${on}-${i}`, { on, cpu: 10, labels: { app: 'web' }, ...own })),
      ),
    }),
  );
  const ties = new SharedConstraints(own);
  const [here, near, far] = Object.keys(zones).map((name) => ties.of(rowOf(own, name)));
  return [near, far]
    .map((other, i) => (other === here ? ['near', 'far'][i] : ''))
    .join(' ')
    .trim();
}

test('pods that are spread over zones, or have affinity in their zone, limit a node to partners in its zone', () => {
  assert.equal(sharesTies({}), 'near far');
  assert.equal(sharesTies({ topologySpread: [spread('web', ZONE)] }), 'near');
  assert.equal(sharesTies({ requiredAffinity: [podsOf('web', ZONE)] }), 'near');
});

test('those spread over hosts do not, nor those that only keep away from others', () => {
  assert.equal(sharesTies({ topologySpread: [spread('web', HOSTNAME)] }), 'near far');
  assert.equal(sharesTies({ requiredAntiAffinity: [podsOf('db', ZONE)] }), 'near far');
});

test('a few pods of many do not decide', () => {
  const tied = { topologySpread: [spread('web', ZONE)] };
  assert.equal(sharesTies(tied, {}, {}), 'near');
  assert.equal(sharesTies(tied, {}, {}, {}), 'near far');
});
