import type { PlannedMove } from '../../src/engine/plan-document.ts';
import { prices, type RawObject, type RawSnapshot, tolerates, typeCapacity } from './raw-snapshot.ts';

/** A move and its number in the plan, from 1. */
export interface NumberedMove extends PlannedMove {
  readonly number: number;
}

/** The snapshot when these moves are made: new nodes run as the first of their types, with their DaemonSets. */
export function carriedOut(snapshot: RawSnapshot, moves: readonly NumberedMove[]): RawSnapshot {
  const gone = new Set(moves.flatMap((m) => m.nodes));
  const place = new Map(
    moves.flatMap((m) =>
      m.placements.map(({ pod, to }) => [pod, /^new-\d+$/.test(to) ? `${to} of move ${m.number}` : to] as const),
    ),
  );
  const objects = snapshot.objects.flatMap((o): RawObject[] => {
    if (o.kind === 'Node') return gone.has(o.metadata.name) ? [] : [o];
    if (o.kind !== 'Pod') return [o];
    const to = place.get(`${o.metadata.namespace ?? 'default'}/${o.metadata.name}`);
    if (to !== undefined) return [{ ...o, spec: { ...o.spec, nodeName: to } }];
    return gone.has(o.spec?.nodeName ?? '') ? [] : [o];
  });
  return { ...snapshot, objects: [...objects, ...moves.flatMap((m) => launchedBy(snapshot, m))] };
}

function launchedBy(snapshot: RawSnapshot, { number, replacements }: NumberedMove): readonly RawObject[] {
  return replacements.flatMap(({ nodePool, instanceTypes, zones, capacityTypes }, k) => {
    const name = `new-${k + 1} of move ${number}`;
    const type = snapshot.instanceTypes.find((t) => t.name === instanceTypes[0]);
    const pool = snapshot.objects.find((o) => o.kind === 'NodePool' && o.metadata.name === nodePool);
    const isOneOf = (allowed: readonly string[], value: string) => allowed.includes('*') || allowed.includes(value);
    const [offering] = (type === undefined ? [] : prices(type, true))
      .filter((o) => isOneOf(zones, o.zone) && isOneOf(capacityTypes, o.capacityType))
      .sort((a, b) => a.price - b.price);
    if (type === undefined || offering === undefined) return [];
    const { taints } = pool?.spec?.template?.spec ?? {};
    const labels = {
      ...pool?.spec?.template?.metadata?.labels,
      'kubernetes.io/arch': type.architecture ?? '',
      'node.kubernetes.io/instance-type': type.name,
      'topology.kubernetes.io/zone': offering.zone,
      'karpenter.sh/capacity-type': offering.capacityType,
      'karpenter.sh/nodepool': nodePool,
    };
    const allocatable = Object.fromEntries(Object.entries(typeCapacity(type)).map(([key, n]) => [key, String(n)]));
    const daemons = snapshot.objects
      .filter((o) => o.kind === 'DaemonSet')
      .filter(({ spec }) => tolerates(spec?.template?.spec.tolerations, taints) && !spec?.template?.spec.nodeSelector)
      .map(({ metadata, spec }) => ({
        kind: 'Pod',
        metadata: { ...metadata, name: `${metadata.name} on ${name}`, ownerReferences: [{ kind: 'DaemonSet' }] },
        spec: { ...spec?.template?.spec, nodeName: name },
      }));
    return [{ kind: 'Node', metadata: { name, labels }, spec: { taints }, status: { allocatable } }, ...daemons];
  });
}
