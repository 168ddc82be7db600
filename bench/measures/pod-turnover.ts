import type { ClusterObjects, PodObject } from '../../src/engine/cluster/objects.ts';
import type { Random } from '../generate/random.ts';

const NODE_POOL = 'karpenter.sh/nodepool';
const ZONE = 'topology.kubernetes.io/zone';

/**
 * What happens to pods between two passes. Two thirds of those that change start again in place, under another name.
 * The others go, and come back in the next round: in place, or in the room of another one of the same size, NodePool and
 * zone, so that what tied them to the old node holds on the new one. Pods of DaemonSets and those with volumes always
 * start again in place.
 */
export class PodTurnover {
  objects: ClusterObjects;
  private readonly random: Random;
  private readonly domainOfNode: ReadonlyMap<string, string>;
  private gone: readonly PodObject[] = [];
  private round = 0;

  constructor(objects: ClusterObjects, random: Random) {
    this.objects = objects;
    this.random = random;
    this.domainOfNode = new Map(objects.nodes.map((n) => [n.name, `${n.labels[NODE_POOL]}/${n.labels[ZONE]}`]));
  }

  /** Changes a share of the pods; objects of the others stay the same. */
  change(share: number): void {
    const { random } = this;
    this.round++;
    const back = this.gone.map((pod, i) => this.successor(pod, this.gone[this.partnerOf(i)].nodeName));
    const wanted = Math.round(this.objects.pods.length * share) - back.length;
    const { pods } = this.objects;
    const chosen = new Map<PodObject, PodObject | undefined>();
    while (chosen.size < wanted) {
      const pod = random.pick(pods);
      if (chosen.has(pod)) continue;
      chosen.set(pod, isOrdinary(pod) && random.below(3) === 0 ? undefined : this.successor(pod, pod.nodeName));
    }
    this.gone = [...chosen.keys()].filter((pod) => chosen.get(pod) === undefined);
    const left = pods.flatMap((pod) => (chosen.has(pod) ? (chosen.get(pod) ?? []) : [pod]));
    this.objects = { ...this.objects, pods: [...left, ...back] };
  }

  /** The first of the pods that are gone which this one can change places with, itself if there is none. */
  private partnerOf(i: number): number {
    const isPartner = (a: PodObject, b: PodObject) =>
      a.requests.cpu === b.requests.cpu &&
      a.requests.memory === b.requests.memory &&
      this.domainOfNode.get(a.nodeName) === this.domainOfNode.get(b.nodeName);
    const partners = this.gone.flatMap((other, j) => (isPartner(this.gone[i], other) ? [j] : []));
    return partners[(partners.indexOf(i) + 1) % partners.length];
  }

  private successor(pod: PodObject, nodeName: string): PodObject {
    const [name] = pod.name.split('~');
    return { ...pod, name: flat([name, '~', this.round]), uid: flat([this.random.uid()]), nodeName };
  }
}

/** As one piece of memory, like text that was decoded: V8 keeps the parts of a concatenation, and they would count as growth. */
function flat(parts: readonly (string | number)[]): string {
  return Buffer.from(parts.join('')).toString();
}

function isOrdinary(pod: PodObject): boolean {
  return pod.volumeClaims.length === 0 && pod.owners.every((o) => o.kind !== 'DaemonSet');
}
