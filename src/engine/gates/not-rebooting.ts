import { type NodeGate, PASS } from './node-in-question.ts';

/** Node repair restarts the machine in place: it stays until that has ended. */
export const notRebooting: NodeGate = ({ cluster, row }) =>
  cluster.rows[row].rebooting ? [{ code: 'rebooting' }] : PASS;
