import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runningKarpenter } from './running-karpenter.ts';

function closest(version: string | undefined) {
  const counts = { replicas: 2, readyReplicas: 2, owners: [] };
  const found = runningKarpenter([
    { kind: 'Deployment', namespace: 'shop', name: 'web', uid: 'w', ...counts },
    {
      kind: 'Deployment',
      namespace: 'kube-system',
      name: 'karpenter',
      uid: 'k',
      ...counts,
      karpenter: { version, options: {} },
    },
  ]);
  return found && [found.deployment, found.version, found.closest, found.isUnknown];
}

test('the release that is closest to the Karpenter that runs', () => {
  const at = 'kube-system/karpenter';
  assert.deepEqual(closest('1.15.0'), [at, '1.15.0', '1.15.0', false]);
  assert.deepEqual(closest('v1.15.2'), [at, 'v1.15.2', '1.15.0', false]);
  assert.deepEqual(closest('1.14.3'), [at, '1.14.3', '1.14.3', false]);
  assert.deepEqual(closest('1.14.0'), [at, '1.14.0', '1.14.1', false]);
  assert.deepEqual(closest('1.9.1'), [at, '1.9.1', '1.14.1', true]);
  assert.deepEqual(closest('1.16.0'), [at, '1.16.0', '1.15.0', true]);
  assert.deepEqual(closest('latest'), [at, 'latest', '1.15.0', true]);
  assert.deepEqual(closest(undefined), [at, undefined, '1.15.0', true]);
  assert.equal(runningKarpenter([]), undefined);
});

test('a Deployment like Karpenter’s in another namespace decides nothing', () => {
  const named = (namespace: string) => ({
    ...{ kind: 'Deployment', namespace, name: 'karpenter', uid: namespace, replicas: 2, readyReplicas: 2, owners: [] },
    karpenter: { version: '1.15.0', options: {} },
  });
  const of = (...namespaces: readonly string[]) => runningKarpenter(namespaces.map(named))?.deployment;
  assert.equal(of('aaa', 'kube-system'), 'kube-system/karpenter');
  assert.equal(of('aaa', 'karpenter'), 'karpenter/karpenter');
  assert.equal(of('infra'), 'infra/karpenter');
});

test('the CRDs tell where the Deployment does not', () => {
  const of = (schema: '1.15' | '1.14' | 'older') => {
    const { version, closest: release, isUnknown, deployment } = runningKarpenter([], schema) ?? {};
    return [version, release, isUnknown, deployment];
  };
  assert.deepEqual(of('1.15'), ['1.15 or later', '1.15.0', true, undefined]);
  assert.deepEqual(of('1.14'), ['1.14', '1.14.1', true, undefined]);
  assert.deepEqual(of('older'), ['before 1.14', '1.14.1', true, undefined]);
  assert.deepEqual(closest('1.15.0')?.[1], '1.15.0');
});
