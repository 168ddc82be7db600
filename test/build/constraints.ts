import type { HostPort } from '../../src/engine/cluster/host-port.ts';
import type {
  LabelSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinityTerm,
  PodConstraints,
  SelectorOperator,
  Taint,
  Toleration,
  TopologySpread,
  Weighted,
} from '../../src/engine/cluster/objects.ts';

export const UNCONSTRAINED: PodConstraints = {
  nodeSelector: {},
  preferredNodeTerms: [],
  requiredAffinity: [],
  preferredAffinity: [],
  requiredAntiAffinity: [],
  preferredAntiAffinity: [],
  tolerations: [],
  topologySpread: [],
  hostPorts: [],
  resourceClaims: false,
};

export function constrained(by: Partial<PodConstraints>): PodConstraints {
  return { ...UNCONSTRAINED, ...by };
}

export function is(key: string, operator: SelectorOperator, ...values: readonly string[]): NodeSelectorRequirement {
  return { key, operator, values };
}

/** A node that meets all of these. */
export function nodeWith(...matchExpressions: readonly NodeSelectorRequirement[]): NodeSelectorTerm {
  return { matchExpressions };
}

export function app(name: string): LabelSelector {
  return { matchLabels: { app: name } };
}

/** Pods of the app, seen per domain of the key; as a term of affinity or anti-affinity. */
export function podsOf(name: string, topologyKey: string, more: Partial<PodAffinityTerm> = {}): PodAffinityTerm {
  return { topologyKey, labelSelector: app(name), ...more };
}

export function weighing<T>(weight: number, term: T): Weighted<T> {
  return { weight, term };
}

export function spread(name: string, topologyKey: string, more: Partial<TopologySpread> = {}): TopologySpread {
  return { topologyKey, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: app(name), ...more };
}

export function taint(key: string, effect = 'NoSchedule', value = ''): Taint {
  return { key, value, effect };
}

export function toleration(key: string, more: Partial<Toleration> = {}): Toleration {
  return { key, operator: 'Exists', value: '', effect: '', ...more };
}

export function hostPort(port: number, more: Partial<HostPort> = {}): HostPort {
  return { ip: '', port, protocol: 'TCP', ...more };
}
