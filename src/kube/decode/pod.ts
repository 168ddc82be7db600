import type { LocalData } from '../../engine/cluster/local-data.ts';
import type { Labels, Owner, PodObject } from '../../engine/cluster/objects.ts';
import { DELETION_COST, DISRUPTION_COST, MOVE, SAFE_TO_EVICT, STEERED_COST } from '../../engine/cluster/well-known.ts';
import { fields, type Row, rows, shared, time } from '../read/json-shape.ts';
import { conditionChangedMs, conditionReason, conditionRows, conditionStatus } from './condition.ts';
import { integer, isAbsent, labels, object, optionalText, requiredText, text } from './field-value.ts';
import { Interned } from './interned.ts';
import {
  createdMsOf,
  decodeOwners,
  FIRST,
  isTerminating,
  LABELS,
  nameOf,
  namespaceOf,
  OWNERS,
  objectShape,
  uidOf,
} from './metadata.ts';
import { PodConstraintSets } from './pod-constraints.ts';
import { type ContainerStatus, PodRequests, type PodStatus } from './pod-requests.ts';
import {
  NODE_NAME,
  POD_SPEC,
  PRIORITY,
  PRIORITY_CLASS,
  rowsIn,
  VOLUME_CLAIM,
  VOLUME_EMPTY_DIR,
  VOLUME_EPHEMERAL,
  VOLUME_HOST_PATH,
  VOLUME_NAME,
  VOLUMES,
} from './pod-spec.ts';

const DO_NOT_DISRUPT = FIRST;
const DO_NOT_EVICT = FIRST + 1;
const DELETION_COST_VALUE = FIRST + 2;
const PHASE = FIRST + 3;
const STARTED = FIRST + 4;
const CONDITIONS = FIRST + 5;
const NOMINATED = FIRST + 6;
const STATUSES = FIRST + 7;
const INIT_STATUSES = FIRST + 8;
const SAFE_TO_EVICT_VALUE = FIRST + 9;
const DISRUPTION_COST_VALUE = FIRST + 10;
/** The columns up to VOLUMES belong to the spec. */
const STEERED_COST_VALUE = VOLUMES + 1;
const MOVE_VALUE = VOLUMES + 2;

const STATUS_NAME = 0;
const STATUS_RESOURCES = 1;
const STATUS_ALLOCATED = 2;
const CONTAINER_STATUS = fields({
  name: shared(STATUS_NAME),
  resources: shared(STATUS_RESOURCES),
  allocatedResources: shared(STATUS_ALLOCATED),
});

export const POD = objectShape({
  annotations: {
    'karpenter.sh/do-not-disrupt': shared(DO_NOT_DISRUPT),
    'karpenter.sh/do-not-evict': shared(DO_NOT_EVICT),
    [SAFE_TO_EVICT]: shared(SAFE_TO_EVICT_VALUE),
    [DELETION_COST]: shared(DELETION_COST_VALUE),
    [STEERED_COST]: shared(STEERED_COST_VALUE),
    [DISRUPTION_COST]: shared(DISRUPTION_COST_VALUE),
    [MOVE]: shared(MOVE_VALUE),
  },
  top: {
    spec: POD_SPEC,
    status: fields({
      phase: shared(PHASE),
      startTime: time(STARTED),
      conditions: conditionRows(CONDITIONS),
      nominatedNodeName: shared(NOMINATED),
      containerStatuses: rows(STATUSES, CONTAINER_STATUS),
      initContainerStatuses: rows(INIT_STATUSES, CONTAINER_STATUS),
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
      labels: this.labels.of(row[LABELS], 'metadata.labels'),
      doNotDisrupt: optionalText(row[DO_NOT_DISRUPT], 'metadata.annotations[karpenter.sh/do-not-disrupt]'),
      doNotEvict: optionalText(row[DO_NOT_EVICT], 'metadata.annotations[karpenter.sh/do-not-evict]'),
      safeToEvict: optionalText(row[SAFE_TO_EVICT_VALUE], `metadata.annotations[${SAFE_TO_EVICT}]`),
      move: optionalText(row[MOVE_VALUE], `metadata.annotations[${MOVE}]`),
      ...deletionCostOf(row),
      disruptionCost: optionalText(row[DISRUPTION_COST_VALUE], `metadata.annotations[${DISRUPTION_COST}]`),
      owners: this.owners.of(row[OWNERS], 'metadata.ownerReferences'),
      nodeName: text(row[NODE_NAME], 'spec.nodeName'),
      nominatedNodeName: text(row[NOMINATED], 'status.nominatedNodeName'),
      phase: text(row[PHASE], 'status.phase'),
      startedMs: row[STARTED] as number | undefined,
      unschedulable: conditionReason(row[CONDITIONS], 'PodScheduled') === 'Unschedulable',
      ready: conditionStatus(row[CONDITIONS], 'Ready'),
      readyChangedMs: conditionChangedMs(row[CONDITIONS], 'Ready'),
      priority: integer(row[PRIORITY], 'spec.priority'),
      requests: this.requests.of(row, statusOf(row)),
      constraints: this.constraints.of(row),
      volumeClaims: volumeClaims(row, name),
      localData: this.localData(row),
    };
  }

  /** undefined if no volume keeps data on the node's disk. */
  private localData(row: Row): readonly LocalData[] | undefined {
    let found: LocalData[] | undefined;
    const volumes = rowsIn(row, VOLUMES);
    for (let i = 0; i < volumes.length; i++) {
      const kind = localKind(volumes[i], `spec.volumes[${i}]`);
      if (kind === undefined) continue;
      found ??= [];
      found.push({ kind, name: text(volumes[i][VOLUME_NAME], `spec.volumes[${i}].name`) });
    }
    if (found === undefined) return undefined;
    const key = found.map(({ kind, name }) => `${kind} ${name}`).join();
    const known = this.localDataSets.get(key);
    if (known === undefined) this.localDataSets.set(key, found);
    return known ?? found;
  }
}

function localKind(volume: Row, path: string): LocalData['kind'] | undefined {
  if (!isAbsent(volume[VOLUME_HOST_PATH])) return 'hostPath';
  const emptyDir = object(volume[VOLUME_EMPTY_DIR], `${path}.emptyDir`);
  return emptyDir === undefined || emptyDir.medium === 'Memory' ? undefined : 'emptyDir';
}

/** The class that defines the pod's priority, if the pod has no value. */
export function priorityClassOf(row: Row): string {
  return isAbsent(row[PRIORITY]) ? text(row[PRIORITY_CLASS], 'spec.priorityClassName') : '';
}

function statusOf(row: Row): PodStatus {
  const statuses = collectStatuses(row, INIT_STATUSES, collectStatuses(row, STATUSES, undefined));
  if (statuses === undefined) return PLAIN;
  return { statuses, resizeInfeasible: conditionReason(row[CONDITIONS], 'PodResizePending') === 'Infeasible' };
}

function collectStatuses(row: Row, column: number, found: Map<string, ContainerStatus> | undefined) {
  let statuses = found;
  const reported = rowsIn(row, column);
  for (let i = 0; i < reported.length; i++) {
    const status = reported[i];
    if (isAbsent(status[STATUS_RESOURCES])) continue;
    statuses ??= new Map();
    const name = text(status[STATUS_NAME], 'status.containerStatuses.name');
    statuses.set(name, { resources: status[STATUS_RESOURCES], allocated: status[STATUS_ALLOCATED] });
  }
  return statuses;
}

function volumeClaims(row: Row, podName: string): readonly string[] {
  const volumes = rowsIn(row, VOLUMES);
  let claims: string[] | undefined;
  for (let i = 0; i < volumes.length; i++) {
    const volume = volumes[i];
    const path = `spec.volumes[${i}]`;
    let claim: string | undefined;
    if (!isAbsent(volume[VOLUME_CLAIM]))
      claim = requiredText(volume[VOLUME_CLAIM], `${path}.persistentVolumeClaim.claimName`);
    else if (object(volume[VOLUME_EPHEMERAL], `${path}.ephemeral`) !== undefined) {
      claim = `${podName}-${requiredText(volume[VOLUME_NAME], `${path}.name`)}`;
    }
    if (claim === undefined) continue;
    claims ??= [];
    claims.push(claim);
  }
  return claims ?? NO_CLAIMS;
}

/** A deletion cost written by steering is not a disruption cost; one that a user changed since is. */
function deletionCostOf(row: Row): Pick<PodObject, 'deletionCost' | 'steeredCost'> {
  const cost = optionalText(row[DELETION_COST_VALUE], `metadata.annotations[${DELETION_COST}]`);
  const steered = optionalText(row[STEERED_COST_VALUE], `metadata.annotations[${STEERED_COST}]`);
  const isOurs = steered !== undefined && steered === cost && Number.isInteger(Number(steered));
  return isOurs ? { steeredCost: Number(steered) } : { deletionCost: cost };
}
