import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ClusterSketch, cluster, compiled } from '../../../test/build/cluster.ts';
import { is, spread, taint, toleration } from '../../../test/build/constraints.ts';
import { instanceType, MEDIUM, offering, SMALL } from '../../../test/build/instance-type.ts';
import { type MachineSketch, machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pendingPod, pod } from '../../../test/build/pod.ts';
import { candidatesOf } from '../../../test/reference/answers.ts';
import type { InstanceType, Offering } from '../cluster/objects.ts';
import { CAPACITY_TYPE, HOSTNAME, ON_DEMAND, SPOT } from '../cluster/well-known.ts';
import { Simulation } from '../scheduling/simulation.ts';
import { consolidate } from './consolidate.ts';

/** What becomes of `old`: "delete", "replace by …" with the types in order and the capacity type, or the refusal's code. */
function verdict(sketch: ClusterSketch, compat = false): string {
  const c = compiled(cluster(sketch), compat);
  const result = consolidate(
    new Simulation(c),
    candidatesOf(c).filter((x) => x.name === 'old'),
  );
  if ('refusal' in result) return result.refusal.code;
  const [replacement] = result.move.replacements;
  if (replacement === undefined) return 'delete';
  const names = replacement.types.map((t) => c.types.list[t].name);
  const capacity = c.space.require(replacement.requirements, CAPACITY_TYPE);
  return `replace by ${names.join()}${capacity === undefined ? '' : ` ${[...capacity.values].join('|')}`}`;
}

const load = pod('load', { on: 'old' });
const dear = instanceType('dear', { offerings: [offering('zone-a', ON_DEMAND, 0.2), offering('zone-a', SPOT, 0.2)] });
const VAST = instanceType('vast', { cpu: 96_000, price: 9 });
const vast = pendingPod('vast', { cpu: 90_000 });
const onDemandOnly = [nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)] })];

function alternative(...offerings: readonly Offering[]): InstanceType {
  return instanceType('other', { offerings });
}

/** A dear node, and one type that it could be replaced by. */
function against(type: InstanceType, nodePools = onDemandOnly, old: MachineSketch = {}): string {
  return verdict({
    machines: [machine('old', { type: dear, ...old })],
    pods: [load],
    instanceTypes: [dear, type],
    nodePools,
  });
}

describe('a node is deleted', () => {
  test('if its pods fit on others', () => {
    assert.equal(verdict({ machines: [machine('old'), machine('a')], pods: [load] }), 'delete');
  });

  test('a deletion needs no NodePool that is ready, but with compat', () => {
    const machines = [machine('old'), machine('a')];
    const nodePools = [nodePool('default', { ready: false })];
    assert.equal(verdict({ machines, pods: [load], nodePools }), 'delete');
    assert.equal(verdict({ machines: [machine('old')], pods: [load], nodePools }), 'pods-unplaceable');
    assert.equal(verdict({ machines, pods: [load], nodePools }, true), 'no-ready-node-pool');
  });

  test('but not by way of a node that is not initialized', () => {
    const machines = [machine('old'), machine('a', { state: 'starting' })];
    assert.equal(verdict({ machines, pods: [load] }), 'relies-on-uninitialized-node');
  });

  test('but not if a pod would be left over', () => {
    const nodePools = [nodePool('default', { limits: { cpu: 1 } })];
    assert.equal(verdict({ machines: [machine('old')], pods: [load], nodePools }), 'pods-unplaceable');
  });

  test('even if a pending pod has no place', () => {
    const nodePools = [nodePool('default', { limits: { cpu: 1 } })];
    const pods = [load, pendingPod('vast', { cpu: 90_000 })];
    assert.equal(verdict({ machines: [machine('old'), machine('a')], pods, nodePools }), 'delete');
  });

  test('even if a pending pod needs a new node, but with compat: it is launched anyway', () => {
    const sketch = { machines: [machine('old'), machine('a')], pods: [load, vast], instanceTypes: [MEDIUM, VAST] };
    assert.equal(verdict(sketch), 'delete');
    assert.equal(verdict(sketch, true), 'not-cheaper');
  });

  test('but not if a pending pod would need a new node without it', () => {
    const pods = [load, vast, pendingPod('fits', { cpu: 1_000 }), pod('full', { on: 'a', cpu: 3_400 })];
    const sketch = { machines: [machine('old'), machine('a')], pods, instanceTypes: [MEDIUM, VAST] };
    assert.equal(verdict(sketch), 'not-cheaper');
  });
});

describe('a node is replaced by', () => {
  test('types that cost less, not by those that cost the same', () => {
    assert.equal(against(alternative(offering('zone-a', ON_DEMAND, 0.19))), 'replace by other on-demand');
    assert.equal(against(alternative(offering('zone-a', ON_DEMAND, 0.2))), 'not-cheaper');
  });

  test('types that cost less in the most expensive zone that they may end up in', () => {
    const spread = [offering('zone-a', ON_DEMAND, 0.1), offering('zone-b', ON_DEMAND, 0.3)];
    assert.equal(against(alternative(...spread)), 'not-cheaper');
    assert.equal(against(alternative(spread[0], { ...spread[1], available: false })), 'replace by other on-demand');
  });

  test('spot if it may be both, at the price of spot', () => {
    const both = [offering('zone-a', ON_DEMAND, 0.9), offering('zone-a', SPOT, 0.1)];
    assert.equal(against(alternative(...both), [nodePool('default')]), 'replace by other spot');
    assert.equal(against(alternative(...both)), 'not-cheaper');
  });

  test('on-demand if it may be both and is not sold as spot; spot, if only some are', () => {
    const onDemand = offering('zone-a', ON_DEMAND, 0.1);
    const sold = (compat: boolean, ...types: readonly InstanceType[]) =>
      verdict({ machines: [machine('old', { type: dear })], pods: [load], instanceTypes: [dear, ...types] }, compat);
    assert.equal(sold(false, alternative(onDemand)), 'replace by other');
    const asSpot = instanceType('as-spot', { offerings: [offering('zone-a', SPOT, 0.15)] });
    assert.equal(sold(false, alternative(onDemand), asSpot), 'replace by as-spot spot');
    // Karpenter would ask for spot all the same, which can never be launched.
    assert.equal(sold(true, alternative(onDemand)), 'replace by other spot');
    assert.equal(sold(true, alternative(onDemand), asSpot), 'replace by other,as-spot spot');
  });

  test('the cheapest first, equal prices by name', () => {
    const types = ['b', 'a', 'c'].map((name) => instanceType(name, { price: name === 'c' ? 0.01 : 0.1 }));
    const sketch = { machines: [machine('old', { type: dear })], pods: [load], nodePools: onDemandOnly };
    assert.equal(verdict({ ...sketch, instanceTypes: [dear, ...types] }), 'replace by c,a,b on-demand');
  });

  test('nothing if its own price is unknown', () => {
    assert.equal(against(SMALL, onDemandOnly, { zone: 'zone-x' }), 'not-cheaper');
  });

  test('no more than one node, with compat those for pending pods counted', () => {
    const apart = { labels: { app: 'web' }, topologySpread: [spread('web', HOSTNAME)] };
    const two = [pod('a', { on: 'old', ...apart }), pod('b', { on: 'old', ...apart })];
    assert.equal(verdict({ machines: [machine('old')], pods: two }), 'too-many-replacements');
    const one = [pod('a', { on: 'old', ...apart }), pendingPod('b', apart)];
    assert.equal(verdict({ machines: [machine('old')], pods: one }, true), 'too-many-replacements');
    assert.equal(verdict({ machines: [machine('old')], pods: one }), 'replace by small,medium,large spot');
  });

  test('one node, though a pending pod had one that cannot be launched as its pool wishes', () => {
    // Six hundred cheap types of one family fill the launch; the second family that the pool wants is cut off.
    const family = (name: string, i: number, price: number) =>
      instanceType(`${name}${i}`, { labels: { family: name }, offerings: [offering('zone-a', ON_DEMAND, price)] });
    const cheap = Array.from({ length: 600 }, (_, i) => family('many', i, 0.1));
    const wish = { ...is('family', 'Exists'), minValues: 2 };
    const picky = nodePool('picky', { weight: 9, requirements: [wish], taints: [taint('picky')] });
    const pods = [load, pendingPod('waits', { cpu: 4000, tolerations: [toleration('picky')] })];
    const machines = [machine('old', { type: dear, pool: 'plain' })];
    const nodePools = [
      picky,
      nodePool('plain', { requirements: [is('family', 'In', 'few'), is(CAPACITY_TYPE, 'In', ON_DEMAND)] }),
    ];
    const instanceTypes = [dear, ...cheap, family('few', 0, 0.15)];
    assert.equal(verdict({ machines, pods, nodePools, instanceTypes }), 'replace by few0 on-demand');
  });
});

describe('a spot node is replaced by spot', () => {
  const types = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      instanceType(`t${String(i).padStart(2, '0')}`, { offerings: [offering('zone-a', SPOT, (i + 1) / 1000)] }),
    );
  const spot = (count: number, spotToSpot: boolean) =>
    verdict({
      machines: [machine('old', { type: dear, capacityType: SPOT })],
      pods: [load],
      instanceTypes: [dear, ...types(count)],
      options: { spotToSpot },
    });

  test('only if that is switched on', () => assert.equal(spot(20, false), 'spot-to-spot-disabled'));
  test('only if 15 types are cheaper', () => assert.equal(spot(14, true), 'spot-to-spot-flexibility'));
  test('and then by the 15 cheapest', () => {
    const names = types(15).map((t) => t.name);
    assert.equal(spot(15, true), `replace by ${names.join()} spot`);
    assert.equal(spot(20, true), `replace by ${names.join()} spot`);
  });
});
