import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccessRule, accessRules } from '../../generate/access-rules.ts';
import { ACCESS_FOR_PRICES, type Access, accessNeeded } from '../../src/operator/access-check.ts';

test('the roles allow what the controller does, each thing once, and no more', () => {
  const { observe, act, podsProxy, reviews, leases } = accessRules();
  assert.deepEqual(allowed(observe, leases), needed('observe'));
  assert.deepEqual(allowed(podsProxy), ['get  pods/proxy']);
  assert.ok(!allowed(observe, act, leases).some((each) => each.includes('proxy')), 'only where asked for');
  assert.deepEqual(allowed(reviews), [
    'create authentication.k8s.io tokenreviews',
    'create authorization.k8s.io subjectaccessreviews',
  ]);
  assert.deepEqual(allowed(observe, act, leases), needed('act'));
});

test('patching Deployments is for rollouts only, in rules of their own', () => {
  const { rollouts, rolloutsObserved, ...others } = accessRules();
  assert.deepEqual(allowed(rolloutsObserved), [
    'list autoscaling horizontalpodautoscalers',
    'watch autoscaling horizontalpodautoscalers',
  ]);
  assert.deepEqual(allowed(rollouts), ['get  pods', 'get apps deployments', 'patch  pods', 'patch apps deployments']);
  assert.deepEqual(
    allowed(...Object.values(others)).filter((rule) => /horizontalpod|patch apps/.test(rule)),
    [],
  );
});

test('watching changes nothing but policies’ status, events and the Lease', () => {
  const { observe, leases } = accessRules();
  const writes = [...observe, ...leases].filter(({ verbs }) => verbs.some((v) => !/get|list|watch/.test(v)));
  assert.deepEqual(
    writes.flatMap(({ resources }) => resources),
    ['consolidationpolicies/status', 'events', 'leases', 'leases'],
  );
});

test('no other Lease can be read or changed', () => {
  const { leases } = accessRules();
  const named = leases.filter(({ verbs }) => verbs.some((verb) => verb !== 'create'));
  assert.deepEqual(
    named.map(({ resourceNames, verbs }) => [resourceNames, verbs]),
    [[['{{ include "decant.fullname" . }}'], ['get', 'update']]],
  );
});

test('no access to secrets and config maps', () => {
  const all = Object.values(accessRules()).flat() as AccessRule[];
  assert.deepEqual(
    all.flatMap(({ resources }) => resources).filter((resource) => /secret|configmap|\*/.test(resource)),
    [],
  );
});

function allowed(...rules: readonly (readonly AccessRule[])[]): string[] {
  return rules
    .flat()
    .flatMap(({ apiGroups, resources, verbs }) => {
      return apiGroups.flatMap((g) => resources.flatMap((r) => verbs.map((v) => `${v} ${g} ${r}`)));
    })
    .sort();
}

function needed(mode: 'observe' | 'act'): string[] {
  const name = ({ resource, subresource }: Access) =>
    `${resource}${subresource === undefined ? '' : `/${subresource}`}`;
  return [...accessNeeded({ mode, leaseNamespace: 'x' }), ...ACCESS_FOR_PRICES]
    .map((access) => `${access.verb} ${access.group} ${name(access)}`)
    .sort();
}
