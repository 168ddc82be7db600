import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Blocker } from '../engine/blockers/blocker.ts';
import type { PodConstraints, PodObject } from '../engine/cluster/objects.ts';
import { remedyFor } from './blocker-remedy.ts';

const KEEP = 'karpenter.sh/do-not-disrupt';

test('the patch is of the block that applies: of the pool, of the policy that selects it, or of its open window', () => {
  const budget: Blocker = { kind: 'Budget', nodePool: 'general' };
  const setting: Blocker = { kind: 'Policy', nodePool: 'general', setting: 'consolidationPolicy' };
  const of = { policy: 'web' };
  assert.deepEqual(
    [budget, setting, { ...budget, of }, { ...setting, of }, { ...setting, of: { ...of, window: 1 } }].map((blocker) =>
      remedyFor({ blocker, pods: [] }),
    ),
    [
      `kubectl patch nodepool general --type merge -p '{"spec":{"disruption":{"budgets":[{"nodes":"100%"}]}}}'`,
      `kubectl patch nodepool general --type merge -p '{"spec":{"disruption":{"consolidationPolicy":"WhenEmptyOrUnderutilized"}}}'`,
      `kubectl patch consolidationpolicy web --type merge -p '{"spec":{"budgets":[{"nodes":"100%"}]}}'`,
      `kubectl patch consolidationpolicy web --type merge -p '{"spec":{"consolidationPolicy":"WhenEmptyOrUnderutilized"}}'`,
      `kubectl patch consolidationpolicy web --type json -p '[{"op":"add","path":"/spec/windows/1/consolidationPolicy","value":"WhenEmptyOrUnderutilized"}]'`,
    ],
  );
});

test('an annotation is removed where the pods have it from: a Job’s template cannot change, a ReplicaSet’s reaches no running pod', () => {
  const merge = (kind: string, spec: unknown) =>
    `kubectl patch ${kind} report -n batch --type merge -p '${JSON.stringify({ spec })}'`;
  const template = { metadata: { annotations: { [KEEP]: null } } };
  const cases: readonly [workload: string, pods: readonly string[], remedy: string][] = [
    ['Deployment batch/report', ['report-1'], merge('deployment', { template })],
    ['StatefulSet batch/report', ['report-1'], merge('statefulset', { template })],
    ['CronJob batch/report', ['report-1'], merge('cronjob', { jobTemplate: { spec: { template } } })],
    [
      'Job batch/report',
      ['report-1'],
      `kubectl annotate pods -n batch -l batch.kubernetes.io/job-name=report ${KEEP}-`,
    ],
    ['Pod batch/report', ['report'], `kubectl annotate pods -n batch report ${KEEP}-`],
    ['ReplicaSet batch/report', ['report-1', 'report-4'], `kubectl annotate pods -n batch report-1 report-4 ${KEEP}-`],
    ['Rollout batch/report', ['report-1'], `kubectl annotate pods -n batch report-1 ${KEEP}-`],
    [
      'Rollout batch/report',
      ['a', 'b', 'c', 'd', 'e', 'f'],
      `remove the annotation ${KEEP} from the 6 pods and the pod template of Rollout batch/report`,
    ],
  ];
  for (const [workload, names, remedy] of cases) {
    const blocker: Blocker = { kind: 'PodAnnotation', workload, annotation: KEEP };
    const pods = names.map((name) => pod({}, { namespace: 'batch', name }));
    assert.equal(remedyFor({ blocker, pods }), remedy);
  }
});

test('decant.sh/move is removed from the Deployment, or from its template if the pods have it themselves', () => {
  const blocker: Blocker = { kind: 'PodAnnotation', workload: 'Deployment shop/cart', annotation: 'decant.sh/move' };
  assert.equal(remedyFor({ blocker, pods: [pod({})] }), 'kubectl annotate deployment cart -n shop decant.sh/move-');
  assert.equal(
    remedyFor({ blocker, pods: [pod({}, { move: 'rollout' })] }),
    `kubectl patch deployment cart -n shop --type merge -p '{"spec":{"template":{"metadata":{"annotations":{"decant.sh/move":null}}}}}'`,
  );
});

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const SPREAD = { maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' } as const;
const TERM = 'requiredDuringSchedulingIgnoredDuringExecution';

test('a constraint is removed from the pod template by a patch that fails if the template is another', () => {
  const cases: readonly [
    constraint: Extract<Blocker, { kind: 'Constraint' }>['constraint'],
    key: string,
    given: Partial<PodConstraints>,
    operations: readonly object[],
  ][] = [
    [
      'spread',
      ZONE,
      {
        topologySpread: [
          { ...SPREAD, topologyKey: HOST },
          { ...SPREAD, topologyKey: ZONE, whenUnsatisfiable: 'ScheduleAnyway' },
          { ...SPREAD, topologyKey: ZONE },
        ],
      },
      [
        { op: 'test', path: '/spec/template/spec/topologySpreadConstraints/2/topologyKey', value: ZONE },
        {
          op: 'replace',
          path: '/spec/template/spec/topologySpreadConstraints/2/whenUnsatisfiable',
          value: 'ScheduleAnyway',
        },
      ],
    ],
    [
      'anti-affinity',
      HOST,
      { requiredAntiAffinity: [{ topologyKey: HOST }, { topologyKey: ZONE }, { topologyKey: HOST }] },
      [2, 0].flatMap((i) => [
        {
          op: 'test',
          path: `/spec/template/spec/affinity/podAntiAffinity/${TERM}/${i}/topologyKey`,
          value: HOST,
        },
        { op: 'remove', path: `/spec/template/spec/affinity/podAntiAffinity/${TERM}/${i}` },
      ]),
    ],
    [
      'node-affinity',
      ZONE,
      {
        nodeSelector: { [ZONE]: 'a' },
        requiredNodeTerms: [
          {
            matchExpressions: [
              { key: 'arch', operator: 'Exists' },
              { key: ZONE, operator: 'In', values: ['a'] },
            ],
          },
        ],
      },
      [
        { op: 'remove', path: '/spec/template/spec/nodeSelector/topology.kubernetes.io~1zone' },
        {
          op: 'test',
          path: `/spec/template/spec/affinity/nodeAffinity/${TERM}/nodeSelectorTerms/0/matchExpressions/1/key`,
          value: ZONE,
        },
        {
          op: 'remove',
          path: `/spec/template/spec/affinity/nodeAffinity/${TERM}/nodeSelectorTerms/0/matchExpressions/1`,
        },
      ],
    ],
    [
      'node-affinity',
      ZONE,
      { requiredNodeTerms: [{ matchExpressions: [{ key: ZONE, operator: 'Exists' }] }] },
      [{ op: 'remove', path: `/spec/template/spec/affinity/nodeAffinity/${TERM}` }],
    ],
  ];
  for (const [constraint, key, given, operations] of cases) {
    const blocker: Blocker = { kind: 'Constraint', workload: 'Deployment shop/cart', constraint, key };
    assert.equal(
      remedyFor({ blocker, pods: [pod(given)] }),
      `kubectl patch deployment cart -n shop --type json -p '${JSON.stringify(operations)}'`,
    );
  }
});

test('where no patch is known, the remedy says what to relax: other kinds, alternatives, a constraint that the pods do not have', () => {
  const blocker: Blocker = {
    kind: 'Constraint',
    workload: 'Deployment shop/cart',
    constraint: 'node-affinity',
    key: ZONE,
  };
  const inWords = `relax node affinity on ${ZONE} in the pod template of `;
  const zone = { matchExpressions: [{ key: ZONE, operator: 'Exists' }] } as const;
  const alternatives = pod({ requiredNodeTerms: [zone, { matchExpressions: [{ key: 'arch', operator: 'Exists' }] }] });
  const selected = pod({ nodeSelector: { [ZONE]: 'a' } });
  assert.equal(remedyFor({ blocker, pods: [alternatives] }), `${inWords}Deployment shop/cart`);
  assert.equal(remedyFor({ blocker, pods: [pod({})] }), `${inWords}Deployment shop/cart`);
  assert.equal(
    remedyFor({ blocker: { ...blocker, workload: 'ReplicaSet shop/cart-1' }, pods: [selected] }),
    `${inWords}ReplicaSet shop/cart-1`,
  );
});

function pod(constraints: Partial<PodConstraints>, fields: Partial<PodObject> = {}): PodObject {
  const none = { nodeSelector: {}, requiredAffinity: [], requiredAntiAffinity: [], topologySpread: [] };
  return { namespace: 'shop', name: 'cart-1', constraints: { ...none, ...constraints }, ...fields } as PodObject;
}
