import type { StateNode } from '../cluster/state-nodes.ts';
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
  readonly keys = new Map<string, TopologyDomains>();

  constructor(rules: GroupRules, rows: readonly StateNode[], templates: readonly Template[], types: InstanceTypes) {
    this.list = rules.list.map((rule) => {
      let domains = this.keys.get(rule.key);
      if (domains === undefined) {
        domains = new TopologyDomains(rule.key, rows);
        domains.addMakeable(templates, types);
        this.keys.set(rule.key, domains);
      }
      return { ...rule, domains };
    });
  }
}
