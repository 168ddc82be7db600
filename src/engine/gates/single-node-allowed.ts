import type { Candidate } from '../disruption/candidates.ts';
import type { NodeRefusal } from '../refusal.ts';
import { PASS } from './node-in-question.ts';

/** For a node removed by itself: its pool may allow multi-node moves only. */
export function singleNodeAllowed(
  { methods: { single, emptiness }, pool, policy }: Candidate,
  kind: 'delete' | 'replace',
): readonly NodeRefusal[] {
  if (single || (emptiness && kind === 'delete')) return PASS;
  return [{ code: 'single-node-disabled', nodePool: pool.name, policy: policy.policy }];
}
