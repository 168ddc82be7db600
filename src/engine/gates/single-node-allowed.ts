import type { Candidate } from '../disruption/candidates.ts';
import type { NodeRefusal } from '../refusal.ts';
import { PASS } from './node-in-question.ts';

/** Asked of a node that would go by itself: its pool may let nodes go only together with others. */
export function singleNodeAllowed(
  { methods: { single, emptiness }, pool, policy }: Candidate,
  kind: 'delete' | 'replace',
): readonly NodeRefusal[] {
  if (single || (emptiness && kind === 'delete')) return PASS;
  return [{ code: 'single-node-disabled', nodePool: pool.name, policy: policy.policy }];
}
