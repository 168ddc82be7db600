import type {
  PodAffinityTerm,
  PodConstraints,
  Resources,
  Toleration,
  TopologySpread,
  Weighted,
} from '../../engine/cluster/objects.ts';
import { nothingLeft, unlessEmpty, unlessNone, type Written, writeAmounts } from './metadata.ts';

/** The requests and constraints of a pod's spec. Requests are the effective ones, so one container represents all. */
export function writePodSpec(requests: Resources, constraints: PodConstraints): Written {
  const {
    nodeSelector,
    requiredNodeTerms,
    preferredNodeTerms,
    requiredAffinity,
    preferredAffinity,
    requiredAntiAffinity,
    preferredAntiAffinity,
    tolerations,
    topologySpread,
    hostPorts,
    resourceClaims,
    firstAvailable,
    ...rest
  } = constraints;
  nothingLeft(rest);
  const amounts = writeAmounts(requests);
  const ports = hostPorts.map(({ ip, port, protocol }) => ({
    hostIP: ip || undefined,
    hostPort: port,
    containerPort: port,
    protocol: protocol || undefined,
  }));
  return {
    containers: [{ name: 'all', resources: amounts && { requests: amounts }, ports: unlessNone(ports) }],
    nodeSelector: unlessEmpty(nodeSelector),
    affinity: unlessEmpty({
      nodeAffinity: affinity(
        requiredNodeTerms && { nodeSelectorTerms: requiredNodeTerms },
        weighted(preferredNodeTerms, 'preference'),
      ),
      podAffinity: affinity(unlessNone(requiredAffinity), weighted(preferredAffinity, 'podAffinityTerm')),
      podAntiAffinity: affinity(unlessNone(requiredAntiAffinity), weighted(preferredAntiAffinity, 'podAffinityTerm')),
    }),
    tolerations: unlessNone(tolerations.map(writeToleration)),
    // The engine uses Kubernetes' field names.
    topologySpreadConstraints: unlessNone<TopologySpread>(topologySpread),
    resourceClaims: resourceClaims || firstAvailable !== undefined ? [{ name: 'any' }] : undefined,
  };
}

function affinity(required: unknown, preferred: unknown): Written | undefined {
  return unlessEmpty({
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  });
}

function weighted<T extends object | PodAffinityTerm>(terms: readonly Weighted<T>[], member: string) {
  return unlessNone(terms.map(({ weight, term }) => ({ weight, [member]: term })));
}

function writeToleration({ key, operator, value, effect, tolerationSeconds, ...rest }: Toleration): Written {
  nothingLeft(rest);
  return {
    key: key || undefined,
    operator: operator || undefined,
    value: value || undefined,
    effect: effect || undefined,
    tolerationSeconds,
  };
}
