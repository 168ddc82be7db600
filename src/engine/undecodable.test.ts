import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { capacityBuffer } from '../../test/build/capacity-buffer.ts';
import { type ClusterSketch, cluster, compiled, PLAINLY, rowOf } from '../../test/build/cluster.ts';
import { app, podsOf } from '../../test/build/constraints.ts';
import { machine } from '../../test/build/machine.ts';
import { type PodSketch, pod } from '../../test/build/pod.ts';
import { volumeClaim } from '../../test/build/storage.ts';
import { removing } from '../../test/reference/simulate.ts';
import type { UndecodableObject } from './cluster/undecodable.ts';
import { HOSTNAME } from './cluster/well-known.ts';
import { assess } from './gates/assessment.ts';
import { refusalText } from './refusal-text.ts';
import { compile, compileSteps } from './scheduling/compile.ts';
import { CompileCache } from './scheduling/compile-cache.ts';
import { STOCK_RULES } from './settings.ts';
import { resultOf } from './steps.ts';

const bad = (kind: string, name: string, more: Partial<UndecodableObject> = {}): UndecodableObject => ({
  kind,
  namespace: '',
  name,
  nodeName: '',
  problem: 'spec.x: got 7, want a string',
  ...more,
});

const TWO: ClusterSketch = {
  machines: [machine('a'), machine('b')],
  pods: [pod('p', { on: 'a', cpu: 100 })],
};

const codes = (sketch: ClusterSketch, node: string) => {
  const c = compiled(cluster(sketch));
  const assessed = assess(c, rowOf(c, node), STOCK_RULES);
  return 'refusals' in assessed ? assessed.refusals.map((r) => r.code) : [];
};

describe('a node', () => {
  for (const [object, what] of [
    [bad('Pod', 'evil', { namespace: 'shop', nodeName: 'b' }), 'with a pod that cannot be decoded'],
    [bad('NodeClaim', 'claim-b', { nodeName: 'b' }), 'with a NodeClaim that cannot be decoded'],
    [bad('CSINode', 'b', { nodeName: 'b' }), 'with a CSINode that cannot be decoded'],
  ] as const) {
    test(`${what} is neither a candidate nor a destination, and the others are`, () => {
      const sketch = { ...TWO, undecodable: [object] };
      assert.deepEqual(codes(sketch, 'b'), ['undecodable-object']);
      assert.deepEqual(codes(sketch, 'a'), []);
      assert.deepEqual(
        removing(cluster(TWO), ['a']).onExisting.map(({ node }) => node),
        ['b'],
      );
      assert.deepEqual(removing(cluster(sketch), ['a']).onExisting, []);
      assert.equal(removing(cluster(sketch), ['a']).newNodes.length, 1);
    });
  }

  test('that cannot be decoded itself is no destination by its NodeClaim', () => {
    const { claim } = machine('b');
    const sketch = { ...TWO, machines: [machine('a'), { claim }], undecodable: [bad('Node', 'b', { nodeName: 'b' })] };
    assert.deepEqual(removing(cluster(sketch), ['a']).onExisting, []);
  });

  test('is decided about again once the object is gone, whatever is cached', () => {
    const cache = new CompileCache();
    const objects = cluster(TWO);
    const blocked = { ...objects, undecodable: [bad('Pod', 'evil', { namespace: 'shop', nodeName: 'b' })] };
    let last = compile(objects, PLAINLY, cache);
    for (const [now, refusals] of [
      [objects, 0],
      [blocked, 1],
      [objects, 0],
    ] as const) {
      last = resultOf(compileSteps(now, PLAINLY, cache, last));
      const assessed = assess(last, rowOf(last, 'b'), STOCK_RULES);
      assert.equal('refusals' in assessed ? assessed.refusals.length : 0, refusals);
      assert.equal(last.destinations[0] !== 0b11, refusals === 1);
    }
  });
});

describe('every node stays', () => {
  test('while a CapacityBuffer cannot be decoded, unless buffers are known to be off', () => {
    const undecodable = [bad('CapacityBuffer', 'spare', { namespace: 'shop' })];
    for (const node of ['a', 'b']) assert.deepEqual(codes({ ...TWO, undecodable }, node), ['undecodable-object']);
    assert.deepEqual(codes({ ...TWO, undecodable, options: { capacityBuffers: false } }, 'a'), []);
  });

  test('while what a CapacityBuffer is made of cannot be decoded', () => {
    const { capacityBuffers } = capacityBuffer({ podTemplate: 'large' });
    const undecodable = [bad('PodTemplate', 'large', { namespace: 'default' })];
    assert.deepEqual(codes({ ...TWO, capacityBuffers, undecodable }, 'b'), ['undecodable-object']);
    assert.deepEqual(codes({ ...TWO, undecodable }, 'b'), []);
  });

  test('while the nodes of a ConsolidationCommand cannot be read; else its nodes', () => {
    const command = (nodeNames?: readonly string[]) => [bad('ConsolidationCommand', 'c1', { nodeNames })];
    assert.deepEqual(codes({ ...TWO, undecodable: command() }, 'b'), ['undecodable-object']);
    assert.deepEqual(codes({ ...TWO, undecodable: command(['b']) }, 'b'), ['undecodable-object']);
    assert.deepEqual(codes({ ...TWO, undecodable: command(['b']) }, 'a'), []);
    assert.deepEqual(removing(cluster({ ...TWO, undecodable: command(['b']) }), ['a']).onExisting, []);
  });
});

describe('a pod', () => {
  test('stays where it is while its Namespace cannot be decoded, or one that its terms may select', () => {
    const undecodable = [bad('Namespace', 'shop')];
    const running = (sketch: PodSketch) => ({
      ...TWO,
      undecodable,
      pods: [pod('p', { on: 'a', cpu: 100, ...sketch })],
    });
    const elsewhere = podsOf('web', HOSTNAME, { namespaceSelector: app('web') });
    assert.deepEqual(codes(running({ namespace: 'shop' }), 'a'), ['undecodable-object']);
    assert.deepEqual(codes(running({ requiredAntiAffinity: [elsewhere] }), 'a'), ['undecodable-object']);
    assert.deepEqual(codes(running({ requiredAntiAffinity: [podsOf('web', HOSTNAME)] }), 'a'), []);
  });

  const CLAIM = volumeClaim('data', { volumeName: 'disk' });
  const sketch = { ...TWO, pods: [pod('p', { on: 'a', volumeClaims: ['data'] })], persistentVolumeClaims: [CLAIM] };

  for (const [kind, name, namespace, claims] of [
    ['PersistentVolumeClaim', 'data', 'default', []],
    ['PersistentVolume', 'disk', '', [CLAIM]],
    ['StorageClass', 'fast', '', [{ ...CLAIM, volumeName: '', storageClass: 'fast' }]],
  ] as const) {
    test(`whose ${kind} cannot be decoded stays where it is`, () => {
      const undecodable = [bad(kind, name, { namespace })];
      assert.deepEqual(codes({ ...sketch, persistentVolumeClaims: claims, undecodable }, 'a'), ['undecodable-object']);
      const others = [bad(kind, 'other', { namespace })];
      assert.deepEqual(codes({ ...sketch, persistentVolumeClaims: claims, undecodable: others }, 'a'), []);
    });
  }
});

test('while a DaemonSet cannot be decoded no node is launched, and existing ones are used', () => {
  const undecodable = [bad('DaemonSet', 'agent', { namespace: 'kube-system' })];
  const alone = { ...TWO, machines: [machine('a')] };
  assert.equal(removing(cluster(alone), ['a']).newNodes.length, 1);
  const without = removing(cluster({ ...alone, undecodable }), ['a']);
  assert.deepEqual([without.newNodes.length, without.unplaced.length], [0, 1]);
  assert.equal(removing(cluster({ ...TWO, undecodable }), ['a']).onExisting.length, 1);
});

test('the refusal names the object and what is wrong with it', () => {
  const refusal = {
    code: 'undecodable-object',
    object: 'Pod shop/evil',
    problem: 'spec.x: got 7, want a string',
  } as const;
  assert.equal(refusalText(refusal), 'Pod shop/evil is set aside: spec.x: got 7, want a string');
});
