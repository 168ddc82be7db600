import { objectName, type UndecodableObject } from '../cluster/undecodable.ts';
import type { NodeRefusal } from '../refusal.ts';
import type { NodeGate } from './node-in-question.ts';

/** An object that cannot be decoded may forbid anything: the node stays. */
export const decodable: NodeGate = ({ cluster, row }) => {
  const { rows, movableOfRow, pods } = cluster;
  const storage = movableOfRow[row].flatMap((pod) => cluster.undecodableStorageOf(pods[pod]) ?? []);
  return [...new Set([...rows[row].undecodable, ...storage])].map(refusal);
};

function refusal(object: UndecodableObject): NodeRefusal {
  return { code: 'undecodable-object', object: objectName(object), problem: object.problem };
}
