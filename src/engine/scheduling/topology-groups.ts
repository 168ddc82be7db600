import type { StateNode } from '../cluster/state-nodes.ts';
import type { CarryOver } from './carry-over.ts';
import type { GroupRule, GroupRules } from './group-rules.ts';
import type { InstanceTypes } from './instance-types.ts';
import type { Template } from './templates.ts';
import { TopologyDomains } from './topology-domains.ts';

/** A rule with its domains. */
export interface TopologyGroup extends GroupRule {
  readonly domains: TopologyDomains;
}

/** All topology groups of a cluster: the rules of its pods, over its nodes. */
export class TopologyGroups {
  readonly list: readonly TopologyGroup[];
  readonly keys: ReadonlyMap<string, TopologyDomains>;

  private constructor(list: readonly TopologyGroup[], keys: ReadonlyMap<string, TopologyDomains>) {
    this.list = list;
    this.keys = keys;
  }

  static of(
    rules: GroupRules,
    rows: readonly StateNode[],
    templates: readonly Template[],
    types: InstanceTypes,
  ): TopologyGroups {
    const keys = new Map<string, TopologyDomains>();
    const list = rules.list.map((rule) => {
      let domains = keys.get(rule.key);
      if (domains === undefined) {
        domains = new TopologyDomains(rule.key, rows);
        domains.addMakeable(templates, types);
        keys.set(rule.key, domains);
      }
      return { ...rule, domains };
    });
    return new TopologyGroups(list, keys);
  }

  /** The same groups over other rows. undefined: a key has its first domain, so that its groups now count pods. */
  over(rows: readonly StateNode[], { rowBefore, hasSameRows }: CarryOver): TopologyGroups | undefined {
    if (hasSameRows) return this;
    const keys = new Map<string, TopologyDomains>();
    for (const [key, domains] of this.keys) {
      const now = new TopologyDomains(key, rows, { domains, rowBefore });
      if (domains.size === 0 && now.size > 0) return undefined;
      keys.set(key, now);
    }
    const list = this.list.map((group) => ({ ...group, domains: keys.get(group.key) as TopologyDomains }));
    return new TopologyGroups(list, keys);
  }
}
