import type { WorkloadObject } from '../engine/cluster/objects.ts';
import { shapeOfKind } from '../kube/decode/kind-table.ts';
import { WorkloadDecoder } from '../kube/decode/workload.ts';
import { FieldProblem } from '../kube/field-problem.ts';
import { parsedRow } from '../kube/read/parsed-row.ts';
import { type ApiClient, absentOn, UNREADABLE } from './api-client.ts';

const PATH = '/apis/apps/v1/deployments';
/** By the label of Karpenter's chart; if nothing has it, all Deployments are searched. */
const QUERIES = [{ labelSelector: 'app.kubernetes.io/name=karpenter' }, undefined];

/** Karpenter's Deployments; none if it runs elsewhere, or without permission. */
export async function karpenterDeployments(client: ApiClient): Promise<readonly WorkloadObject[]> {
  const decoder = new WorkloadDecoder();
  const shape = shapeOfKind('Deployment');
  for (const query of QUERIES) {
    const { items = [] } =
      (await absentOn(UNREADABLE, client.request<DeploymentList>({ method: 'GET', path: PATH, query }))) ?? {};
    const found = items.flatMap((item) => {
      const workload = decoded(() => decoder.decode(parsedRow({ ...item, kind: 'Deployment' }, shape)));
      return workload?.karpenter === undefined ? [] : [workload];
    });
    if (found.length > 0) return found;
  }
  return [];
}

interface DeploymentList {
  readonly items?: readonly object[];
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
