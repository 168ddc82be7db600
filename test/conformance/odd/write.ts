import { writeType } from './catalog.ts';
import { type Draft, HOUR, meta, time } from './draft.ts';
import type { Json, JsonObject } from './shapes.ts';

export interface Snapshot {
  now: string;
  options: Draft['options'];
  /** For people; the oracle ignores it. */
  themes: string[];
  instanceTypes: JsonObject[];
  objects: Json[];
}

export function write(d: Draft): Snapshot {
  const objects: object[] = [...d.pools.map((p) => p.object), ...d.daemonSets, ...d.pods];
  for (const n of d.nodes) objects.push(...[n.claim, n.node].filter((o) => o !== undefined));
  for (const ns of d.namespaces) {
    objects.push({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: meta(d, ns.name, d.nowMs - 2000 * HOUR, undefined, ns.labels),
    });
  }
  objects.push(...d.others);
  return {
    now: time(d.nowMs),
    options: d.options,
    themes: d.themes,
    instanceTypes: d.types.map((t) => writeType(d, t)),
    // Order says nothing in Kubernetes, and must say nothing to us.
    objects: d.random.shuffle(objects) as Json[],
  };
}
