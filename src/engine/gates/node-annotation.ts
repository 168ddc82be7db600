import { type NodeGate, PASS } from './node-in-question.ts';

/** On nodes only "true" counts; durations are for pods. */
export const nodeAnnotation: NodeGate = ({ cluster, row }) =>
  cluster.rows[row].doNotDisrupt === 'true' ? [{ code: 'node-annotation' }] : PASS;
