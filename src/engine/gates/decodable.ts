import { objectName, type UndecodableObject } from '../cluster/undecodable.ts';
import type { NodeRefusal } from '../refusal.ts';
import type { NodeGate } from './node-in-question.ts';

/** An object that cannot be decoded may forbid anything: the node stays. */
export const decodable: NodeGate = ({ cluster, row }) => {
  const { rows, movableOfRow, pods, objects } = cluster;
  if (objects.undecodable.length === 0) return [];
  const ofPods = movableOfRow[row].flatMap((pod) => cluster.undecodableOfPod(pods[pod]) ?? []);
  return [...new Set([...rows[row].undecodable, ...cluster.undecodableEverywhere, ...ofPods])].map(refusal);
};

function refusal(object: UndecodableObject): NodeRefusal {
  return { code: 'undecodable-object', object: objectName(object), problem: object.problem };
}
