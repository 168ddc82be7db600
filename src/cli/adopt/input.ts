import { BEFORE_ANNOTATION } from '../../adoption/adopt-pool.ts';
import type { AdoptionObject } from '../../adoption/adoption.ts';
import { disruptionBlock } from '../../config/disruption-block.ts';
import { API_VERSIONS, type PolicyKind } from '../../config/policy-object.ts';
import { isAbsent, type JsonObject } from '../../kube/decode/field-value.ts';
import { readRawObjects } from '../../kube/read/raw-objects.ts';
import { connect } from '../../live/api-client.ts';
import { type ConnectionOptions, refuseCluster } from '../flags/connection.ts';
import { UsageError } from '../flags/usage-error.ts';
import { liveObjects } from '../input/live-objects.ts';

/** NodePools and ConsolidationPolicies, from files or, without any, from a cluster. */
export async function readAdoptionObjects(
  files: readonly string[],
  options: ConnectionOptions,
): Promise<readonly AdoptionObject[]> {
  if (files.length === 0) return liveAdoptionObjects(options);
  refuseCluster(options);
  const found = await readRawObjects(files, API_VERSIONS);
  return found.map(({ kind, apiVersion, name, spec, metadata }) => ({
    kind,
    apiVersion,
    name,
    spec,
    ...partOf(metadata),
  }));
}

async function liveAdoptionObjects(options: ConnectionOptions): Promise<readonly AdoptionObject[]> {
  const client = await connect(options);
  const pools = await liveObjects(client, `/apis/${API_VERSIONS.NodePool}/nodepools`);
  if (pools === undefined)
    throw new UsageError('the cluster has no NodePools of karpenter.sh/v1: is Karpenter installed?');
  const policies = await liveObjects(client, `/apis/${API_VERSIONS.ConsolidationPolicy}/consolidationpolicies`);
  return [
    ...pools.map((pool) => live('NodePool', pool)),
    ...(policies ?? []).map((p) => live('ConsolidationPolicy', p)),
  ];
}

function live(kind: PolicyKind, { metadata, spec }: JsonObject): AdoptionObject {
  const { name } = metadata as { readonly name: string };
  return { kind, apiVersion: API_VERSIONS[kind], name, spec, ...partOf(metadata as JsonObject) };
}

type Part = Pick<AdoptionObject, 'labels' | 'terminating' | 'consolidateAfterBefore'>;

function partOf({ labels, annotations, deletionTimestamp }: JsonObject): Part {
  const before = disruptionBlock.shape.consolidateAfter.safeParse(texts(annotations)[BEFORE_ANNOTATION]).data;
  return {
    labels: texts(labels),
    terminating: !isAbsent(deletionTimestamp),
    ...(before === undefined ? {} : { consolidateAfterBefore: before }),
  };
}

function texts(value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, string>>) : {};
}
