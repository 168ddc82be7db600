import { addApp, addReplica, container } from '../apps.ts';
import { type AppDraft, addGate, type Draft, HOUR, time } from '../draft.ts';
import { DELETION_COST, DO_NOT_DISRUPT, HOSTNAME, NODEPOOL, ZONE } from '../names.ts';
import type { Pod } from '../shapes.ts';
import type { Theme } from '../theme.ts';
import { requireTerms, selector } from './requirements.ts';

/** Pods in every state: pending, terminating, done, static, ownerless, protected, nominated. */
export const pods: Theme = {
  apps(d) {
    for (const app of d.apps) {
      const r = d.random;
      if (r.chance(0.1))
        app.annotations[DO_NOT_DISRUPT] = r.pick(['true', '1h', '99999h', '9999h30m', '1d', 'false', '-5m', '0s', '']);
      if (r.chance(0.1))
        app.spec.tolerations = r.pick([
          [{ key: 'karpenter.sh/disrupted', operator: 'Exists' }],
          [{ operator: 'Exists' }],
        ]);
      if (r.chance(0.1)) app.owner = undefined;
      if (r.chance(0.05)) app.spec.nodeSelector = { [HOSTNAME]: r.pick(d.nodes).name };
      if (r.chance(0.02)) claimDevice(d, app);
      if (r.chance(0.4)) app.onPod.push((pod) => state(d, pod));
    }
  },
  placed(d) {
    const agents = d.pods.filter((p) => p.metadata.ownerReferences?.[0]?.kind === 'DaemonSet');
    if (agents.length > 0 && d.random.chance(0.3))
      d.random.pick(agents).metadata.annotations = { [DO_NOT_DISRUPT]: 'true' };
    pending(d);
  },
};

/** Karpenter turns away every pod that names a resource claim, in the pod or in a container. */
function claimDevice(d: Draft, app: AppDraft): void {
  app.spec.resourceClaims = [{ name: 'device', resourceClaimName: 'some-device' }];
  const main = app.spec.containers[0];
  if (main && d.random.chance(0.5)) main.resources = { ...main.resources, claims: [{ name: 'device' }] };
}

function state(d: Draft, pod: Pod): void {
  const r = d.random;
  if (pod.spec.nodeName === undefined) return;
  r.pick<() => void>([
    () => terminating(pod),
    () => {
      terminating(pod);
      pod.metadata.ownerReferences = [
        { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's', uid: 'owner-s', controller: true },
      ];
    },
    () => {
      pod.status.phase = r.pick(['Failed', 'Succeeded']);
    },
    () => {
      pod.metadata.ownerReferences = [
        { apiVersion: 'v1', kind: 'Node', name: pod.spec.nodeName ?? '', uid: 'node-uid', controller: true },
      ];
    },
    () => {
      pod.metadata.annotations = {
        ...pod.metadata.annotations,
        [DELETION_COST]: r.pick(['100', '-2147483648', '2147483647', 'many', '1.5', '-134217728']),
      };
    },
    () => {
      pod.status.phase = 'Pending';
    },
    () => {
      delete pod.status.startTime;
    },
    () => {
      pod.metadata.ownerReferences?.push({
        apiVersion: r.pick(['apps/v1', 'extensions/v1beta1']),
        kind: 'DaemonSet',
        name: 'x',
        uid: 'x',
      });
    },
    () => {
      pod.metadata.creationTimestamp = time(d.nowMs - 100 * HOUR);
    },
    () => {
      pod.status.conditions = [
        { type: 'PodScheduled', status: 'True' },
        { type: 'Ready', status: 'False' },
      ];
    },
  ])();
}

function terminating(pod: Pod): void {
  Object.assign(pod.metadata, { deletionTimestamp: '2026-08-20T11:59:30Z', deletionGracePeriodSeconds: 60 });
}

/** Pods that wait for a node; some can be helped. */
export function pending(d: Draft): void {
  const r = d.random;
  const count = r.pick([0, 1, 1, 2, 3, 5]);
  for (let i = 0; i < count; i++) {
    const app = r.chance(0.5) ? addApp(d, `waiting-${i}`) : { ...r.pick(d.apps) };
    if (r.chance(0.4)) r.pick(PENDING)(d, app);
    const pod = addReplica(d, app, undefined);
    if (r.chance(0.1)) pod.status.nominatedNodeName = r.pick(d.nodes).name;
    if (r.chance(0.1))
      pod.status.conditions = [
        { type: 'PodScheduled', status: 'False', reason: r.pick(['SchedulingGated', 'SchedulerError']) },
      ];
    if (r.chance(0.05)) terminating(pod);
  }
}

const PENDING: readonly ((d: Draft, app: AppDraft) => void)[] = [
  (_d, app) => {
    app.spec = { ...app.spec, containers: [container(900000, 64)] };
  },
  (d, app) => {
    app.spec = { ...app.spec, containers: [container(d.random.pick([3000, 7000, 15000]), 512)] };
  },
  (_d, app) => {
    app.spec = { ...app.spec, nodeSelector: { 'example.com/nowhere': 'x' } };
  },
  (_d, app) => {
    app.spec = { ...app.spec, nodeSelector: { [HOSTNAME]: 'n001-aa' } };
  },
  (_d, app) => {
    app.spec = structuredClone(app.spec);
    requireTerms(app.spec, [{ matchExpressions: [{ key: NODEPOOL, operator: 'DoesNotExist' }] }]);
  },
  (_d, app) => {
    app.spec = structuredClone(app.spec);
    requireTerms(app.spec, [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['x'] }] }]);
  },
  (d, app) => {
    app.spec = { ...app.spec, nodeSelector: selector(d) };
  },
  (d, app) => {
    app.spec = { ...app.spec, nodeSelector: { [ZONE]: d.random.pick(d.zones) } };
  },
  (_d, app) => {
    app.spec = { ...app.spec, nodeSelector: { 'karpenter.sh/special': 'x' } };
  },
];

/** How much it costs to move a pod, up to "nothing". */
export const costs: Theme = {
  start(d) {
    if (d.random.chance(0.2)) addGate(d, 'PodDeletionCostManagement=true');
  },
  apps(d) {
    for (const app of d.apps) {
      const r = d.random;
      if (r.chance(0.4))
        app.spec.priority = r.pick([
          100000, 50000000, 1000000000, 2000000000, -33554432, -33554433, -40000000, -400000000, 0,
        ]);
      if (r.chance(0.3))
        app.annotations[r.pick([DELETION_COST, 'karpenter.sh/disruption-cost'])] = r.pick([
          '100',
          '-100',
          '1000000000',
          '-134217728',
          '-134217729',
          '2147483648',
          'abc',
          '',
          ' 5',
          '+7',
          'inf',
          '1e9',
          '0x1p30',
          '1_000',
        ]);
    }
  },
  nodes(d) {
    // Past its time: nothing is left of its cost by remaining lifetime.
    for (const n of d.nodes)
      if (n.claim && d.random.chance(0.1)) n.claim.metadata.creationTimestamp = time(d.nowMs - 900 * HOUR);
    for (const n of d.nodes) if (n.claim && d.random.chance(0.1)) n.claim.spec.terminationGracePeriod = '1h';
  },
  pools(d) {
    for (const pool of d.pools)
      if (d.random.chance(0.3))
        pool.object.spec.disruption.consolidationPolicy = d.random.pick(['WhenEmpty', 'Balanced']);
  },
};
