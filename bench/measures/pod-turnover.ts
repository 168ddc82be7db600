import type { ClusterObjects, PodObject } from '../../src/engine/cluster/objects.ts';
import type { PodChange } from '../../src/engine/scheduling/pod-changes.ts';
import type { Random } from '../generate/random.ts';

const NODE_POOL = 'karpenter.sh/nodepool';
const ZONE = 'topology.kubernetes.io/zone';

export interface Changes {
  /** restart: under another name, in place. turnover: below. */
  readonly how: 'restart' | 'turnover';
  /** ordinary: neither of a DaemonSet nor with volumes. */
  readonly pods: 'any' | 'ordinary';
}

/**
 * What happens to pods between two passes: some go, some start again in place, and some start again on
 * another node, in the room of one that went; always of the same pool and zone, so that what tied them
 * to the old node holds on the new one. Pods of DaemonSets and those with volumes stay on their nodes.
 */
export function changeSome(
  objects: ClusterObjects,
  share: number,
  { how, pods: which }: Changes,
  round: number,
  random: Random,
): PodChange[] {
  const { pods } = objects;
  const domainOfNode = new Map(objects.nodes.map((n) => [n.name, `${n.labels[NODE_POOL]}/${n.labels[ZONE]}`]));
  const vacated = new Map<string, PodObject[]>();
  const chosen = new Set<PodObject>();
  const changes: PodChange[] = [];
  const wanted = Math.round(pods.length * share);
  while (changes.length < wanted) {
    const pod = random.pick(pods);
    if (chosen.has(pod) || (which === 'ordinary' && !isOrdinary(pod))) continue;
    chosen.add(pod);
    const domain = domainOfNode.get(pod.nodeName) ?? '';
    const kind = how === 'turnover' && isOrdinary(pod) ? random.below(3) : RESTARTS;
    if (kind === GOES) {
      changes.push({ before: pod });
      vacated.set(domain, [...(vacated.get(domain) ?? []), pod]);
      continue;
    }
    const room = kind === MOVES ? takeRoom(vacated.get(domain) ?? [], pod) : undefined;
    changes.push({ before: pod, after: successor(pod, room?.nodeName ?? pod.nodeName, round, random) });
  }
  return changes;
}

const RESTARTS = 0;
const GOES = 1;
const MOVES = 2;

function isOrdinary(pod: PodObject): boolean {
  return pod.volumeClaims.length === 0 && pod.owners.every((o) => o.kind !== 'DaemonSet');
}

function takeRoom(vacated: PodObject[], pod: PodObject): PodObject | undefined {
  const fits = (old: PodObject) =>
    (old.requests.cpu ?? 0) >= (pod.requests.cpu ?? 0) && (old.requests.memory ?? 0) >= (pod.requests.memory ?? 0);
  const found = vacated.findIndex((old) => old.nodeName !== pod.nodeName && fits(old));
  return found < 0 ? undefined : vacated.splice(found, 1)[0];
}

function successor(pod: PodObject, nodeName: string, round: number, random: Random): PodObject {
  return { ...pod, name: `${pod.name}-${round}`, uid: random.uid(), nodeName };
}
