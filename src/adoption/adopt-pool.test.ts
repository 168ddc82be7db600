import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { disruptionBlocks } from '../../test/build/random/disruption-block.ts';
import type { DisruptionBlock } from '../config/disruption-block.ts';
import { POLICY_LABEL } from '../config/policy-label.ts';
import { objectProblems } from '../config/policy-object.ts';
import { readPoolPolicy } from '../config/read-pool-policy.ts';
import { karpenterLeavesAlone } from '../controller/interlock.ts';
import type { PoolPolicy } from '../engine/disruption/pool-policy.ts';
import { adoptPool, BEFORE_ANNOTATION } from './adopt-pool.ts';
import type { Adoption, AdoptionObject, ConsolidationPolicy, MergePatch } from './adoption.ts';

function pool(disruption: unknown, sketch: Partial<AdoptionObject> = {}): AdoptionObject {
  const object = { kind: 'NodePool', apiVersion: 'karpenter.sh/v1', labels: {}, terminating: false } as const;
  return { ...object, name: 'default', spec: { disruption }, ...sketch };
}

function policy(name: string, nodePoolSelector: unknown): AdoptionObject {
  return { ...pool(undefined, { name, spec: { nodePoolSelector } }), kind: 'ConsolidationPolicy' };
}

describe('what a pool is today', () => {
  const all = policy('all', {});
  const cases: readonly [string, AdoptionObject, readonly AdoptionObject[], Adoption['state'], string][] = [
    ['nothing said', pool(undefined), [], { code: 'consolidated' }, 'preserving calm handOver giveBack'],
    [
      'consolidated',
      pool({ consolidateAfter: '30s' }),
      [],
      { code: 'consolidated' },
      'preserving calm handOver giveBack',
    ],
    ['Never', pool({ consolidateAfter: 'Never' }), [], { code: 'off', by: 'never' }, 'calm handOver giveBack'],
    ['a budget of 0', pool({ budgets: [{ nodes: '0' }] }), [], { code: 'off', by: 'budget' }, 'calm handOver giveBack'],
    [
      'a budget of 0 at times',
      pool({ budgets: [{ nodes: '0', schedule: '@daily', duration: '8h' }] }),
      [],
      { code: 'consolidated' },
      'preserving calm handOver giveBack',
    ],
    [
      'a budget of 0 for drift',
      pool({ budgets: [{ nodes: '0', reasons: ['Drifted'] }] }),
      [],
      { code: 'consolidated' },
      'preserving calm handOver giveBack',
    ],
    ['static', pool({}, { spec: { replicas: 3 } }), [], { code: 'static', replicas: 3 }, ''],
    ['going', pool({}, { terminating: true }), [], { code: 'deleting' }, ''],
    [
      'governed',
      pool({ consolidateAfter: 'Never' }),
      [all],
      { code: 'governed', policy: 'all', karpenterStill: false },
      '',
    ],
    [
      'governed, handed over by us',
      pool({ consolidateAfter: 'Never' }, { consolidateAfterBefore: '1m' }),
      [all],
      { code: 'governed', policy: 'all', karpenterStill: false },
      'giveBack',
    ],
    [
      'governed in name',
      pool({ consolidateAfter: '30s' }),
      [all],
      { code: 'governed', policy: 'all', karpenterStill: true },
      'handOver giveBack',
    ],
    ['under two', pool({}), [policy('z', {}), all], { code: 'conflict', policies: ['all', 'z'] }, ''],
    [
      'a policy of others',
      pool({}),
      [policy('gpu', { matchLabels: { gpu: 'true' } })],
      { code: 'consolidated' },
      'preserving calm handOver giveBack',
    ],
    [
      'a policy without a selector',
      pool({}),
      [policy('gpu', undefined)],
      { code: 'consolidated' },
      'preserving calm handOver giveBack',
    ],
  ];
  for (const [name, given, policies, state, proposed] of cases) {
    test(name, () => {
      const { pool: _, state: found, changes: __, ...proposal } = adoptPool(given, policies);
      assert.deepEqual(found, state);
      assert.equal(Object.keys(proposal).join(' '), proposed);
    });
  }
});

test('a block with problems is not adopted, and they are told', () => {
  const { state, handOver } = adoptPool(pool({ consolidateAfter: '5x' }), []);
  assert.equal(state.code === 'invalid' && state.problems[0].field, 'spec.disruption.consolidateAfter');
  assert.equal(handOver, undefined);
});

test('objects of another version, specs that are none, selectors that select nothing', () => {
  for (const odd of [
    pool({}, { apiVersion: 'karpenter.sh/v1beta1' }),
    pool({}, { spec: 'oops' }),
    pool({}, { spec: [] }),
  ])
    assert.equal(adoptPool(odd, []).state.code, 'invalid');
  const selectors = [
    5,
    null,
    { matchExpressions: 5 },
    { matchLabels: { a: 1 } },
    { matchExpressions: [{ key: 'a', operator: 'In' }] },
  ];
  for (const selector of selectors)
    assert.equal(adoptPool(pool({}, { labels: { a: '1' } }), [policy('p', selector)]).state.code, 'consolidated');
});

test('the way back restores what was there, also without the policy or with two', () => {
  const taken = pool({ consolidateAfter: 'Never' }, { consolidateAfterBefore: '7m' });
  for (const policies of [[], [policy('a', {})], [policy('a', {}), policy('b', {})]]) {
    const { giveBack } = adoptPool(taken, policies);
    assert.deepEqual(giveBack!.spec, { disruption: { consolidateAfter: '7m' } });
    assert.deepEqual(giveBack!.metadata!.annotations, { [BEFORE_ANNOTATION]: null });
  }
});

test('budgets for drift stay; those of consolidation go along; under calm none forbids everything', () => {
  const drift = { nodes: '1', reasons: ['Drifted'] };
  const empty = { nodes: '0', reasons: ['Empty', 'Drifted'] };
  const share = { nodes: '20%' };
  const { preserving, calm, changes } = adoptPool(pool({ budgets: [drift, empty, share] }), []);
  assert.deepEqual(preserving!.spec.budgets, [empty, share]);
  assert.deepEqual(calm!.spec.budgets, [empty, share]);
  assert.ok(
    changes.some((line) => line.startsWith('2 budgets are copied')),
    changes.join('\n'),
  );
  assert.ok(
    changes.some((line) => line.startsWith('1 budget for other reasons')),
    changes.join('\n'),
  );
  const off = adoptPool(pool({ consolidateAfter: '1m', budgets: [{ nodes: '0' }, drift] }), []);
  assert.deepEqual(off.calm!.spec.budgets, [{ nodes: '10%' }]);
  assert.deepEqual(Object.keys(off.handOver!), ['metadata'], 'Karpenter is away already');
});

test('a name that another policy has is not taken', () => {
  const others = [policy('default', { matchLabels: { gpu: 'true' } })];
  const { preserving } = adoptPool(pool({}), others);
  assert.equal(preserving!.metadata.name, 'default-2');
  // Asked again before the pool is handed over, the answer is the same, and no second policy for it.
  const applied = policy('default-2', preserving!.spec.nodePoolSelector);
  assert.deepEqual(adoptPool(pool({}), [...others, applied]).preserving, preserving);
});

test('a name that is too long for a label still selects its pool alone', () => {
  const names = ['a', 'b'].map((end) => `${'x'.repeat(100)}${end}`);
  const values = names.map((name) => adoptPool(pool({}, { name }), []).handOver!.metadata!.labels![POLICY_LABEL]!);
  assert.ok(
    values.every((value) => /^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/.test(value)),
    values.join(' '),
  );
  assert.notEqual(values[0], values[1]);
});

test('any pool: its policy says what it said, the patch keeps Karpenter away, the patch back restores it', () => {
  let adopted = 0;
  fc.assert(
    fc.property(disruptionBlocks, (block) => {
      const given = pool(block);
      const adoption = adoptPool(given, []);
      if (adoption.state.code === 'invalid') return;
      for (const proposed of [adoption.preserving, adoption.calm])
        if (proposed) assert.deepEqual(problems(proposed), []);
      const { handOver, giveBack, preserving } = adoption;
      const taken = patched({ metadata: {}, spec: { disruption: block } }, handOver!);
      assert.ok(karpenterLeavesAlone(read(taken.spec.disruption)));
      assert.equal(taken.metadata.labels?.[POLICY_LABEL], 'default');
      const back = patched(taken, giveBack!);
      assert.deepEqual(withDefaults(back.spec.disruption), withDefaults(block as DisruptionBlock));
      assert.deepEqual(back.metadata ?? {}, {});
      if (preserving === undefined) return;
      adopted++;
      const { nodePoolSelector: _, ...spec } = preserving.spec;
      const today = read(withDefaults(block as DisruptionBlock));
      const budgets = today.budgets.filter(({ reasons }) => !reasons || /Empty|Underutilized/.test(reasons.join()));
      assert.deepEqual(read(spec), { ...today, budgets });
      assert.equal(
        taken.metadata.annotations?.[BEFORE_ANNOTATION],
        withDefaults(block as DisruptionBlock).consolidateAfter,
      );
    }),
    { numRuns: 1000 },
  );
  assert.ok(adopted > 20, `only ${adopted} were adopted`);
});

function problems({ apiVersion, kind, metadata, spec }: ConsolidationPolicy) {
  return objectProblems({ apiVersion, kind, name: metadata.name, spec });
}

function read(block: unknown): PoolPolicy {
  const reading = readPoolPolicy('NodePool/default', block);
  assert.ok('policy' in reading, JSON.stringify(reading));
  return reading.policy;
}

/** As the API server reads it. */
function withDefaults(block: DisruptionBlock): DisruptionBlock {
  const {
    consolidationPolicy = 'WhenEmptyOrUnderutilized',
    consolidateAfter = '0s',
    budgets = [{ nodes: '10%' }],
  } = block;
  return JSON.parse(JSON.stringify({ ...block, consolidationPolicy, consolidateAfter, budgets }));
}

interface Patched {
  readonly metadata: NonNullable<MergePatch['metadata']>;
  readonly spec: { readonly disruption: object };
}

/** JSON merge patch, RFC 7396; an object that has become empty is gone, as it is in the API. */
function patched(target: Patched, patch: MergePatch): Patched {
  const merge = (to: unknown, from: unknown): unknown => {
    if (typeof from !== 'object' || from === null || Array.isArray(from)) return from;
    const result = { ...(to as Record<string, unknown>) };
    for (const [key, value] of Object.entries(from)) {
      const merged = value === null ? undefined : merge(result[key], value);
      if (merged === undefined || JSON.stringify(merged) === '{}') delete result[key];
      else result[key] = merged;
    }
    return result;
  };
  return merge(target, patch) as Patched;
}
