import { bitset } from '../cluster/bitset.ts';
import type { ClusterObjects, PersistentVolumeClaimObject, PodObject, Resources } from '../cluster/objects.ts';
import { isDaemonPod, isMirrorPod, isTerminal, namespacedName } from '../cluster/pods.ts';
import { CAPACITY_TYPE, ZONE } from '../cluster/well-known.ts';
import { assess } from '../gates/assessment.ts';
import { expectedPrice, finalize, labelValues } from '../moves/replacement.ts';
import { API_VERSION, type Plan, type PlannedRefusal, type PlannedReplacement } from '../plan-document.ts';
import { refusalText } from '../refusal-text.ts';
import { compile } from '../scheduling/compile.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { obstaclesOf } from '../scheduling/obstacles.ts';
import { Simulation } from '../scheduling/simulation.ts';
import { Volumes } from '../scheduling/volumes.ts';
import type { Rules } from '../settings.ts';
import { type ObstacleCount, obstacleCounts, type PodsWithoutPlace, podsWithoutPlace } from './removal.ts';
import type { Situation } from './situation.ts';

/** Where a pod could run in the current cluster if it left its node and nothing else moved. */
export interface PodExplanation {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'PodExplanation';
  readonly now: string;
  readonly pod: string;
  /** null while pending. */
  readonly node: string | null;
  readonly requests: Resources;
  /** Why the pod never moves. */
  readonly fixed?: 'daemon-set' | 'mirror' | 'finished' | 'volume-unknown' | 'unsupported-affinity';
  /** What forbids evicting it now. */
  readonly refusals: readonly PlannedRefusal[];
  /** Nodes that it fits on, in the order in which they are tried, and what they would have left. */
  readonly fits: readonly { readonly node: string; readonly left: Resources }[];
  /** Preferences that some of them violate: it goes to a new node if one satisfies them. */
  readonly preferences: readonly ObstacleCount[];
  /** Obstacles on the other nodes, most frequent first. */
  readonly obstacles: readonly ObstacleCount[];
  readonly closest?: PodsWithoutPlace['closest'];
  readonly everywhere?: PodsWithoutPlace['everywhere'];
  /** The new node for it if it fitted on no existing one. */
  readonly newNode?: PlannedReplacement;
  readonly nodePools: PodsWithoutPlace['nodePools'];
  /** Its destination in the plan; moves are 1-based. */
  readonly planned?: { readonly move: number; readonly to: string; readonly rolled?: true };
}

/** undefined if there is no such pod. */
export function explainPod(situation: Situation, plan: Plan, name: string): PodExplanation | undefined {
  const { objects, rules } = situation;
  const index = objects.pods.findIndex((p) => namespacedName(p) === name);
  if (index < 0) return undefined;
  const pod = objects.pods[index];
  const number = plan.moves.findIndex((m) => m.placements.some((p) => p.pod === name)) + 1;
  const to = plan.moves[number - 1]?.placements.find((p) => p.pod === name)?.to;
  const isRolled = plan.moves[number - 1]?.rollouts?.some((r) => r.pod === name) === true;
  const base = {
    apiVersion: API_VERSION,
    kind: 'PodExplanation',
    now: plan.now,
    pod: name,
    node: pod.nodeName === '' ? null : pod.nodeName,
    requests: pod.requests,
    refusals: evictionRefusals(situation, pod),
    planned: to === undefined ? undefined : { move: number, to, ...(isRolled ? { rolled: true as const } : {}) },
    fits: [],
    preferences: [],
    obstacles: [],
    nodePools: [],
  } as const;
  const alone = unbound(objects, index);
  const cluster = compile(alone, rules.settings);
  const fixed = fixedBy(pod) ?? (cluster.shapeOfPod[index] === undefined ? unknownBy(pod, alone, rules) : undefined);
  if (fixed !== undefined) return { ...base, fixed };
  const obstacles = obstaclesOf(new Simulation(cluster), index);
  const against = new Set(obstacles.nodes.map((n) => n.node));
  const { everywhere, closest, nodePools, preferences } = podsWithoutPlace([name], obstacles);
  const fits = cluster.rows.flatMap((row, i) =>
    row.tracked && everywhere === undefined && !against.has(row.name)
      ? [{ node: row.name, left: leftOn(cluster, i, index) }]
      : [],
  );
  return {
    ...base,
    fits,
    preferences,
    obstacles: obstacleCounts(obstacles.nodes),
    closest,
    everywhere,
    newNode: newNodeFor(cluster),
    nodePools,
  };
}

function fixedBy(pod: PodObject): PodExplanation['fixed'] {
  if (isTerminal(pod)) return 'finished';
  if (isDaemonPod(pod)) return 'daemon-set';
  return isMirrorPod(pod) ? 'mirror' : undefined;
}

/** Why Karpenter leaves the pod out if it is pending. */
function unknownBy(pod: PodObject, objects: ClusterObjects, { settings }: Rules): PodExplanation['fixed'] {
  return new Volumes(objects, settings.compat).areBindable(pod) ? 'unsupported-affinity' : 'volume-unknown';
}

function evictionRefusals({ objects, rules }: Situation, pod: PodObject): readonly PlannedRefusal[] {
  if (pod.nodeName === '') return [];
  const cluster = compile(objects, rules.settings);
  const row = cluster.rowOfNode.get(pod.nodeName);
  if (row === undefined) return [];
  const assessment = assess(cluster, row, rules);
  const refusals = 'refusals' in assessment ? assessment.refusals : [];
  return refusals
    .filter((r) => 'pod' in r && r.pod === namespacedName(pod))
    .map((r) => ({ ...r, message: refusalText(r) }));
}

/** As if the pod were pending, and the only one. Claims of a pod that runs are bound, whatever their annotations say. */
function unbound(objects: ClusterObjects, index: number): ClusterObjects {
  const { namespace, volumeClaims, nodeName } = objects.pods[index];
  const isMounted = (claim: PersistentVolumeClaimObject) =>
    nodeName !== '' && claim.namespace === namespace && volumeClaims.includes(claim.name);
  const pods = objects.pods.map((pod, i) =>
    i === index
      ? { ...pod, nodeName: '', nominatedNodeName: '', terminating: false, unschedulable: true }
      : pod.unschedulable
        ? { ...pod, unschedulable: false }
        : pod,
  );
  const persistentVolumeClaims = objects.persistentVolumeClaims.map((claim) =>
    isMounted(claim) ? { ...claim, bindCompleted: true } : claim,
  );
  return { ...objects, pods, persistentVolumeClaims };
}

/** Cpu and memory that the node would have left with the pod on it. */
function leftOn({ free, requests, requestOfPod }: CompiledCluster, row: number, pod: number): Resources {
  const amounts = requests.amounts(requestOfPod[pod]);
  const left = (name: string) => {
    const d = requests.dimensions.get(name) as number;
    return free[d][row] - amounts[d];
  };
  return { cpu: left('cpu'), memory: left('memory') };
}

/** As if every existing node were full. */
function newNodeFor(cluster: CompiledCluster): PlannedReplacement | undefined {
  const none = bitset(cluster.rows.length);
  const full: CompiledCluster = { ...cluster, destinations: none, unshielded: none };
  return new Simulation(full).removing([], ({ claims }) => {
    const own = claims.length === 0 ? undefined : finalize(full, claims[0]);
    if (own === undefined || own.types.length === 0) return undefined;
    return {
      nodePool: full.templates[own.template].pool.name,
      instanceTypes: own.types.map((t) => full.types.list[t].name),
      capacityTypes: labelValues(full, own, CAPACITY_TYPE),
      zones: labelValues(full, own, ZONE),
      centsPerHour: expectedPrice(full, own) * 100,
    };
  });
}
