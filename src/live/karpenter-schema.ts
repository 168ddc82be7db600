import type { KarpenterSchema } from '../engine/cluster/karpenter-options.ts';
import type { WorkloadObject } from '../engine/cluster/objects.ts';
import { type ApiClient, absentOn, UNREADABLE } from './api-client.ts';

/** The schemas of CRDs as the API server publishes them: every user may read them, the CRDs themselves not. */
const PATH = '/openapi/v3/apis/karpenter.sh/v1';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
}

/** What Karpenter's CRDs tell, where none of these workloads is Karpenter; undefined if they cannot be read. */
export async function schemaBeside(
  client: ApiClient,
  workloads: readonly WorkloadObject[],
): Promise<KarpenterSchema | undefined> {
  if (workloads.some(({ karpenter }) => karpenter !== undefined)) return undefined;
  const asked = client.request<{
    readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
  }>({ method: 'GET', path: PATH });
  const { components } = (await absentOn(UNREADABLE, asked)) ?? {};
  const [, nodePool] = Object.entries(components?.schemas ?? {}).find(([name]) => name.endsWith('.NodePool')) ?? [];
  const disruption = nodePool?.properties?.spec?.properties?.disruption?.properties;
  if (disruption === undefined) return undefined;
  if (disruption.budgets?.items?.properties?.reasons?.items?.enum?.includes('Unhealthy')) return '1.15';
  return disruption.consolidationPolicy?.enum?.includes('Balanced') ? '1.14' : 'older';
}
