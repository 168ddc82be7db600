import type { DeploymentRollout } from '../../engine/cluster/scaling-objects.ts';
import { EXTRA_REPLICA, MOVE, RESTARTED_BY } from '../../engine/cluster/well-known.ts';
import { FieldProblem } from '../field-problem.ts';
import { fields, type Leaf, type Row, shared } from '../read/json-shape.ts';
import { count, flag, isAbsent, labels, optionalText, text } from './field-value.ts';
import { decodeOwners, LABELS, OWNERS } from './metadata.ts';
import { VOLUMES } from './pod-spec.ts';

/** The columns up to VOLUMES belong to the template. */
const STRATEGY = VOLUMES + 1;
const MAX_SURGE = VOLUMES + 2;
const MAX_UNAVAILABLE = VOLUMES + 3;
const PAUSED = VOLUMES + 4;
const GENERATION = VOLUMES + 5;
const OBSERVED = VOLUMES + 6;
const TOTAL = VOLUMES + 7;
const UPDATED = VOLUMES + 8;
const AVAILABLE = VOLUMES + 9;
const MOVE_VALUE = VOLUMES + 10;
const EXTRA_VALUE = VOLUMES + 11;
const HELM_VALUE = VOLUMES + 12;
const ARGO_VALUE = VOLUMES + 13;
const RESTARTED_VALUE = VOLUMES + 14;

/** Fields of a Deployment about its rollouts, beside those of every workload. */
export const ROLLOUT = {
  annotations: {
    [MOVE]: shared(MOVE_VALUE),
    [EXTRA_REPLICA]: shared(EXTRA_VALUE),
    'meta.helm.sh/release-name': shared(HELM_VALUE),
    'argocd.argoproj.io/tracking-id': shared(ARGO_VALUE),
  },
  metadata: { generation: shared(GENERATION) },
  spec: {
    paused: shared(PAUSED),
    strategy: fields({
      type: shared(STRATEGY),
      rollingUpdate: fields({ maxSurge: shared(MAX_SURGE), maxUnavailable: shared(MAX_UNAVAILABLE) }),
    }),
  },
  status: {
    observedGeneration: shared(OBSERVED),
    replicas: shared(TOTAL),
    updatedReplicas: shared(UPDATED),
    availableReplicas: shared(AVAILABLE),
  },
  template: { [RESTARTED_BY]: shared(RESTARTED_VALUE) } as Readonly<Record<string, Leaf>>,
};

export function decodeRollout(row: Row, replicas: number): DeploymentRollout {
  const paused = flag(row[PAUSED], 'spec.paused');
  const move = optionalText(row[MOVE_VALUE], `metadata.annotations[${MOVE}]`);
  const managedBy = managerOf(row);
  const restartedBy = optionalText(row[RESTARTED_VALUE], `spec.template.metadata.annotations[${RESTARTED_BY}]`);
  const extraReplica = optionalText(row[EXTRA_VALUE], `metadata.annotations[${EXTRA_REPLICA}]`);
  return {
    ...(text(row[STRATEGY], 'spec.strategy.type') === 'Recreate' ? {} : { rolling: rollingOf(row, replicas) }),
    paused,
    isSettled: !paused && isSettled(row, replicas),
    ...(move === undefined ? {} : { move }),
    ...(managedBy === undefined ? {} : { managedBy }),
    ...(restartedBy === undefined ? {} : { restartedBy }),
    ...(extraReplica === undefined ? {} : { extraReplica }),
  };
}

function isSettled(row: Row, replicas: number): boolean {
  const generation = count(row[GENERATION], 'metadata.generation') ?? 0;
  const observed = count(row[OBSERVED], 'status.observedGeneration') ?? 0;
  const numbers = [TOTAL, UPDATED, AVAILABLE].map((column) => count(row[column], 'status.replicas') ?? 0);
  return observed >= generation && numbers.every((number) => number === replicas);
}

/** As the Deployment controller rounds: surge up, unavailable down, and one unavailable if both are 0. */
function rollingOf(row: Row, replicas: number): { readonly maxSurge: number; readonly maxUnavailable: number } {
  const at = 'spec.strategy.rollingUpdate';
  const maxSurge = Math.ceil(amountOf(row[MAX_SURGE], `${at}.maxSurge`, replicas));
  const maxUnavailable = Math.floor(amountOf(row[MAX_UNAVAILABLE], `${at}.maxUnavailable`, replicas));
  return { maxSurge, maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable };
}

function amountOf(value: unknown, path: string, replicas: number): number {
  const given = isAbsent(value) ? '25%' : value;
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0) return given;
  const [, percent] = /^([0-9]{1,9})%$/.exec(String(given)) ?? [];
  if (percent === undefined) throw new FieldProblem(path, value, 'a number of pods such as 1, or a percentage');
  return (Number(percent) * replicas) / 100;
}

/** Labels by which tools recognize what they apply. */
const MANAGERS: readonly (readonly [label: string, manager: string])[] = [
  ['argocd.argoproj.io/instance', 'Argo CD'],
  ['kustomize.toolkit.fluxcd.io/name', 'Flux'],
  ['helm.toolkit.fluxcd.io/name', 'Flux'],
];

function managerOf(row: Row): string | undefined {
  const own = labels(row[LABELS], 'metadata.labels');
  if (!isAbsent(row[ARGO_VALUE])) return 'Argo CD';
  for (const [label, manager] of MANAGERS) if (Object.hasOwn(own, label)) return manager;
  if (!isAbsent(row[HELM_VALUE])) return 'Helm';
  if (Object.hasOwn(own, 'app.kubernetes.io/managed-by')) return own['app.kubernetes.io/managed-by'] || 'another tool';
  const owner = decodeOwners(row[OWNERS], 'metadata.ownerReferences').find((o) => o.controller);
  return owner === undefined ? undefined : `${owner.kind} ${owner.name}`;
}
