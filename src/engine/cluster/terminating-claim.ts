import { getOrInsert } from './get-or-insert.ts';
import type { NodeClaimObject } from './objects.ts';

/** The claim as if it were being deleted. The same object each time, so that compiled results are found again. */
export function asTerminating(claim: NodeClaimObject): NodeClaimObject {
  if (claim.terminating) return claim;
  return getOrInsert(marked, claim, () => ({ ...claim, terminating: true }));
}

const marked = new WeakMap<NodeClaimObject, NodeClaimObject>();
