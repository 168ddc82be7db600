import type { LocalData } from '../../engine/cluster/local-data.ts';
import type { Labels, Owner, PodObject } from '../../engine/cluster/objects.ts';
import { DELETION_COST, DISRUPTION_COST, MOVE, SAFE_TO_EVICT, STEERED_COST } from '../../engine/cluster/well-known.ts';
import { fields, type Row, rows, shared, time } from '../read/json-shape.ts';
import { CONDITIONS, conditionChangedMs, conditionReason, conditionStatus } from './condition.ts';
import { integer, isAbsent, labels, object, optionalText, requiredText, text } from './field-value.ts';
import { Interned } from './interned.ts';
import { createdMsOf, decodeOwners, isTerminating, nameOf, namespaceOf, objectShape, uidOf } from './metadata.ts';
import { PodConstraintSets } from './pod-constraints.ts';
import { type ContainerStatus, PodRequests, type PodStatus } from './pod-requests.ts';
import { POD_SPEC, rowsIn } from './pod-spec.ts';

const CONTAINER_STATUS = fields({
  name: shared(),
  resources: shared(),
  allocatedResources: shared(),
});

export const POD = objectShape({
  annotations: {
    'karpenter.sh/do-not-disrupt': shared('doNotDisrupt'),
    'karpenter.sh/do-not-evict': shared('doNotEvict'),
    [SAFE_TO_EVICT]: shared('safeToEvict'),
    [DELETION_COST]: shared('deletionCost'),
    [STEERED_COST]: shared('steeredCost'),
    [DISRUPTION_COST]: shared('disruptionCost'),
    [MOVE]: shared('move'),
  },
  top: {
    spec: POD_SPEC,
    status: fields({
      phase: shared(),
      startTime: time(),
      conditions: CONDITIONS,
      nominatedNodeName: shared(),
      containerStatuses: rows(CONTAINER_STATUS),
      initContainerStatuses: rows(CONTAINER_STATUS),
    }),
  },
});

const NO_CLAIMS: readonly string[] = Object.freeze([]);
const NO_STATUSES: ReadonlyMap<string, ContainerStatus> = new Map();
const PLAIN: PodStatus = { statuses: NO_STATUSES, resizeInfeasible: false };

/** Decodes pods. One instance per input: equal parts of pods become the same object. */
export class PodDecoder {
  private readonly labels = new Interned<Labels>(labels);
  private readonly owners = new Interned<readonly Owner[]>(decodeOwners);
  private readonly requests = new PodRequests('spec', false);
  private readonly constraints = new PodConstraintSets('spec');
  private readonly localDataSets = new Map<string, readonly LocalData[]>();

  decode(row: Row): PodObject {
    const name = nameOf(row);
    return {
      namespace: namespaceOf(row),
      name,
      uid: uidOf(row),
      createdMs: createdMsOf(row),
      terminating: isTerminating(row),
      labels: this.labels.of(row.labels, 'metadata.labels'),
      doNotDisrupt: optionalText(row.doNotDisrupt, 'metadata.annotations[karpenter.sh/do-not-disrupt]'),
      doNotEvict: optionalText(row.doNotEvict, 'metadata.annotations[karpenter.sh/do-not-evict]'),
      safeToEvict: optionalText(row.safeToEvict, `metadata.annotations[${SAFE_TO_EVICT}]`),
      move: optionalText(row.move, `metadata.annotations[${MOVE}]`),
      ...deletionCostOf(row),
      disruptionCost: optionalText(row.disruptionCost, `metadata.annotations[${DISRUPTION_COST}]`),
      owners: this.owners.of(row.ownerReferences, 'metadata.ownerReferences'),
      nodeName: text(row.nodeName, 'spec.nodeName'),
      nominatedNodeName: text(row.nominatedNodeName, 'status.nominatedNodeName'),
      phase: text(row.phase, 'status.phase'),
      startedMs: row.startTime as number | undefined,
      unschedulable: conditionReason(row.conditions, 'PodScheduled') === 'Unschedulable',
      ready: conditionStatus(row.conditions, 'Ready'),
      readyChangedMs: conditionChangedMs(row.conditions, 'Ready'),
      priority: integer(row.priority, 'spec.priority'),
      requests: this.requests.of(row, statusOf(row)),
      constraints: this.constraints.of(row),
      volumeClaims: volumeClaims(row, name),
      localData: this.localData(row),
    };
  }

  /** undefined if no volume keeps data on the node's disk. */
  private localData(row: Row): readonly LocalData[] | undefined {
    let found: LocalData[] | undefined;
    const volumes = rowsIn(row.volumes);
    for (let i = 0; i < volumes.length; i++) {
      const kind = localKind(volumes[i], `spec.volumes[${i}]`);
      if (kind === undefined) continue;
      found ??= [];
      found.push({ kind, name: text(volumes[i].name, `spec.volumes[${i}].name`) });
    }
    if (found === undefined) return undefined;
    const key = found.map(({ kind, name }) => `${kind} ${name}`).join();
    const known = this.localDataSets.get(key);
    if (known === undefined) this.localDataSets.set(key, found);
    return known ?? found;
  }
}

function localKind(volume: Row, path: string): LocalData['kind'] | undefined {
  if (!isAbsent(volume.hostPath)) return 'hostPath';
  const emptyDir = object(volume.emptyDir, `${path}.emptyDir`);
  return emptyDir === undefined || emptyDir.medium === 'Memory' ? undefined : 'emptyDir';
}

/** The class that defines the pod's priority, if the pod has no value. */
export function priorityClassOf(row: Row): string {
  return isAbsent(row.priority) ? text(row.priorityClassName, 'spec.priorityClassName') : '';
}

function statusOf(row: Row): PodStatus {
  const statuses = collectStatuses(row.initContainerStatuses, collectStatuses(row.containerStatuses, undefined));
  if (statuses === undefined) return PLAIN;
  return { statuses, resizeInfeasible: conditionReason(row.conditions, 'PodResizePending') === 'Infeasible' };
}

function collectStatuses(raw: unknown, found: Map<string, ContainerStatus> | undefined) {
  let statuses = found;
  const reported = rowsIn(raw);
  for (let i = 0; i < reported.length; i++) {
    const status = reported[i];
    if (isAbsent(status.resources)) continue;
    statuses ??= new Map();
    const name = text(status.name, 'status.containerStatuses.name');
    statuses.set(name, { resources: status.resources, allocated: status.allocatedResources });
  }
  return statuses;
}

function volumeClaims(row: Row, podName: string): readonly string[] {
  const volumes = rowsIn(row.volumes);
  let claims: string[] | undefined;
  for (let i = 0; i < volumes.length; i++) {
    const volume = volumes[i];
    const path = `spec.volumes[${i}]`;
    let claim: string | undefined;
    if (!isAbsent(volume.claimName)) claim = requiredText(volume.claimName, `${path}.persistentVolumeClaim.claimName`);
    else if (object(volume.ephemeral, `${path}.ephemeral`) !== undefined) {
      claim = `${podName}-${requiredText(volume.name, `${path}.name`)}`;
    }
    if (claim === undefined) continue;
    claims ??= [];
    claims.push(claim);
  }
  return claims ?? NO_CLAIMS;
}

/** A deletion cost written by steering is not a disruption cost; one that a user changed since is. */
function deletionCostOf(row: Row): Pick<PodObject, 'deletionCost' | 'steeredCost'> {
  const cost = optionalText(row.deletionCost, `metadata.annotations[${DELETION_COST}]`);
  const steered = optionalText(row.steeredCost, `metadata.annotations[${STEERED_COST}]`);
  const isOurs = steered !== undefined && steered === cost && Number.isInteger(Number(steered));
  return isOurs ? { steeredCost: Number(steered) } : { deletionCost: cost };
}
