import type { LabelSelector, WorkloadObject } from '../../engine/cluster/objects.ts';
import type { CronJobSchedule, JobProgress } from '../../engine/cluster/scaling-objects.ts';
import { fields, type Row, shared } from '../read/json-shape.ts';
import { boolean, integer, isAbsent, labels, optionalText, requiredText, text } from './field-value.ts';
import { karpenterProcess } from './karpenter-process.ts';
import { decodeOwners, nameOf, namespaceOf, objectShape, uidOf } from './metadata.ts';
import { PodTemplateDecoder, processTemplate, TEMPLATE } from './pod-template.ts';
import { decodeRollout, ROLLOUT } from './rollout.ts';
import { decodeLabelSelector } from './selector.ts';
import { timestamp } from './timestamp.ts';

const STATUS = fields({ readyReplicas: shared('ready') });

/** ReplicaSets and StatefulSets: a CapacityBuffer may reserve capacity for more of their pods. */
export const SCALABLE = objectShape({
  top: { spec: fields({ replicas: shared(), selector: shared(), template: TEMPLATE }), status: STATUS },
});

/** The same of Deployments, how they roll out, and which program they run: one of them may be Karpenter. */
export const DEPLOYMENT = objectShape({
  annotations: ROLLOUT.annotations,
  metadata: ROLLOUT.metadata,
  top: {
    spec: fields({
      replicas: shared(),
      selector: shared(),
      template: processTemplate(ROLLOUT.template),
      ...ROLLOUT.spec,
    }),
    status: fields({ readyReplicas: shared('ready'), ...ROLLOUT.status }),
  },
});

export const WORKLOAD = objectShape({
  top: { spec: fields({ replicas: shared(), selector: shared() }), status: STATUS },
});

/** A Job's parallelism is its number of replicas. */
export const JOB = objectShape({
  top: {
    spec: fields({ parallelism: shared('replicas'), completions: shared() }),
    status: fields({
      ready: shared(),
      succeeded: shared(),
      startTime: shared(),
      completionTime: shared(),
    }),
  },
});

export const CRON_JOB = objectShape({
  top: {
    spec: fields({
      schedule: shared(),
      timeZone: shared(),
      suspend: shared(),
      jobTemplate: fields({
        spec: fields({ parallelism: shared('replicas'), completions: shared(), template: TEMPLATE }),
      }),
    }),
  },
});

const SCALABLE_KINDS = ['Deployment', 'ReplicaSet', 'StatefulSet'];

export class WorkloadDecoder {
  private readonly templates = new PodTemplateDecoder('spec.template', false);
  private readonly jobTemplates = new PodTemplateDecoder('spec.jobTemplate.spec.template', true);

  decode(row: Row): WorkloadObject {
    const kind = text(row.kind, 'kind');
    const selector = selectorOf(kind, row.selector);
    const karpenter = kind === 'Deployment' ? karpenterProcess(row) : undefined;
    const replicas = integer(row.replicas, 'spec.replicas') ?? 1;
    return {
      kind,
      namespace: namespaceOf(row),
      name: nameOf(row),
      uid: uidOf(row),
      owners: decodeOwners(row.ownerReferences, 'metadata.ownerReferences'),
      replicas,
      readyReplicas: integer(row.ready, 'status.readyReplicas') ?? 0,
      ...(selector === undefined ? {} : { selector }),
      ...(kind === 'Deployment' ? { rollout: decodeRollout(row, replicas) } : {}),
      ...(karpenter === undefined ? {} : { karpenter }),
      ...(SCALABLE_KINDS.includes(kind) ? { template: this.templates.template(row) } : {}),
      ...(kind === 'CronJob' ? { template: this.jobTemplates.template(row), schedule: scheduleOf(row) } : {}),
      ...(kind === 'Job' ? progressOf(row) : {}),
    };
  }
}

function progressOf(row: Row): { readonly job?: JobProgress } {
  const completions = integer(row.completions, 'spec.completions');
  const succeeded = integer(row.succeeded, 'status.succeeded') ?? 0;
  const startedMs = timestamp(row.startTime, 'status.startTime');
  const completedMs = timestamp(row.completionTime, 'status.completionTime');
  const runMs = startedMs === undefined || completedMs === undefined ? undefined : completedMs - startedMs;
  if (completions === undefined && succeeded === 0 && runMs === undefined) return {};
  return {
    job: {
      ...(completions === undefined ? {} : { completions }),
      succeeded,
      ...(runMs === undefined ? {} : { runMs }),
    },
  };
}

function scheduleOf(row: Row): CronJobSchedule {
  const timeZone = optionalText(row.timeZone, 'spec.timeZone');
  const completions = integer(row.completions, 'spec.jobTemplate.spec.completions');
  return {
    cron: requiredText(row.schedule, 'spec.schedule'),
    ...(timeZone === undefined ? {} : { timeZone }),
    suspended: boolean(row.suspend, 'spec.suspend'),
    ...(completions === undefined ? {} : { completions }),
  };
}

/** A ReplicationController's selector is a plain map of labels; a Job's is generated and is not used. */
function selectorOf(kind: string, raw: unknown): LabelSelector | undefined {
  if (isAbsent(raw) || kind === 'Job' || kind === 'CronJob') return undefined;
  if (kind === 'ReplicationController') return { matchLabels: labels(raw, 'spec.selector') };
  return decodeLabelSelector(raw, 'spec.selector');
}
