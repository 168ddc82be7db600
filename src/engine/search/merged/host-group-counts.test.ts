import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster, compiled, rowOf } from '../../../../test/build/cluster.ts';
import { podsOf, spread } from '../../../../test/build/constraints.ts';
import { machine } from '../../../../test/build/machine.ts';
import { type PodSketch, pod } from '../../../../test/build/pod.ts';
import { HOSTNAME, ZONE } from '../../cluster/well-known.ts';
import { hostGroupCounts, PlannedHost } from './host-group-counts.ts';

/** Nodes with one such pod each that one host takes, of three. */
function together(sketch: PodSketch): number {
  const names = ['a', 'b', 'c'];
  const own = compiled(
    cluster({
      machines: names.map((name) => machine(name)),
      pods: names.map((on) => pod(`on-${on}`, { on, labels: { app: 'web' }, ...sketch })),
    }),
  );
  const host = new PlannedHost();
  return names.filter((name) => {
    const counts = hostGroupCounts(own, rowOf(own, name));
    const takes = host.takes(counts);
    if (takes) host.take(counts);
    return takes;
  }).length;
}

test('pods that are spread over hosts share one up to maxSkew, those that repel each other not at all', () => {
  assert.equal(together({}), 3);
  assert.equal(together({ topologySpread: [spread('web', HOSTNAME, { maxSkew: 1 })] }), 1);
  assert.equal(together({ topologySpread: [spread('web', HOSTNAME, { maxSkew: 2 })] }), 2);
  assert.equal(together({ requiredAntiAffinity: [podsOf('web', HOSTNAME)] }), 1);
});

test('preferences, zones and affinity keep no pods apart', () => {
  const preferred = spread('web', HOSTNAME, { maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' });
  assert.equal(together({ topologySpread: [preferred] }), 3);
  assert.equal(together({ topologySpread: [spread('web', ZONE)] }), 3);
  assert.equal(together({ requiredAffinity: [podsOf('web', HOSTNAME)] }), 3);
});
