import type { ClusterObjects, NodeClaimObject, NodeObject } from '../../engine/cluster/objects.ts';
import { DISRUPTED_TAINT } from '../../engine/cluster/well-known.ts';

/** States of nodes that a reader wants to see beside the decision, by node; nodes without any are absent. */
export function nodeMarks({ nodes, nodeClaims }: ClusterObjects): ReadonlyMap<string, string> {
  const claims = new Map(nodeClaims.map((claim) => [claim.nodeName, claim]));
  return new Map(
    nodes.flatMap((node) => {
      const marks = marksOf(node, claims.get(node.name));
      return marks.length === 0 ? [] : [[node.name, marks.join(', ')] as const];
    }),
  );
}

function marksOf(node: NodeObject, claim: NodeClaimObject | undefined): readonly string[] {
  const isLeaving =
    node.terminating || claim?.terminating || node.taints.some(({ key }) => key === DISRUPTED_TAINT.key);
  const isDrifted = claim?.conditions.some(({ type, status }) => type === 'Drifted' && status === 'True');
  const isKept = (node.doNotDisrupt ?? claim?.doNotDisrupt) === 'true';
  return [
    ...(isLeaving ? ['leaving'] : node.steered ? ['emptying'] : []),
    ...(node.ready === 'True' ? [] : ['not ready']),
    ...(isDrifted ? ['drifted'] : []),
    ...(isKept ? ['do-not-disrupt'] : []),
  ];
}
