import { ACCESS_FOR_PRICES, type Access, accessNeeded } from '../src/operator/access-check.ts';

/** A rule of a Role or a ClusterRole. */
export interface AccessRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Only these objects; default: all. */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** What the controller needs in every mode, and in addition in act mode. */
export interface AccessRules {
  readonly observe: readonly AccessRule[];
  readonly act: readonly AccessRule[];
  /** In addition for steering. */
  readonly steer: readonly AccessRule[];
  /** In addition for rollouts, in every mode and in act mode. */
  readonly rolloutsObserved: readonly AccessRule[];
  readonly rollouts: readonly AccessRule[];
  /** For prices through the API server's proxy to pods. */
  readonly podsProxy: readonly AccessRule[];
  /** For dashboards that ask the API server about users. */
  readonly reviews: readonly AccessRule[];
  /** Within one namespace, in every mode. */
  readonly leases: readonly AccessRule[];
}

const LEASES = 'namespace-of-the-lease';
/** The chart gives the Lease this name. */
const LEASE_NAME = '{{ include "decant.fullname" . }}';

export function accessRules(): AccessRules {
  const lease = { leaseNamespace: LEASES, leaseName: LEASE_NAME };
  const observe = accessNeeded({ mode: 'observe', ...lease });
  const act = accessNeeded({ mode: 'act', ...lease });
  const reviews = accessNeeded({ mode: 'observe', ...lease, reviews: true });
  const steer = accessNeeded({ mode: 'act', ...lease, steer: true });
  const rolloutsObserved = accessNeeded({ mode: 'observe', ...lease, rollouts: true });
  const rollouts = accessNeeded({ mode: 'act', ...lease, rollouts: true });
  const known = new Set(observe.map(text));
  const acting = new Set(act.map(text));
  const inCluster = ({ namespace }: Access) => namespace === undefined;
  return {
    observe: merged([...observe.filter(inCluster), ...ACCESS_FOR_PRICES]),
    act: merged(act.filter((access) => inCluster(access) && !known.has(text(access)))),
    steer: merged(steer.filter((access) => !acting.has(text(access)))),
    rolloutsObserved: merged(rolloutsObserved.filter((access) => !known.has(text(access)))),
    rollouts: merged(rollouts.filter((a) => !acting.has(text(a)) && !rolloutsObserved.map(text).includes(text(a)))),
    podsProxy: merged([{ verb: 'get', group: '', resource: 'pods', subresource: 'proxy' }]),
    reviews: merged(reviews.filter((access) => !known.has(text(access)))),
    leases: merged(observe.filter(({ namespace }) => namespace === LEASES)),
  };
}

function text({ verb, group, resource, subresource = '', namespace = '' }: Access): string {
  return [verb, group, resource, subresource, namespace].join(' ');
}

/** Merges resources of a group that are used with the same verbs. */
function merged(accesses: readonly Access[]): readonly AccessRule[] {
  const verbs = Map.groupBy(accesses, ({ group, resource, subresource, name = '' }) => {
    return JSON.stringify([group, subresource === undefined ? resource : `${resource}/${subresource}`, name]);
  });
  const resources = Map.groupBy(verbs, ([key, uses]) => {
    const [group, , name] = JSON.parse(key);
    return JSON.stringify([group, name, [...new Set(uses.map(({ verb }) => verb))].sort()]);
  });
  return [...resources].map(([key, entries]) => {
    const [group, name, allowed] = JSON.parse(key) as [string, string, string[]];
    return {
      apiGroups: [group],
      resources: entries.map(([resource]) => JSON.parse(resource)[1]).sort(),
      ...(name === '' ? {} : { resourceNames: [name] }),
      verbs: allowed,
    };
  });
}
