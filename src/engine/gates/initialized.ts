import { type NodeGate, PASS } from './node-in-question.ts';

export const initialized: NodeGate = ({ cluster, row }) =>
  cluster.rows[row].initialized ? PASS : [{ code: 'not-initialized' }];
