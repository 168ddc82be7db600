import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pod } from '../../../test/build/pod.ts';
import type { PodObject } from '../cluster/objects.ts';
import { resultOf } from '../steps.ts';
import { KnownPods } from './pod-facts.ts';

const factsOf = (pods: readonly PodObject[], known = new KnownPods()) =>
  resultOf(known.of(pods, { disruptionCost: true })).facts;

describe('facts of pods', () => {
  const one = pod('one', { on: 'a', cpu: 100 });
  const { labels, owners, constraints } = one;
  const another: PodObject = { ...pod('another', { on: 'b', cpu: 200 }), labels, owners, constraints };

  test('are one object for pods that differ only in name, place and requests', () => {
    const known = new KnownPods();
    const [first, second] = factsOf([one, another], known);
    assert.equal(first, second);
    const [third] = factsOf([{ ...another, nodeName: 'c' }], known);
    assert.equal(third, first);
  });

  const different: readonly Partial<PodObject>[] = [
    { phase: 'Succeeded' },
    { terminating: true },
    { priority: 1_000_000 },
    { deletionCost: '1000000' },
    { disruptionCost: '1000000' },
    { owners: [{ ...owners[0], kind: 'DaemonSet' }] },
    { owners: [] },
    { constraints: { ...constraints, requiredAntiAffinity: [{ topologyKey: 'zone', namespaces: [] }] } },
    { volumeClaims: ['data'] },
    { doNotDisrupt: 'true' },
    { doNotEvict: 'true' },
    { safeToEvict: 'false' },
    { move: 'no' },
    { localData: [{ kind: 'emptyDir', name: 'cache' }] },
  ];
  for (const field of different) {
    const name = Object.entries(field).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
    test(`are those of a pod by itself, beside one without ${name}`, () => {
      const odd = { ...another, ...field };
      const [, beside] = factsOf([one, odd]);
      assert.deepEqual(beside, factsOf([odd])[0]);
      assert.notDeepEqual(beside, factsOf([one])[0]);
    });
  }

  test('belong to one namespace, whose budgets and constraints are others', () => {
    const [first, second] = factsOf([one, { ...another, namespace: 'other' }]);
    assert.notEqual(first, second);
  });

  test('stay for pods that are in the next list, whatever comes or goes', () => {
    const known = new KnownPods();
    const withData = { ...one, volumeClaims: ['data'] };
    const [before] = factsOf([withData, one], known);
    const { facts, origins } = resultOf(known.of([another, withData], { disruptionCost: true }));
    assert.equal(facts[1], before);
    assert.deepEqual([...origins], [-1, 0]);
  });
});
