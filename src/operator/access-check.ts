import type { ApiClient } from '../live/api-client.ts';
import { AUTOSCALER_RESOURCE, JOURNAL_RESOURCE, POLICY_RESOURCE, RESOURCES } from '../live/resource.ts';

/** A permission that the process needs. */
export interface Access {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  /** Name of the only object that it is needed for. */
  readonly name?: string;
}

export interface AccessNeeds {
  readonly mode: 'observe' | 'act';
  /** Namespace of the Lease; undefined without leader election. */
  readonly leaseNamespace?: string;
  readonly leaseName?: string;
  /** Users of the dashboard are authenticated by the API server. */
  readonly reviews?: boolean;
  /** Steering patches pods. */
  readonly steer?: boolean;
  /** Rollouts read autoscalers and patch Deployments, and the deletion costs of pods. */
  readonly rollouts?: boolean;
  /** false: read only. */
  readonly writes?: boolean;
}

/** All permissions of a run. The chart's ClusterRole grants exactly these. */
export function accessNeeded(needs: AccessNeeds): readonly Access[] {
  const { mode, leaseNamespace, leaseName, reviews = false, steer = false, rollouts = false, writes = true } = needs;
  const of = (group: string, resource: string, ...verbs: readonly string[]) =>
    verbs.map((verb): Access => ({ verb, group, resource }));
  const optional = rollouts ? [AUTOSCALER_RESOURCE] : [];
  const read = [...Object.values(RESOURCES), ...optional, POLICY_RESOURCE, JOURNAL_RESOURCE];
  const reading = read.flatMap(({ group, plural }) => of(group, plural, 'list', 'watch'));
  if (!writes) return reading;
  return [
    ...reading,
    ...of(POLICY_RESOURCE.group, POLICY_RESOURCE.plural, 'get'),
    { verb: 'patch', group: POLICY_RESOURCE.group, resource: POLICY_RESOURCE.plural, subresource: 'status' },
    { verb: 'create', group: 'events.k8s.io', resource: 'events' },
    ...(leaseNamespace === undefined
      ? []
      : of('coordination.k8s.io', 'leases', 'get', 'create', 'update').map((a) => ({
          ...a,
          namespace: leaseNamespace,
          // RBAC cannot limit `create` to a name.
          ...(leaseName === undefined || a.verb === 'create' ? {} : { name: leaseName }),
        }))),
    ...(reviews
      ? [
          ...of('authentication.k8s.io', 'tokenreviews', 'create'),
          ...of('authorization.k8s.io', 'subjectaccessreviews', 'create'),
        ]
      : []),
    ...(mode === 'observe'
      ? []
      : [
          ...of('', 'nodes', 'get', 'patch'),
          ...(steer || rollouts ? of('', 'pods', 'get', 'patch') : []),
          ...(rollouts ? of('apps', 'deployments', 'get', 'patch') : []),
          ...of('karpenter.sh', 'nodepools', 'get'),
          ...of('karpenter.sh', 'nodeclaims', 'get', 'create', 'delete'),
          ...of(JOURNAL_RESOURCE.group, JOURNAL_RESOURCE.plural, 'create', 'update', 'delete'),
        ]),
  ];
}

/** For Karpenter's prices and the zones of NodeClasses. Optional: without it, bundled prices are used. */
export const ACCESS_FOR_PRICES: readonly Access[] = [
  { verb: 'get', group: '', resource: 'pods' },
  { verb: 'get', group: 'coordination.k8s.io', resource: 'leases', name: 'karpenter-leader-election' },
  { verb: 'list', group: 'karpenter.k8s.aws', resource: 'ec2nodeclasses' },
  { verb: 'list', group: 'eks.amazonaws.com', resource: 'nodeclasses' },
];

const AT_ONCE = 8;

/** The missing permissions. Throws ApiError if the API server does not answer. */
export async function accessMissing(client: ApiClient, needed: readonly Access[]): Promise<readonly Access[]> {
  const missing: Access[] = [];
  const left = [...needed];
  const ask = async () => {
    for (let access = left.shift(); access !== undefined; access = left.shift())
      if (!(await isAllowed(client, access))) missing.push(access);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return needed.filter((access) => missing.includes(access));
}

async function isAllowed(client: ApiClient, resourceAttributes: Access): Promise<boolean> {
  const { status } = await client.request<{ readonly status?: { readonly allowed?: unknown } }>({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    },
  });
  return status?.allowed === true;
}

/** Such as: list, watch pods; create leases.coordination.k8s.io in namespace kube-system. */
export function accessInWords(missing: readonly Access[]): string {
  const groups = Map.groupBy(missing, ({ group, resource, subresource, namespace }) => {
    const name = `${resource}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
    return namespace === undefined ? name : `${name} in namespace ${namespace}`;
  });
  return [...groups].map(([what, accesses]) => `${accesses.map((a) => a.verb).join(', ')} ${what}`).join('; ');
}
