import { type NodeGate, PASS } from './node-in-question.ts';

/** Node repair restarts the machine in place: until that has ended, one way or the other, it is left alone. */
export const notRebooting: NodeGate = ({ cluster, row }) =>
  cluster.rows[row].rebooting ? [{ code: 'rebooting' }] : PASS;
