import * as z from 'zod';
import { parseGoDuration } from '../engine/cluster/go-duration.ts';
import { booleanField, choiceField, listOf, objectOf, textField, wholeNumberField } from './leaf-schemas.ts';
import { fieldPath, withoutNulls } from './object-path.ts';
import { check, type SchemaProblem } from './schema-problems.ts';

/** A workload file, checked field by field; its Kubernetes objects are checked by their decoders. */
const DURATION = /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/;
const duration = textField(DURATION, 'a duration such as 90s, 5m or 1h30m');
/** Must be positive, or events would repeat without end. */
const interval = duration.refine((given) => (parseGoDuration(given) ?? 0) >= 1000, 'a duration of at least 1s');
const minutes = duration.refine((given) => (parseGoDuration(given) ?? 0) >= 60_000, 'a duration of at least 1m');
const span = textField(
  /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+(\.\.([0-9]+(\.[0-9]+)?(ms|s|m|h))+)?$/,
  'a duration such as 30s, or two such as 30s..60s',
).refine((given) => {
  const [least, most] = given.split('..').map((part) => parseGoDuration(part) ?? 0);
  return most === undefined || least <= most;
}, 'two durations, the shorter one first');
const RUNS = /^([0-9]+( [0-9]+x([0-9]+(\.\.[0-9]+)?|-))+(\n|$))+$/;
const name = textField(/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/, 'a name of up to 40 small letters, digits and dashes');

function number(least: number, most: number) {
  const allowed = `a number from ${least} to ${most}`;
  return z.number(allowed).min(least, allowed).max(most, allowed);
}

const MOST_REPLICAS = 20_000;
const replicaCount = () => wholeNumberField(0).max(MOST_REPLICAS, `at most ${MOST_REPLICAS}`);
const intOrPercent = z.union(
  [wholeNumberField(0), textField(/^(100|[0-9]{1,2})%$/, 'a percentage')],
  'a whole number or a percentage such as "25%"',
);

const replicas = objectOf({
  base: replicaCount(),
  every: interval.optional(),
  wave: objectOf({
    amplitude: number(0, MOST_REPLICAS),
    peakHour: number(0, 24).optional(),
    weekend: number(0, 10).optional(),
  }).optional(),
  steps: listOf(objectOf({ after: duration, replicas: replicaCount() }), 'steps with after and replicas').optional(),
  repeat: interval.optional(),
  growthPerHour: number(-1000, 1000).optional(),
  noise: number(0, 1000).optional(),
  settle: duration.optional(),
  bursts: objectOf({ perDay: number(0, 1000), size: replicaCount(), length: interval }).optional(),
});

const app = objectOf({
  kind: choiceField(['Deployment', 'StatefulSet', 'Job', 'CronJob', 'DaemonSet']),
  name,
  copies: wholeNumberField(1).max(500, 'at most 500').optional(),
  namespace: name.optional(),
  labels: z.record(z.string(), z.string('a string'), 'labels: strings by strings').optional(),
  requests: z.record(z.string(), z.unknown(), 'amounts by resource').optional(),
  /** Scheduling fields of a pod's spec. */
  spec: z.record(z.string(), z.unknown(), 'fields of a pod spec').optional(),
  priority: z.int('a whole number').optional(),
  deletionCost: z.int('a whole number').optional(),
  doNotDisrupt: textField(/^.+$/, 'a string such as "true" or "30m"').optional(),
  startup: span.optional(),
  shutdown: span.optional(),
  pdb: objectOf({ minAvailable: intOrPercent.optional(), maxUnavailable: intOrPercent.optional() }).optional(),
  replicas: replicas.optional(),
  rollouts: listOf(objectOf({ after: duration, every: minutes.optional() }), 'rollouts with after, every').optional(),
  alignedScaleIn: booleanField.optional(),
  first: duration.optional(),
  every: interval.optional(),
  jitter: duration.optional(),
  pods: wholeNumberField(1).max(5000, 'at most 5000').optional(),
  runTime: span.optional(),
  /** From a trace: a line per start, `seconds pods×runTime …`, such as `300 2x600 1x3900..7200 1x-`; `-` never ends. */
  runs: textField(RUNS, 'lines such as "300 2x600 1x3900..7200 1x-"').optional(),
});

const cluster = objectOf({
  catalog: z.string('a bundled catalog or a file').optional(),
  scheduler: choiceField(['LeastAllocated', 'MostAllocated']).optional(),
  spotToSpot: booleanField.optional(),
  launchDelay: span.optional(),
  initDelay: span.optional(),
  terminationDelay: span.optional(),
  insufficientCapacityRate: number(0, 1).optional(),
  spotInterruptionsPerDay: z
    .union([number(0, 100), z.literal('catalog')], 'a number from 0 to 100, or catalog')
    .optional(),
  drift: listOf(objectOf({ after: duration, nodePool: name }), 'drifts with after, nodePool').optional(),
  priceChanges: listOf(
    objectOf({
      after: duration,
      instanceTypes: z.string('the beginning of names of instance types').optional(),
      capacityType: choiceField(['on-demand', 'spot']).optional(),
      factor: number(0.01, 100),
    }),
    'changes with after, factor',
  ).optional(),
  drains: listOf(objectOf({ after: duration, nodes: wholeNumberField(1) }), 'drains with after, nodes').optional(),
});

export const workloadFile = objectOf({
  apiVersion: z.literal('decant.sh/v1alpha1', 'decant.sh/v1alpha1').optional(),
  kind: z.literal('Workload', 'Workload').optional(),
  name,
  description: z.string('a string').optional(),
  start: z.string('an RFC 3339 time').optional(),
  cluster: cluster.optional(),
  nodePools: listOf(z.record(z.string(), z.unknown(), 'a NodePool'), 'NodePools').min(1, 'at least one NodePool'),
  apps: listOf(app, 'workloads').min(1, 'at least one workload'),
});

export type WorkloadFile = z.infer<typeof workloadFile>;
export type WorkloadApp = WorkloadFile['apps'][number];

export type WorkloadReading =
  | { readonly file: WorkloadFile }
  | { readonly problems: readonly { readonly field: string; readonly value: unknown; readonly allowed: string }[] };

export function readWorkloadFile(document: unknown): WorkloadReading {
  const given = withReplicaCurves(withoutNulls(document));
  const checked = check(workloadFile, given);
  const problems = 'problems' in checked ? checked.problems : ruleProblems(checked.value);
  if ('value' in checked && problems.length === 0) return { file: checked.value };
  return {
    problems: problems.map(({ path, value, allowed }) => ({
      field: fieldPath('', path).replace(/^\./, ''),
      value,
      allowed,
    })),
  };
}

/** `replicas: 3` is short for a constant curve. */
function withReplicaCurves(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || !('apps' in document) || !Array.isArray(document.apps))
    return document;
  const apps = document.apps.map((each: unknown) =>
    typeof each === 'object' && each !== null && 'replicas' in each && typeof each.replicas === 'number'
      ? { ...each, replicas: { base: each.replicas } }
      : each,
  );
  return { ...document, apps };
}

const REPLICATED = ['replicas', 'rollouts', 'alignedScaleIn', 'pdb'] as const;
const BATCH = ['first', 'every', 'jitter', 'pods', 'runTime', 'runs'] as const;
const NEEDED = {
  Deployment: ['replicas'],
  StatefulSet: ['replicas'],
  Job: ['runTime'],
  CronJob: ['runTime', 'every'],
  DaemonSet: [],
} as const;

/** Rules over several fields: fields of another kind, duplicate names. */
function ruleProblems({ apps }: WorkloadFile): SchemaProblem[] {
  const taken = new Set<string>();
  return apps.flatMap((each, i) => {
    const { kind, namespace = 'default' } = each;
    const problems: SchemaProblem[] = [];
    const batch = kind === 'Job' || kind === 'CronJob';
    const foreign = kind === 'DaemonSet' ? [...REPLICATED, ...BATCH] : batch ? REPLICATED : BATCH;
    for (const field of foreign) {
      if (each[field] !== undefined)
        problems.push({ path: ['apps', i, field], value: each[field], allowed: `nothing, as the kind is ${kind}` });
    }
    if (kind === 'Job' && each.every !== undefined)
      problems.push({
        path: ['apps', i, 'every'],
        value: each.every,
        allowed: 'nothing: a Job runs once, a CronJob again',
      });
    for (const field of NEEDED[kind]) {
      if (each[field] === undefined && each.runs === undefined)
        problems.push({ path: ['apps', i, field], value: undefined, allowed: `a value, as the kind is ${kind}` });
    }
    if (taken.has(`${namespace}/${each.name}`))
      problems.push({ path: ['apps', i, 'name'], value: each.name, allowed: 'each name only once in a namespace' });
    taken.add(`${namespace}/${each.name}`);
    return problems;
  });
}
