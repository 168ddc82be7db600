import type { NodeRefusal } from '../refusal.ts';
import { capacityBuffer } from './capacity-buffer.ts';
import { consolidateAfter } from './consolidate-after.ts';
import { consolidationEnabled, emptyRemovalEnabled } from './consolidation-enabled.ts';
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
import { podsEvictable } from './pods-evictable.ts';
import { poolKnown } from './pool-known.ts';
import { utilizationGate } from './utilization.ts';

/** May the node be taken away at all? In Karpenter's order. */
const REMOVABLE: readonly NodeGate[] = [managed, initialized, notDeleting, nodeAnnotation, poolKnown, podsEvictable];

/** May this be done by emptiness (nothing on it costs anything to move), or by moving its pods? */
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
  return refusalsOf(REMOVABLE, q);
}

export function methodRefusals(q: NodeInQuestion, empty: boolean): NodeRefusal[] {
  return refusalsOf(empty ? EMPTY : OCCUPIED, q);
}
