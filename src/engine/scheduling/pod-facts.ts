import type { PodObject } from '../cluster/objects.ts';
import { isDaemonPod, isReschedulable, isTerminal } from '../cluster/pods.ts';
import type { RequestId } from '../cluster/request-table.ts';
import type { Membership } from './compiled-cluster.ts';
import type { MembershipAmong } from './memberships.ts';
import type { PodShape } from './pod-shapes.ts';

/** What compiling asks of every pod, the same for as long as the pod is the same object and foundations stand. */
export interface PodFacts {
  readonly terminal: boolean;
  readonly daemon: boolean;
  /** UID of the DaemonSet that controls it; undefined: none does. */
  readonly daemonSet: string | undefined;
  /** Somebody would miss it; whether it may move is another question. */
  readonly reschedulable: boolean;
  /** Known once asked for. */
  request: RequestId | undefined;
  /** The same, of a pod without volumes. */
  shape: PodShape | undefined;
  membership: Membership | undefined;
  /** Who said so. */
  membershipBy: MembershipAmong | undefined;
}

/** Facts of the pods of a cluster that is looked at again and again. */
export class KnownPods {
  /** undefined: this is the first look, and perhaps the only one. */
  private known: Map<PodObject, PodFacts> | undefined;

  of(pods: readonly PodObject[]): readonly PodFacts[] {
    const { known } = this;
    if (known === undefined) {
      this.known = new Map();
      return pods.map(factsOf);
    }
    return pods.map((pod) => {
      const before = known.get(pod);
      if (before !== undefined) return before;
      const facts = factsOf(pod);
      known.set(pod, facts);
      return facts;
    });
  }

  /** Of none of them anything is known any more. */
  forget(): void {
    this.known?.clear();
  }
}

function factsOf(pod: PodObject): PodFacts {
  let daemonSet: string | undefined;
  for (const { controller, kind, uid } of pod.owners) {
    if (!controller) continue;
    if (kind === 'DaemonSet') daemonSet = uid;
    break;
  }
  return {
    terminal: isTerminal(pod),
    daemon: isDaemonPod(pod),
    daemonSet,
    reschedulable: isReschedulable(pod),
    request: undefined,
    shape: undefined,
    membership: undefined,
    membershipBy: undefined,
  };
}
