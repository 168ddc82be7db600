import { type NodeGate, PASS } from './node-in-question.ts';

/** Only initialized nodes of Karpenter can be removed. */
export const managed: NodeGate = ({ cluster, row }) => {
  const { claim, node } = cluster.rows[row];
  if (claim === undefined) return [{ code: 'not-managed' }];
  return node === undefined ? [{ code: 'no-node' }] : PASS;
};
