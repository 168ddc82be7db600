import { shown } from '../../config/problem.ts';
import { parseGoDuration } from '../../engine/cluster/go-duration.ts';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { unresolvedBuffers } from '../../engine/cluster/virtual-pods.ts';
import { NODE_POOL } from '../../engine/cluster/well-known.ts';
import { listed } from '../../engine/explanation/amounts.ts';
import { beyondLimits } from '../../report/limit-words.ts';
import { KUBECTL_KINDS } from './kubectl-dump.ts';

/** Valid input that is most often a mistake. */
export function oddities(objects: Omit<ClusterObjects, 'instanceTypes'>, isLive: boolean): readonly string[] {
  const missing = missingKinds(objects).map((text) => `the ${isLive ? 'cluster' : 'input'} has no ${text}`);
  const hint = isLive || missing.length === 0 ? [] : [DUMP];
  if (objects.nodes.length + objects.nodeClaims.length === 0) return [[...missing, ...hint].join('; ')];
  return [
    ...missing,
    ...hint,
    ...halfDeleted(objects),
    ...idlePools(objects),
    ...idleOverlays(objects),
    ...idleBuffers(objects),
    ...idleAnnotations(objects),
    ...beyondLimits(objects).map(({ text }) => text),
  ];
}

const DUMP = `a complete dump: kubectl get ${KUBECTL_KINDS} -A -o json`;

/** Kinds without which a plan is wrong. */
function missingKinds(objects: Omit<ClusterObjects, 'instanceTypes'>): string[] {
  const { nodes, nodeClaims, nodePools, pods, daemonSets, services, options } = objects;
  if (nodes.length + nodeClaims.length === 0) return ['nodes'];
  const out: string[] = [];
  const missing = (kind: string, so: string) => out.push(`${kind}: ${so}`);
  if (nodeClaims.length === 0 && nodes.some(({ labels }) => labels[NODE_POOL] !== undefined))
    missing('NodeClaims', 'no node is managed by Karpenter, and none can be removed');
  if (nodePools.length === 0) missing('NodePools', 'no node can be removed or launched');
  if (pods.length === 0) missing('pods', 'every node looks empty');
  if (daemonSets.length === 0 && pods.some(({ owners }) => owners.some(({ kind }) => kind === 'DaemonSet')))
    missing('DaemonSets', 'new nodes are planned without room for their pods');
  if (options.defaultSpread !== undefined && services.length === 0)
    missing('Services', "the default spread constraints of Karpenter's --scheduler-config may count other pods");
  return out;
}

/** Karpenter deletes the claim too once the node is deleted; until then both count as staying. */
function halfDeleted({ nodes, nodeClaims }: Pick<ClusterObjects, 'nodes' | 'nodeClaims'>): readonly string[] {
  const going = new Set(nodes.filter(({ terminating }) => terminating).map(({ providerId }) => providerId));
  return nodeClaims
    .filter(({ providerId, terminating }) => providerId !== '' && !terminating && going.has(providerId))
    .map(
      ({ name }) => `NodeClaim ${name} is not being deleted, but its node is; as in Karpenter, the NodeClaim counts`,
    );
}

function idlePools({ nodePools }: Pick<ClusterObjects, 'nodePools'>): readonly string[] {
  const idle = nodePools.filter(({ ready, terminating }) => !ready && !terminating).map(({ name }) => name);
  if (idle.length === 0) return [];
  const [pools, are, launch] =
    idle.length === 1 ? ['NodePool', 'is', 'it launches'] : ['NodePools', 'are', 'they launch'];
  return [`${pools} ${listed(idle)} ${are} not Ready; as in Karpenter, ${launch} no node`];
}

function idleOverlays({ nodeOverlays, options }: Pick<ClusterObjects, 'nodeOverlays' | 'options'>): readonly string[] {
  if (nodeOverlays.length === 0 || options.nodeOverlays !== false) return [];
  return [`NodeOverlay ${nodeOverlays[0].name} changes nothing: the gate NodeOverlay of Karpenter is off`];
}

/** The PodTemplates of a dump are easily left out. */
function idleBuffers(objects: Omit<ClusterObjects, 'instanceTypes'>): readonly string[] {
  return unresolvedBuffers(objects).map(({ namespace, name, podTemplate, scalable }) => {
    const pods =
      podTemplate === undefined ? `${scalable?.kind ?? ''} ${scalable?.name ?? ''}` : `PodTemplate ${podTemplate}`;
    return `CapacityBuffer ${namespace}/${name} keeps no room: its ${pods} is not known`;
  });
}

/** Karpenter writes an event for each; a plan that moves such a pod would not say why. */
function idleAnnotations({ pods }: Pick<ClusterObjects, 'pods'>): readonly string[] {
  const idle = pods.filter(({ doNotDisrupt }) => doNotDisrupt !== undefined && protectsNothing(doNotDisrupt));
  if (idle.length === 0) return [];
  const [{ namespace, name, doNotDisrupt }] = idle;
  const more = idle.length === 1 ? '' : ` (and ${idle.length - 1} more)`;
  return [
    `pod ${namespace}/${name}: karpenter.sh/do-not-disrupt ${shown(doNotDisrupt)} protects nothing: allowed: "true" or a duration such as "8h"${more}`,
  ];
}

/** "false" is intended. */
function protectsNothing(value: string): boolean {
  return value !== 'true' && value !== 'false' && !((parseGoDuration(value) ?? 0) > 0);
}
