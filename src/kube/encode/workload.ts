import type { KarpenterProcess } from '../../engine/cluster/karpenter-options.ts';
import type {
  LabelSelector,
  Labels,
  NamespaceObject,
  ServiceObject,
  WorkloadObject,
} from '../../engine/cluster/objects.ts';
import type { AutoscalerObject, DeploymentRollout } from '../../engine/cluster/scaling-objects.ts';
import { EXTRA_REPLICA, MOVE, RESTARTED_BY } from '../../engine/cluster/well-known.ts';
import { nothingLeft, type Written, writeObject } from './metadata.ts';
import { writeTemplate } from './pod-template.ts';
import { timeText } from './time-text.ts';

const API_VERSIONS: Readonly<Record<string, string>> = {
  ReplicationController: 'v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
};

export function writeWorkload(workload: WorkloadObject): Written {
  const { kind, namespace, name, uid, owners, replicas, readyReplicas, ...more } = workload;
  const { template, selector, karpenter, job, schedule, rollout, ...rest } = more;
  nothingLeft(rest);
  const annotations = rolloutAnnotations(rollout);
  const written = {
    replicas,
    readyReplicas,
    template: template && writeTemplate(template, { [RESTARTED_BY]: rollout?.restartedBy }),
    job,
    schedule,
    rollout,
  };
  const labels = kind === 'ReplicationController' ? selector?.matchLabels : selector;
  const members =
    kind === 'Job'
      ? jobOf(written)
      : kind === 'CronJob'
        ? cronJobOf(written)
        : scalableOf({ ...written, selector: labels });
  return writeObject(
    API_VERSIONS[kind] ?? 'apps/v1',
    kind,
    {
      namespace,
      name,
      uid,
      labels: { ...karpenterLabels(karpenter), ...managerLabels(rollout, owners) },
      annotations,
      owners,
    },
    members,
  );
}

/** As Karpenter's chart sets them. Its settings are among the options of the snapshot. */
function karpenterLabels(karpenter: KarpenterProcess | undefined): Labels {
  if (karpenter === undefined) return {};
  const { version } = karpenter;
  return {
    'app.kubernetes.io/name': 'karpenter',
    ...(version === undefined ? {} : { 'app.kubernetes.io/version': version }),
  };
}

function rolloutAnnotations(rollout: DeploymentRollout | undefined): Readonly<Record<string, string | undefined>> {
  return { [MOVE]: rollout?.move, [EXTRA_REPLICA]: rollout?.extraReplica };
}

/** Tools are known by many labels and annotations; the general one tells the same. */
function managerLabels(rollout: DeploymentRollout | undefined, owners: WorkloadObject['owners']): Labels {
  const { managedBy } = rollout ?? {};
  return managedBy === undefined || owners.some((o) => o.controller)
    ? {}
    : { 'app.kubernetes.io/managed-by': managedBy };
}

type Members = Pick<WorkloadObject, 'replicas' | 'readyReplicas' | 'job' | 'schedule' | 'rollout'> & {
  readonly template?: Written;
  readonly selector?: LabelSelector | Labels;
};

function scalableOf({ replicas, readyReplicas, template, selector, rollout }: Members): Written {
  if (rollout === undefined) return { spec: { replicas, selector, template }, status: { readyReplicas } };
  const { rolling, paused, isSettled, move: _, managedBy: __, restartedBy: ___, extraReplica: ____, ...rest } = rollout;
  nothingLeft(rest);
  const strategy = rolling === undefined ? { type: 'Recreate' } : { type: 'RollingUpdate', rollingUpdate: rolling };
  const [total, settled] = isSettled ? [replicas, replicas] : [replicas + 1, undefined];
  return {
    spec: { replicas, selector, strategy, paused: paused || undefined, template },
    status: { readyReplicas, replicas: total, updatedReplicas: settled, availableReplicas: settled },
  };
}

/** Only the duration is known, so the start is 1970. */
function jobOf({ replicas, readyReplicas, job }: Members): Written {
  const { completions, succeeded, runMs, ...rest } = job ?? { succeeded: 0 };
  nothingLeft(rest);
  const times = runMs === undefined ? {} : { startTime: timeText(0), completionTime: timeText(runMs) };
  return {
    spec: { parallelism: replicas, completions },
    status: { ready: readyReplicas, succeeded: succeeded === 0 ? undefined : succeeded, ...times },
  };
}

function cronJobOf({ replicas, template, schedule }: Members): Written {
  const { cron, timeZone, suspended, completions, ...rest } = schedule ?? { cron: '', suspended: true };
  nothingLeft(rest);
  const spec = { parallelism: replicas, completions, template };
  return { spec: { schedule: cron, timeZone, suspend: suspended, jobTemplate: { spec } } };
}

export function writeAutoscaler(autoscaler: AutoscalerObject): Written {
  const { namespace, name, targetKind, targetName, minReplicas, maxReplicas, ...rest } = autoscaler;
  nothingLeft(rest);
  const spec = { scaleTargetRef: { kind: targetKind, name: targetName }, minReplicas, maxReplicas };
  return writeObject('autoscaling/v2', 'HorizontalPodAutoscaler', { namespace, name }, { spec });
}

export function writeNamespace({ name, labels, ...rest }: NamespaceObject): Written {
  nothingLeft(rest);
  return writeObject('v1', 'Namespace', { name, labels });
}

export function writeService({ namespace, name, selector, ...rest }: ServiceObject): Written {
  nothingLeft(rest);
  return writeObject('v1', 'Service', { namespace, name }, { spec: { selector } });
}
