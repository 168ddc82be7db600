import { releaseOf } from '../karpenter-release.ts';
import type { NodeRefusal } from '../refusal.ts';
import { capacityBuffer } from './capacity-buffer.ts';
import { consolidateAfter } from './consolidate-after.ts';
import { consolidationEnabled, emptyRemovalEnabled } from './consolidation-enabled.ts';
import { decodable } from './decodable.ts';
import { emptinessAllowed } from './emptiness-allowed.ts';
import { emptyTtl } from './empty-ttl.ts';
import { gracePeriod } from './grace-period.ts';
import { initialized } from './initialized.ts';
import { instanceKnown } from './instance-known.ts';
import { managed } from './managed.ts';
import { methodsAllow } from './methods-allow.ts';
import { minimumLifetime } from './minimum-lifetime.ts';
import { nodeAnnotation } from './node-annotation.ts';
import type { NodeGate, NodeInQuestion } from './node-in-question.ts';
import { notDeleting } from './not-deleting.ts';
import { notRebooting } from './not-rebooting.ts';
import { podsEvictable } from './pods-evictable.ts';
import { poolKnown } from './pool-known.ts';
import { utilizationGate } from './utilization.ts';

/** Whether the node may be removed at all. */
const REMOVABLE: readonly NodeGate[] = [
  managed,
  decodable,
  initialized,
  notDeleting,
  notRebooting,
  nodeAnnotation,
  poolKnown,
  podsEvictable,
];
/** In the order of Karpenter 1.15: the first refusal is the reason in its events. */
const REMOVABLE_AS_STOCK: readonly NodeGate[] = [
  managed,
  decodable,
  notRebooting,
  notDeleting,
  initialized,
  nodeAnnotation,
  poolKnown,
  podsEvictable,
];

/** Whether emptiness may remove it (nothing on it costs anything to move), or moving its pods. */
const EMPTY: readonly NodeGate[] = [
  capacityBuffer,
  emptyRemovalEnabled,
  emptinessAllowed,
  minimumLifetime,
  consolidateAfter,
  emptyTtl,
  gracePeriod,
];
const OCCUPIED: readonly NodeGate[] = [
  consolidationEnabled,
  instanceKnown,
  methodsAllow,
  minimumLifetime,
  consolidateAfter,
  gracePeriod,
  utilizationGate,
];

function refusalsOf(gates: readonly NodeGate[], q: NodeInQuestion): NodeRefusal[] {
  const out: NodeRefusal[] = [];
  for (const gate of gates) for (const refusal of gate(q)) out.push(refusal);
  return out;
}

export function removalRefusals(q: NodeInQuestion): NodeRefusal[] {
  const { compat } = q.settings;
  return refusalsOf(compat && releaseOf(q.settings).reboots ? REMOVABLE_AS_STOCK : REMOVABLE, q);
}

export function methodRefusals(q: NodeInQuestion, empty: boolean): NodeRefusal[] {
  return refusalsOf(empty ? EMPTY : OCCUPIED, q);
}
