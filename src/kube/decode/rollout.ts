import type { DeploymentRollout } from '../../engine/cluster/scaling-objects.ts';
import { EXTRA_REPLICA, MOVE, RESTARTED_BY } from '../../engine/cluster/well-known.ts';
import { FieldProblem } from '../field-problem.ts';
import { fields, type Leaf, type Row, shared } from '../read/json-shape.ts';
import { boolean, isAbsent, labels, nonNegative, optionalText, text } from './field-value.ts';
import { decodeOwners } from './metadata.ts';

/** Fields of a Deployment about its rollouts, beside those of every workload. */
export const ROLLOUT = {
  annotations: {
    [MOVE]: shared('move'),
    [EXTRA_REPLICA]: shared('extra'),
    'meta.helm.sh/release-name': shared('helm'),
    'argocd.argoproj.io/tracking-id': shared('argo'),
  },
  metadata: { generation: shared() },
  spec: {
    paused: shared(),
    strategy: fields({
      type: shared('strategy'),
      rollingUpdate: fields({ maxSurge: shared(), maxUnavailable: shared() }),
    }),
  },
  status: {
    observedGeneration: shared(),
    replicas: shared('total'),
    updatedReplicas: shared(),
    availableReplicas: shared(),
  },
  template: { [RESTARTED_BY]: shared('restarted') } as Readonly<Record<string, Leaf>>,
};

export function decodeRollout(row: Row, replicas: number): DeploymentRollout {
  const paused = boolean(row.paused, 'spec.paused');
  const move = optionalText(row.move, `metadata.annotations[${MOVE}]`);
  const managedBy = managerOf(row);
  const restartedBy = optionalText(row.restarted, `spec.template.metadata.annotations[${RESTARTED_BY}]`);
  const extraReplica = optionalText(row.extra, `metadata.annotations[${EXTRA_REPLICA}]`);
  return {
    ...(text(row.strategy, 'spec.strategy.type') === 'Recreate' ? {} : { rolling: rollingOf(row, replicas) }),
    paused,
    isSettled: !paused && isSettled(row, replicas),
    ...(move === undefined ? {} : { move }),
    ...(managedBy === undefined ? {} : { managedBy }),
    ...(restartedBy === undefined ? {} : { restartedBy }),
    ...(extraReplica === undefined ? {} : { extraReplica }),
  };
}

function isSettled(row: Row, replicas: number): boolean {
  const generation = nonNegative(row.generation, 'metadata.generation') ?? 0;
  const observed = nonNegative(row.observedGeneration, 'status.observedGeneration') ?? 0;
  const numbers = [row.total, row.updatedReplicas, row.availableReplicas];
  return (
    observed >= generation && numbers.every((number) => (nonNegative(number, 'status.replicas') ?? 0) === replicas)
  );
}

/** As the Deployment controller rounds: surge up, unavailable down, and one unavailable if both are 0. */
function rollingOf(row: Row, replicas: number): { readonly maxSurge: number; readonly maxUnavailable: number } {
  const at = 'spec.strategy.rollingUpdate';
  const maxSurge = Math.ceil(amountOf(row.maxSurge, `${at}.maxSurge`, replicas));
  const maxUnavailable = Math.floor(amountOf(row.maxUnavailable, `${at}.maxUnavailable`, replicas));
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
  const own = labels(row.labels, 'metadata.labels');
  if (!isAbsent(row.argo)) return 'Argo CD';
  for (const [label, manager] of MANAGERS) if (Object.hasOwn(own, label)) return manager;
  if (!isAbsent(row.helm)) return 'Helm';
  if (Object.hasOwn(own, 'app.kubernetes.io/managed-by')) return own['app.kubernetes.io/managed-by'] || 'another tool';
  const owner = decodeOwners(row.ownerReferences, 'metadata.ownerReferences').find((o) => o.controller);
  return owner === undefined ? undefined : `${owner.kind} ${owner.name}`;
}
