import type { NodeClaimObject } from './objects.ts';

/** The claim as if it were being deleted. The same object each time, so that compiled results are found again. */
export function asTerminating(claim: NodeClaimObject): NodeClaimObject {
  if (claim.terminating) return claim;
  let known = marked.get(claim);
  if (known === undefined) {
    known = { ...claim, terminating: true };
    marked.set(claim, known);
  }
  return known;
}

const marked = new WeakMap<NodeClaimObject, NodeClaimObject>();
