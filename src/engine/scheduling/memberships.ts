import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { Labels, PodObject } from '../cluster/objects.ts';
import type { CarryOver } from './carry-over.ts';
import type { Membership } from './compiled-cluster.ts';
import type { GroupId, GroupRules, Subjects } from './group-rules.ts';
import type { PodFacts } from './pod-facts.ts';
import type { PodShape } from './pod-shapes.ts';
import type { TopologyGroups } from './topology-groups.ts';

/** Which groups pods belong to by their labels. Rules without a pod are left over from an earlier pass. */
export class Memberships {
  private readonly rules: GroupRules;
  /** By the rules in use. */
  private readonly known = new Map<string, MembershipAmong>();

  constructor(rules: GroupRules) {
    this.rules = rules;
  }

  /** Among the groups of these shapes. A group whose topology key no node or NodePool has counts no pods. */
  among(shapes: Iterable<PodShape>, { list }: TopologyGroups): MembershipAmong {
    const inUse = groupsOf(shapes);
    for (const g of inUse) if (list[g].domains.size === 0) inUse.delete(g);
    const key = [...inUse].sort((a, b) => a - b).join();
    return getOrInsert(this.known, key, () => new MembershipAmong(this.rules, inUse));
  }
}

/** Pods with the same labels share the result. */
export class MembershipAmong {
  private readonly rules: GroupRules;
  private readonly inUse: ReadonlySet<GroupId>;
  private readonly subjects: ReadonlySet<Subjects>;
  private readonly byNamespace = new Map<string, WeakMap<Labels, Membership>>();
  /** Upper bound; measures the work. */
  comparisons = 0;
  /** Pairs of labels and groups, of all labels so far: an upper bound for those of one cluster. */
  pairs = 0;

  constructor(rules: GroupRules, inUse: ReadonlySet<GroupId>) {
    this.rules = rules;
    this.inUse = inUse;
    this.subjects = rules.subjectsOfGroups(inUse);
  }

  /** Cached `of`. */
  remembered(facts: PodFacts, pod: PodObject): Membership {
    if (facts.membershipBy !== this || facts.membership === undefined) {
      facts.membership = this.of(pod);
      facts.membershipBy = this;
    }
    return facts.membership;
  }

  of({ namespace, labels }: PodObject): Membership {
    const byLabels = getOrInsert(this.byNamespace, namespace, () => new WeakMap());
    return getOrInsert(byLabels, labels, () => this.make(namespace, labels));
  }

  private make(namespace: string, labels: Labels): Membership {
    const { rules, inUse } = this;
    this.comparisons += rules.list.length;
    const { selecting, counting } = rules.about(namespace, labels, this.subjects);
    const known = (groups: readonly GroupId[]) => groups.filter((g) => inUse.has(g));
    const about = known(selecting);
    const inverse = about.filter((g) => rules.list[g].inverse);
    this.pairs += about.length;
    return {
      running: known(counting),
      counted: about.filter((g) => !rules.list[g].inverse),
      repelledByHost: inverse.filter((g) => rules.list[g].byHost),
      repelledByDomain: inverse.filter((g) => !rules.list[g].byHost),
    };
  }
}

/** Comparisons before other work gets a turn. */
const COMPARISONS_AT_ONCE = 50_000;

export function* membershipsOf(
  pods: readonly PodObject[],
  facts: readonly PodFacts[],
  among: MembershipAmong,
  carried: CarryOver | undefined,
): Generator<void, readonly Membership[]> {
  const out = new Array<Membership>(pods.length);
  let before = among.comparisons;
  for (let i = 0; i < pods.length; i++) {
    const earlier = carried?.podBefore[i] ?? -1;
    out[i] =
      carried === undefined || earlier < 0
        ? among.remembered(facts[i], pods[i])
        : carried.last.membershipOfPod[earlier];
    if (among.comparisons - before < COMPARISONS_AT_ONCE) continue;
    before = among.comparisons;
    yield;
  }
  return out;
}

function groupsOf(shapes: Iterable<PodShape>): Set<GroupId> {
  const groups = new Set<GroupId>();
  for (const { stages, repels } of shapes) {
    for (const g of repels) groups.add(g);
    for (const { byHost, byDomain } of stages) {
      for (const g of byHost) groups.add(g);
      for (const g of byDomain) groups.add(g);
    }
  }
  return groups;
}
