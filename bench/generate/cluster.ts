import { type App, Apps, PRIORITIES } from './apps.ts';
import { awsCatalog } from './aws-catalog.ts';
import { type CatalogType, zonesOf } from './catalog-type.ts';
import { fill } from './fill.ts';
import { generatedCatalog } from './generated-catalog.ts';
import { daysAgo, type KubeObject, metadata } from './kube-object.ts';
import { nodeObjects } from './node-objects.ts';
import { makePools, poolObject } from './node-pools.ts';
import { makeNodes } from './nodes.ts';
import type { ClusterParameters } from './parameters.ts';
import { daemonObjects, podObjects } from './pod-objects.ts';
import { Random } from './random.ts';

export async function catalogOf(p: ClusterParameters): Promise<CatalogType[]> {
  return p.catalog === 'aws' ? awsCatalog() : generatedCatalog(p.mode === 'mixed');
}

/**
 * All objects of a cluster of the shape that `oracle gen` makes, one at a time: nobody needs to
 * hold 100,000 pods. Everything random comes from the seed.
 */
export function* clusterObjects(p: ClusterParameters, catalog: readonly CatalogType[]): Generator<KubeObject> {
  const random = new Random(p.seed);
  const pools = makePools(p, catalog);
  for (const pool of pools) yield poolObject(random, pool);
  for (const name of ['default', 'kube-system']) {
    yield { apiVersion: 'v1', kind: 'Namespace', metadata: metadata(random, '', name, daysAgo(90)) };
  }
  const zones = zonesOf(catalog);
  const nodes = makeNodes(p, pools, zones, random);
  yield* daemonObjects(p.mode, nodes, random);
  const apps = new Apps(p, zones, random);
  let pods = 0;
  for (const placed of fill(p, nodes, apps, random)) yield* podObjects(placed, ++pods, random);
  for (const node of nodes) yield* nodeObjects(node, apps.shareProtected, random);
  if (p.mode === 'mixed') yield* mixedObjects(p, apps.list, random);
}

function* mixedObjects(p: ClusterParameters, apps: readonly App[], random: Random): Generator<KubeObject> {
  yield {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: metadata(random, '', 'gp3', daysAgo(90)),
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
  };
  for (const value of PRIORITIES) {
    const meta = metadata(random, '', `priority-${value}`, daysAgo(90));
    yield { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: meta, value };
  }
  for (const app of apps) {
    const pods = [...app.podsInZone.values()].reduce((sum, n) => sum + n, 0);
    if (pods > 0 && random.chance(0.15)) yield disruptionBudget(p, app, pods, random);
  }
}

/** One pod may be away. Of small apps some have one away already, or allow none at all. */
function disruptionBudget(p: ClusterParameters, app: App, pods: number, random: Random): KubeObject {
  const mayBlock = p.variant === 'normal' || p.variant === 'tight';
  const blocks = mayBlock && pods <= 4 && random.chance(0.4);
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadata(random, 'default', app.name, daysAgo(30)),
    spec: { maxUnavailable: blocks && random.chance(0.3) ? 0 : 1, selector: { matchLabels: { app: app.name } } },
    status: {
      disruptionsAllowed: blocks ? 0 : 1,
      currentHealthy: pods,
      desiredHealthy: pods - 1,
      expectedPods: pods,
    },
  };
}
