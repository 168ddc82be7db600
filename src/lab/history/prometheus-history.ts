import { quoteOf } from '../../engine/cluster/node-price.ts';
import type { InstanceType } from '../../engine/cluster/objects.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, ZONE } from '../../engine/cluster/well-known.ts';
import type { RecordedChange } from './recorded-change.ts';

/** Samples of one series in order: seconds since the epoch, value. */
export interface MetricSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly (readonly [number, number])[];
}

/** What a history is made of: series of kube-state-metrics and of Karpenter. */
export const QUERIES = {
  deployments: 'kube_deployment_spec_replicas',
  statefulSets: 'kube_statefulset_replicas',
  nodes: 'karpenter_nodes_allocatable{resource_type="cpu"}',
  evictions: 'sum({__name__=~"karpenter_(pods|nodes)_eviction_requests_total",code="200"})',
  jobPods:
    'max by (namespace, pod, owner_name) (kube_pod_start_time * on (namespace, pod) group_left (owner_name) kube_pod_owner{owner_kind="Job"})',
  completions: 'max by (namespace, pod) (kube_pod_completion_time)',
  jobOwners: 'max by (namespace, job_name, owner_name) (kube_job_owner{owner_kind="CronJob"})',
  replicaSetOwners: 'max by (namespace, replicaset, owner_name) (kube_replicaset_owner{owner_kind="Deployment"})',
  requests:
    'max by (namespace, owner_kind, owner_name, resource) (sum by (namespace, pod, resource) (kube_pod_container_resource_requests{resource=~"cpu|memory"}) * on (namespace, pod) group_left (owner_kind, owner_name) kube_pod_owner)',
} as const;

export type QueryName = keyof typeof QUERIES;
export type Answers = Readonly<Record<QueryName, readonly MetricSeries[]>>;

export interface PrometheusRange {
  readonly startS: number;
  readonly endS: number;
  readonly stepS: number;
  readonly types: readonly InstanceType[];
}

/** A series that has no sample for this many steps has ended. */
const MISSED_STEPS = 2.5;
/** Karpenter exports nodes; while it restarts, they are still there. */
const RESTART_S = 15 * 60;

interface Draft {
  replicas: Record<string, number>;
  templates: Record<string, Readonly<Record<string, unknown>>>;
  began: [number, string, number][];
  ended: [number, number][];
  up: [string, string, string, string, string, number][];
  down: string[];
  evicted: Record<string, number>;
}

/**
 * The history that the series tell. Prometheus does not know why a pod of a Job ended: all of them count as ended by
 * themselves. Evictions are those that Karpenter asked for, of all workloads together.
 */
export function prometheusChanges(answers: Answers, range: PrometheusRange): readonly RecordedChange[] {
  const { startS, endS } = range;
  const drafts = new Map<number, Draft>();
  const at = (second: number): Draft => {
    const t = Math.max(0, Math.round(second - startS));
    const draft = drafts.get(t) ?? { replicas: {}, templates: {}, began: [], ended: [], up: [], down: [], evicted: {} };
    drafts.set(t, draft);
    return draft;
  };
  at(startS);
  at(endS);
  for (const [kind, label, series] of [
    ['Deployment', 'deployment', answers.deployments],
    ['StatefulSet', 'statefulset', answers.statefulSets],
  ] as const) {
    for (const { labels, samples } of series) {
      const name = `${kind} ${labels.namespace}/${labels[label]}`;
      for (const [second, replicas] of stepsOf(samples, range)) at(second).replicas[name] = replicas;
    }
  }
  addNodes(answers.nodes, range, at);
  for (const { samples } of answers.evictions) {
    for (let i = 1; i < samples.length; i++) {
      const more = Math.round(samples[i][1] - samples[i - 1][1]);
      if (more > 0) at(samples[i][0]).evicted[ALL] = (at(samples[i][0]).evicted[ALL] ?? 0) + more;
    }
  }
  addJobs(answers, range, at);
  return [...drafts]
    .sort(([a], [b]) => a - b)
    .map(([t, draft]) => ({ t, ...Object.fromEntries(Object.entries(draft).filter(([, list]) => sizeOf(list) > 0)) }));
}

const ALL = 'all workloads';

function sizeOf(list: object): number {
  return Object.keys(list).length;
}

/** Where the value changes; 0 from where the series ends. */
function stepsOf(
  samples: MetricSeries['samples'],
  { endS, stepS }: PrometheusRange,
): readonly (readonly [number, number])[] {
  const steps: (readonly [number, number])[] = [];
  let last: number | undefined;
  let value: number | undefined;
  for (const [second, now] of samples) {
    if (last !== undefined && second - last > MISSED_STEPS * stepS) {
      steps.push([last + stepS, 0]);
      value = 0;
    }
    if (now !== value) steps.push([second, now]);
    value = now;
    last = second;
  }
  if (last !== undefined && endS - last > MISSED_STEPS * stepS) steps.push([last + stepS, 0]);
  return steps;
}

function addNodes(series: readonly MetricSeries[], range: PrometheusRange, at: (second: number) => Draft): void {
  const { endS, stepS, types } = range;
  const byName = new Map(types.map((type) => [type.name, type]));
  for (const { labels, samples } of series) {
    const { node_name: name = '', nodepool = '', instance_type: type = '', zone = '', capacity_type = '' } = labels;
    if (nodepool === '' || samples.length === 0) continue;
    const node = { [INSTANCE_TYPE]: type, [ZONE]: zone, [CAPACITY_TYPE]: capacity_type };
    const price = quoteOf(byName.get(type), node)?.price ?? 0;
    at(samples[0][0]).up.push([name, nodepool, type, zone, capacity_type, price]);
    const last = samples[samples.length - 1][0];
    if (endS - last > Math.max(MISSED_STEPS * stepS, RESTART_S)) at(last + stepS).down.push(name);
  }
}

function addJobs(answers: Answers, range: PrometheusRange, at: (second: number) => Draft): void {
  const { startS, endS, stepS } = range;
  const cronJobOf = new Map(
    answers.jobOwners.map(({ labels }) => [`${labels.namespace}/${labels.job_name}`, labels.owner_name]),
  );
  const jobName = (namespace: string, job: string) => {
    const cronJob = cronJobOf.get(`${namespace}/${job}`);
    return cronJob === undefined ? `Job ${namespace}/${job}` : `CronJob ${namespace}/${cronJob}`;
  };
  const completedS = new Map(
    answers.completions.map(({ labels, samples }) => [`${labels.namespace}/${labels.pod}`, samples.at(-1)?.[1]]),
  );
  answers.jobPods.forEach(({ labels, samples }, number) => {
    const [first] = samples;
    if (first === undefined) return;
    const { namespace = '', pod = '', owner_name = '' } = labels;
    const startedS = first[1];
    const last = samples[samples.length - 1][0];
    const endedS = completedS.get(`${namespace}/${pod}`) ?? (endS - last > MISSED_STEPS * stepS ? last : undefined);
    // It had ended before the range began.
    if (endedS !== undefined && endedS <= startS) return;
    at(Math.max(startS, startedS)).began.push([number, jobName(namespace, owner_name), Math.round(startedS - startS)]);
    if (endedS !== undefined)
      at(Math.min(endS, endedS)).ended.push([number, Math.max(0, Math.round(endedS - startedS))]);
  });
  const deploymentOf = new Map(
    answers.replicaSetOwners.map(({ labels }) => [`${labels.namespace}/${labels.replicaset}`, labels.owner_name]),
  );
  const requests = new Map<string, Record<string, string>>();
  for (const { labels, samples } of answers.requests) {
    const { namespace = '', owner_kind: kind = '', owner_name: owner = '', resource = '' } = labels;
    const amount = Math.max(0, ...samples.map(([, value]) => value));
    const deployment = deploymentOf.get(`${namespace}/${owner}`);
    const name =
      kind === 'Job'
        ? jobName(namespace, owner)
        : kind === 'ReplicaSet' && deployment !== undefined
          ? `Deployment ${namespace}/${deployment}`
          : `${kind} ${namespace}/${owner}`;
    const own = requests.get(name) ?? {};
    requests.set(name, own);
    own[resource] = resource === 'cpu' ? `${Math.round(1000 * amount)}m` : String(Math.round(amount));
  }
  const { templates } = at(startS);
  for (const [name, own] of requests) if (!name.startsWith('DaemonSet ')) templates[name] = podTemplate(name, own);
}

/** What is known of a pod is what it requests. */
function podTemplate(name: string, requests: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const namespace = name.slice(name.indexOf(' ') + 1).split('/')[0];
  return {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { namespace, name: 'pod' },
    template: { spec: { containers: [{ name: 'c', resources: { requests } }] } },
  };
}
