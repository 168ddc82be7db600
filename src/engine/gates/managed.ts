import { type NodeGate, PASS } from './node-in-question.ts';

/** Only nodes that Karpenter made and that have come up can be taken away by it. */
export const managed: NodeGate = ({ cluster, row }) => {
  const { claim, node } = cluster.rows[row];
  if (claim === undefined) return [{ code: 'not-managed' }];
  return node === undefined ? [{ code: 'no-node' }] : PASS;
};
