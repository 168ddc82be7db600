import type { NodeClassObject } from '../catalog/cluster-location.ts';
import { decodeNodeClass, NODE_CLASS } from '../kube/decode/node-class.ts';
import { parsedRow } from '../kube/read/parsed-row.ts';
import { type ApiClient, absentOn, UNREADABLE } from './api-client.ts';

/** Kinds with the zones in which nodes can be launched. Classes of other clouds name none: their subnets span a region. */
const NODE_CLASSES = [
  { kind: 'EC2NodeClass', apiVersion: 'karpenter.k8s.aws/v1', plural: 'ec2nodeclasses' },
  { kind: 'NodeClass', apiVersion: 'eks.amazonaws.com/v1', plural: 'nodeclasses' },
];

/** Empty if the kind does not exist or may not be read: nodes have zones too. */
export async function listNodeClasses(client: ApiClient): Promise<readonly NodeClassObject[]> {
  const lists = await Promise.all(
    NODE_CLASSES.map(async ({ kind, apiVersion, plural }) => {
      const path = `/apis/${apiVersion}/${plural}`;
      const asked = client.request<{ readonly items?: readonly object[] }>({ method: 'GET', path });
      const { items = [] } = (await absentOn(UNREADABLE, asked)) ?? {};
      return items.map((item) => decodeNodeClass(parsedRow({ ...item, kind, apiVersion }, NODE_CLASS)));
    }),
  );
  return lists.flat();
}
