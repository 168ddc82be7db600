import type { App, Apps } from './apps.ts';
import { cuts, type FullVariant } from './cuts.ts';
import { BATCH } from './node-pools.ts';
import type { GeneratedNode } from './nodes.ts';
import type { ClusterParameters } from './parameters.ts';
import { admits, occupy, type Request } from './placement.ts';
import type { Random } from './random.ts';

export interface Placed {
  readonly app: App;
  readonly node: GeneratedNode;
  readonly request: Request;
}

/** Puts pods on all nodes, one at a time. */
export function fill(
  p: ClusterParameters,
  nodes: readonly GeneratedNode[],
  apps: Apps,
  random: Random,
): Iterable<Placed> {
  return p.variant === 'normal' ? scatter(p, nodes, apps, random) : pack(p, p.variant, nodes, apps, random);
}

/** App by app onto nodes chosen at random, as long as they are below their target. */
function* scatter(
  p: ClusterParameters,
  nodes: readonly GeneratedNode[],
  apps: Apps,
  random: Random,
): Generator<Placed> {
  const wanted = p.nodes * p.podsPerNode;
  for (let placed = 0, tried = 0; placed < wanted && tried < 4 * wanted; ) {
    const app = apps.add();
    for (let replica = 0; replica < app.replicas; replica++, tried++) {
      const node = findBelowTarget(nodes, app, random);
      if (node === undefined) continue;
      occupy(node, app, app);
      placed++;
      yield { app, node, request: app };
    }
  }
}

function findBelowTarget(nodes: readonly GeneratedNode[], app: App, random: Random): GeneratedNode | undefined {
  for (let attempt = 0; attempt < 25; attempt++) {
    const node = random.pick(nodes);
    const used = node.cpuForApps - node.freeCpu + app.cpuMilli;
    if (used <= node.targetUtilization * node.cpuForApps && admits(node, app, app)) return node;
  }
  return undefined;
}

/** Node by node: cut into requests, each given to an app that may run there. */
function* pack(
  p: ClusterParameters,
  variant: FullVariant,
  nodes: readonly GeneratedNode[],
  apps: Apps,
  random: Random,
): Generator<Placed> {
  for (let i = 0; i < Math.max(3, p.nodes / 2); i++) apps.add();
  const shared = apps.list.filter((app) => app.doNotDisrupt === undefined);
  for (const node of nodes) {
    let fillers = 0;
    for (const request of cuts(p, variant, node, random)) {
      const app =
        findApp(shared, node, request, random) ??
        apps.addFiller(`filler-${node.name}-${++fillers}`, node.pool.name === BATCH);
      occupy(node, app, request);
      yield { app, node, request };
    }
  }
}

function findApp(apps: readonly App[], node: GeneratedNode, request: Request, random: Random): App | undefined {
  for (let attempt = 0; attempt < 60; attempt++) {
    const app = random.pick(apps);
    if (admits(node, app, request)) return app;
  }
  return undefined;
}
