import { type NodeGate, PASS } from './node-in-question.ts';

export const notDeleting: NodeGate = ({ cluster, row }) => (cluster.rows[row].deleting ? [{ code: 'deleting' }] : PASS);
