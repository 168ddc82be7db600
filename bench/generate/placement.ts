import type { App } from './apps.ts';
import { BATCH } from './node-pools.ts';
import type { GeneratedNode } from './nodes.ts';

export interface Request {
  readonly cpuMilli: number;
  readonly memoryBytes: number;
}

/** May a pod of the app run there without breaking one of its own rules? */
export function admits(node: GeneratedNode, app: App, request: Request): boolean {
  if (node.freeCpu < request.cpuMilli || node.freeMemory < request.memoryBytes || node.freePods < 1) return false;
  if (app.zone !== undefined && app.zone !== node.zone) return false;
  if (app.capacityType !== undefined && app.capacityType !== node.capacityType) return false;
  if (app.arch !== undefined && app.arch !== node.type.entry.architecture) return false;
  if (app.batch !== (node.pool.name === BATCH) || (app.legacy && !node.legacy)) return false;
  const here = node.podsOfApp.get(app) ?? 0;
  if (app.apart && here > 0) return false;
  if (app.spread === undefined || !app.spread.required) return true;
  if (app.spread.key === 'kubernetes.io/hostname') return here < app.spread.maxSkew;
  const fewest = Math.min(...app.podsInZone.values());
  return (app.podsInZone.get(node.zone) ?? 0) + 1 - fewest <= app.spread.maxSkew;
}

export function occupy(node: GeneratedNode, app: App, request: Request): void {
  node.freeCpu -= request.cpuMilli;
  node.freeMemory -= request.memoryBytes;
  node.freePods--;
  node.podsOfApp.set(app, (node.podsOfApp.get(app) ?? 0) + 1);
  app.podsInZone.set(node.zone, (app.podsInZone.get(node.zone) ?? 0) + 1);
}
