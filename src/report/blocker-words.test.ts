import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Blocker } from '../engine/blockers/blocker.ts';
import { remedyFor } from './blocker-words.ts';

test('the patch is of the block that applies: of the pool, of the policy that selects it, or of its open window', () => {
  const budget: Blocker = { kind: 'Budget', nodePool: 'general' };
  const setting: Blocker = { kind: 'Policy', nodePool: 'general', setting: 'consolidationPolicy' };
  const of = { policy: 'web' };
  assert.deepEqual(
    [budget, setting, { ...budget, of }, { ...setting, of }, { ...setting, of: { ...of, window: 1 } }].map(remedyFor),
    [
      `kubectl patch nodepool general --type merge -p '{"spec":{"disruption":{"budgets":[{"nodes":"100%"}]}}}'`,
      `kubectl patch nodepool general --type merge -p '{"spec":{"disruption":{"consolidationPolicy":"WhenEmptyOrUnderutilized"}}}'`,
      `kubectl patch consolidationpolicy web --type merge -p '{"spec":{"budgets":[{"nodes":"100%"}]}}'`,
      `kubectl patch consolidationpolicy web --type merge -p '{"spec":{"consolidationPolicy":"WhenEmptyOrUnderutilized"}}'`,
      `kubectl patch consolidationpolicy web --type json -p '[{"op":"add","path":"/spec/windows/1/consolidationPolicy","value":"WhenEmptyOrUnderutilized"}]'`,
    ],
  );
});
