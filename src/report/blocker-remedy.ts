import type { BlockedNodes, Blocker, PodConstraint } from '../engine/blockers/blocker.ts';
import type { NodeSelectorTerm, PodConstraints, PodObject } from '../engine/cluster/objects.ts';
import { DO_NOT_DISRUPT, MOVE } from '../engine/cluster/well-known.ts';
import { type TextBy, textFor } from '../engine/text-by.ts';
import { CONSTRAINTS } from './blocker-words.ts';
import { count } from './money.ts';

type OnPods<K extends Blocker['kind']> = Extract<Blocker, { readonly kind: K }>;

const REMEDIES: TextBy<Exclude<Blocker, OnPods<'PodAnnotation' | 'Constraint'>>, 'kind'> = {
  PodDisruptionBudget: (blocker) =>
    `kubectl patch pdb ${blocker.name} -n ${blocker.namespace} --type merge -p '{"spec":{"minAvailable":null,"maxUnavailable":1}}'`,
  NodeAnnotation: (blocker) => `kubectl annotate node ${blocker.node} ${DO_NOT_DISRUPT}-`,
  OwnerlessPod: 'run it from a Deployment, StatefulSet or Job',
  LocalVolume: 'move the data to a volume that other nodes can mount',
  LocalData: 'run without --local-data-blocks',
  Policy: (blocker) => allowConsolidation(blocker),
  Budget: (blocker) => poolPatch(blocker, 'budgets', [{ nodes: '100%' }]),
  Utilization: 'run with --scaledown-utilization-threshold 1',
};

/** A command that removes the blocker, or what to do where no command can. */
export function remedyFor({ blocker, pods }: Pick<BlockedNodes, 'blocker' | 'pods'>): string {
  switch (blocker.kind) {
    case 'PodAnnotation':
      return withoutAnnotation(blocker, pods);
    case 'Constraint':
      return withoutConstraint(blocker, pods);
    default:
      return textFor(REMEDIES, 'kind', blocker);
  }
}

function allowConsolidation(blocker: OnPods<'Policy'>): string {
  const { nodePool, setting } = blocker;
  switch (setting) {
    case 'consolidateAfter':
      return poolPatch(blocker, 'consolidateAfter', '1m');
    case 'consolidateAfterDuration':
      return poolPatch(blocker, 'consolidateAfter', '0s');
    case 'consolidationPolicy':
      return poolPatch(blocker, 'consolidationPolicy', 'WhenEmptyOrUnderutilized');
    case 'methods':
      return `enable singleNode and multiNode in the ConsolidationPolicy of NodePool ${nodePool}`;
    case 'emptiness':
      return `enable emptiness in the ConsolidationPolicy of NodePool ${nodePool}`;
    case 'headroom':
    case 'minNodes':
      return `lower ${setting} in the ConsolidationPolicy of NodePool ${nodePool}`;
    case 'maxShareOnOneNode':
      return `raise ${setting} in the ConsolidationPolicy of NodePool ${nodePool}`;
  }
}

/** Of the block that applies: the pool's own, or that of the policy that selects it, or of its open window. */
function poolPatch({ nodePool, of }: Omit<OnPods<'Budget'>, 'kind'>, field: string, value: unknown): string {
  if (of === undefined) return patch(`nodepool ${nodePool}`, 'merge', { spec: { disruption: { [field]: value } } });
  const { policy, window } = of;
  const target = `consolidationpolicy ${policy}`;
  if (window === undefined) return patch(target, 'merge', { spec: { [field]: value } });
  return patch(target, 'json', [{ op: 'add', path: `/spec/windows/${window}/${field}`, value }]);
}

/** Kinds that replace their pods when the template changes, or use it for the next ones; where the template is. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
};

/** More pods than this are not named one by one. */
const MOST_NAMED = 5;

function withoutAnnotation({ workload, annotation }: OnPods<'PodAnnotation'>, pods: readonly PodObject[]): string {
  const { kind, namespace, name, target } = partsOf(workload);
  if (annotation === MOVE && pods.every(({ move }) => move === undefined))
    return `kubectl annotate ${target} ${annotation}-`;
  const template = TEMPLATES[kind];
  if (template !== undefined) {
    const change: object = { metadata: { annotations: { [annotation]: null } } };
    return patch(
      target,
      'merge',
      template.reduceRight((inner, field) => ({ [field]: inner }), change),
    );
  }
  const annotate = `kubectl annotate pods -n ${namespace}`;
  if (kind === 'Job') return `${annotate} -l batch.kubernetes.io/job-name=${name} ${annotation}-`;
  if (pods.length <= MOST_NAMED) return `${annotate} ${pods.map((pod) => pod.name).join(' ')} ${annotation}-`;
  return `remove the annotation ${annotation} from the ${count(pods.length, 'pod')} and the pod template of ${workload}`;
}

function withoutConstraint(blocker: OnPods<'Constraint'>, [pod]: readonly PodObject[]): string {
  const { workload, constraint, key } = blocker;
  const { kind, target } = partsOf(workload);
  const template = TEMPLATES[kind];
  const operations =
    template === undefined ? [] : REMOVALS[constraint](pod.constraints, key, `/${template.join('/')}/spec`);
  if (operations.length > 0) return patch(target, 'json', operations);
  return `relax ${CONSTRAINTS[constraint]} on ${key} in the pod template of ${workload}`;
}

type Operation = { readonly op: string; readonly path: string; readonly value?: string };

/**
 * JSON patch operations on the pod template, by what its pods have; none if they do not have the constraint, or if one of
 * several alternatives would have to change. `test` stops the patch if the template differs from its pods.
 */
const REMOVALS: Readonly<
  Record<PodConstraint, (has: PodConstraints, key: string, spec: string) => readonly Operation[]>
> = {
  spread: ({ topologySpread }, key, spec) =>
    lastFirst(
      topologySpread,
      (s) => s.topologyKey === key && s.whenUnsatisfiable === 'DoNotSchedule',
      (i) => {
        const path = `${spec}/topologySpreadConstraints/${i}`;
        return [
          { op: 'test', path: `${path}/topologyKey`, value: key },
          { op: 'replace', path: `${path}/whenUnsatisfiable`, value: 'ScheduleAnyway' },
        ];
      },
    ),
  affinity: ({ requiredAffinity }, key, spec) =>
    removed(requiredAffinity, 'topologyKey', key, `${spec}/affinity/podAffinity/${REQUIRED}`),
  'anti-affinity': ({ requiredAntiAffinity }, key, spec) =>
    removed(requiredAntiAffinity, 'topologyKey', key, `${spec}/affinity/podAntiAffinity/${REQUIRED}`),
  'node-affinity': ({ nodeSelector, requiredNodeTerms = [] }, key, spec) => {
    const selected = Object.hasOwn(nodeSelector, key)
      ? [{ op: 'remove', path: `${spec}/nodeSelector/${escaped(key)}` }]
      : [];
    const naming = requiredNodeTerms.filter(({ matchExpressions = [] }) => matchExpressions.some((e) => e.key === key));
    if (naming.length === 0) return selected;
    if (requiredNodeTerms.length > 1) return [];
    return [...selected, ...withoutKey(requiredNodeTerms[0], key, `${spec}/affinity/nodeAffinity/${REQUIRED}`)];
  },
};

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** A term without expressions matches no node, so the last one takes the affinity with it. */
function withoutKey(term: NodeSelectorTerm, key: string, path: string): readonly Operation[] {
  const { matchExpressions = [], matchFields = [] } = term;
  const isAll = matchFields.length === 0 && matchExpressions.every((e) => e.key === key);
  if (isAll) return [{ op: 'remove', path }];
  return removed(matchExpressions, 'key', key, `${path}/nodeSelectorTerms/0/matchExpressions`);
}

function removed<K extends string>(
  list: readonly Readonly<Record<K, string>>[],
  field: K,
  value: string,
  path: string,
): readonly Operation[] {
  return lastFirst(
    list,
    (each) => each[field] === value,
    (i) => [
      { op: 'test', path: `${path}/${i}/${field}`, value },
      { op: 'remove', path: `${path}/${i}` },
    ],
  );
}

/** From the end of the list, so that a removal leaves the indices of the next ones. */
function lastFirst<T>(
  list: readonly T[],
  isMeant: (each: T) => boolean,
  operations: (index: number) => readonly Operation[],
): readonly Operation[] {
  return list
    .flatMap((each, i) => (isMeant(each) ? [i] : []))
    .reverse()
    .flatMap(operations);
}

/** `workload`: "Deployment shop/cart". */
function partsOf(workload: string) {
  const at = workload.lastIndexOf(' ');
  const kind = workload.slice(0, at);
  const [namespace, name] = workload.slice(at + 1).split('/');
  return { kind, namespace, name, target: `${kind.toLowerCase()} ${name} -n ${namespace}` };
}

function patch(target: string, type: 'merge' | 'json', change: object): string {
  return `kubectl patch ${target} --type ${type} -p '${JSON.stringify(change)}'`;
}

/** As JSON Pointer wants it. */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
