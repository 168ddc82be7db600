import type { KarpenterProcess } from '../../engine/cluster/karpenter-options.ts';
import type {
  LabelSelector,
  Labels,
  NamespaceObject,
  ServiceObject,
  WorkloadObject,
} from '../../engine/cluster/objects.ts';
import type { AutoscalerObject } from '../../engine/cluster/scaling-objects.ts';
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
  const { template, selector, karpenter, job, schedule, ...rest } = more;
  nothingLeft(rest);
  const written = { replicas, readyReplicas, template: template && writeTemplate(template), job, schedule };
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
    { namespace, name, uid, labels: karpenterLabels(karpenter), owners },
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

type Members = Pick<WorkloadObject, 'replicas' | 'readyReplicas' | 'job' | 'schedule'> & {
  readonly template?: Written;
  readonly selector?: LabelSelector | Labels;
};

function scalableOf({ replicas, readyReplicas, template, selector }: Members): Written {
  return { spec: { replicas, selector, template }, status: { readyReplicas } };
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
