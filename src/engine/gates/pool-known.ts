import { NODE_POOL } from '../cluster/well-known.ts';
import { type NodeGate, PASS } from './node-in-question.ts';

/** A pool without instance types counts as missing. */
export const poolKnown: NodeGate = ({ cluster, row, pool }) => {
  const name = cluster.rows[row].labels[NODE_POOL];
  if (name === undefined) return [{ code: 'no-node-pool-label' }];
  return pool === undefined || cluster.types.count === 0 ? [{ code: 'unknown-node-pool', nodePool: name }] : PASS;
};
