import type { WorkloadObject } from '../engine/cluster/objects.ts';
import { shapeOfKind } from '../kube/decode/kind-table.ts';
import { WorkloadDecoder } from '../kube/decode/workload.ts';
import { FieldProblem } from '../kube/field-problem.ts';
import type { Row } from '../kube/read/json-shape.ts';
import { type ApiClient, absentOn, UNREADABLE } from './api-client.ts';
import { KARPENTER_QUERIES } from './karpenter-queries.ts';
import { listPages } from './list-pages.ts';
import { ObjectReader } from './object-reader.ts';
import { RESOURCES } from './resource.ts';

/** Karpenter's Deployments; none if it runs elsewhere, or without permission. If none has the chart's label, all are searched. */
export async function karpenterDeployments(client: ApiClient): Promise<readonly WorkloadObject[]> {
  const decoder = new WorkloadDecoder();
  for (const query of [...KARPENTER_QUERIES, {}]) {
    const found: WorkloadObject[] = [];
    const take = (row: Row) => {
      const workload = decoded(() => decoder.decode(row));
      if (workload?.karpenter !== undefined) found.push(workload);
    };
    const listing = { resource: RESOURCES.Deployment, shape: shapeOfKind('Deployment'), query };
    await absentOn(UNREADABLE, listPages(client, new ObjectReader(), listing, { take, setAside() {} }));
    if (found.length > 0) return found;
  }
  return [];
}

/** An unrelated Deployment that cannot be decoded is ignored. */
function decoded(decode: () => WorkloadObject): WorkloadObject | undefined {
  try {
    return decode();
  } catch (problem) {
    if (problem instanceof FieldProblem) return undefined;
    throw problem;
  }
}
