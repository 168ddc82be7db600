import type {
  ClusterObjects,
  InstanceType,
  NodeObject,
  Offering,
  PodObject,
} from '../../src/engine/cluster/objects.ts';
import {
  CAPACITY_TYPE,
  INSTANCE_TYPE,
  NODE_POOL,
  ON_DEMAND,
  RESERVED,
  SPOT,
  ZONE,
} from '../../src/engine/cluster/well-known.ts';
import type { Replacement } from '../../src/engine/moves/replacement.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import { type AllowedValues, isAllowed } from '../reference/outcome.ts';
import { isOf } from '../reference/world.ts';

/** What things cost, worked out from the objects again, slowly: the engine's own figures are what is to be checked. */
export class Money {
  private readonly objects: ClusterObjects;
  private readonly surcharge: number;

  constructor(objects: ClusterObjects, nodeSurchargeCents = 0) {
    this.objects = objects;
    this.surcharge = nodeSurchargeCents / 100;
  }

  /** Dollars per hour of a running node. */
  priceOf({ labels }: NodeObject | { readonly labels: NodeObject['labels'] }): number {
    const type = this.objects.instanceTypes.find((t) => t.name === labels[INSTANCE_TYPE]);
    const offering = type?.offerings.find(
      (o) => valueIn(o, ZONE) === labels[ZONE] && valueIn(o, CAPACITY_TYPE) === labels[CAPACITY_TYPE],
    );
    return offering === undefined ? 0 : offering.price + this.surcharge;
  }

  priceOfNamed(name: string): number {
    const node = this.objects.nodes.find((n) => n.name === name);
    return node === undefined ? 0 : this.priceOf(node);
  }

  priceOfPool(name: string): number {
    return this.objects.nodeClaims
      .filter((c) => c.labels[NODE_POOL] === name)
      .reduce((sum, claim) => sum + this.priceOf(claim), 0);
  }

  /** Dollars per hour of a new node in the worst case that its launch allows. */
  worstOf(cluster: CompiledCluster, { types, requirements }: Replacement): number {
    const labels = cluster.space.get(requirements);
    return Math.max(...types.map((t) => this.worstAs(cluster.types.list[t], labels)));
  }

  private worstAs(type: InstanceType, labels: ReadonlyMap<string, AllowedValues>): number {
    const open = type.offerings.filter(
      (o) => o.available && [ZONE, CAPACITY_TYPE].every((key) => isAllowed(labels.get(key), valueIn(o, key) ?? '')),
    );
    // Reserved before spot before on-demand: the first that there is gets launched, wherever.
    const kind = [RESERVED, SPOT, ON_DEMAND].find((own) => open.some((o) => valueIn(o, CAPACITY_TYPE) === own));
    const prices = open.filter((o) => valueIn(o, CAPACITY_TYPE) === kind).map((o) => o.price + this.surcharge);
    return Math.max(...prices);
  }
}

function valueIn({ requirements }: Offering, key: string): string | undefined {
  return requirements.find((r) => r.key === key)?.values?.[0];
}

/** As the savings-threshold document has it; no pod here has a priority. */
export function evictionCost({ deletionCost = '0' }: PodObject): number {
  return Math.max(-10, Math.min(10, 1 + Number(deletionCost) / 2 ** 27));
}

/** 1 + Σ cost of the pods that would have to move: what Karpenter weighs nodes by. */
export function weightOf(objects: ClusterObjects, node: string): number {
  return objects.pods
    .filter((p) => p.nodeName === node && !isOf(p, 'DaemonSet'))
    .reduce((sum, p) => sum + Math.max(0, evictionCost(p)), 1);
}
