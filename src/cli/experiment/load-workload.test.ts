import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SimulatedCluster } from '../../simulator/simulated-cluster.ts';
import { loadWorkload, parseWorkload } from './load-workload.ts';
import { libraryNames } from './workload-library.ts';

const POOL = `
  - metadata: { name: default }
    spec:
      template:
        spec:
          requirements:
            - { key: node.kubernetes.io/instance-type, operator: In, values: [m6a.large, m6a.xlarge] }
`;
const APP = '\n  - { kind: Deployment, name: web, replicas: 2, requests: { cpu: 500m, memory: 1Gi } }\n';

function file({ cluster = '', pools = POOL, apps = APP, more = '' }): string {
  return `name: test\n${more}${cluster === '' ? '' : `cluster: ${cluster}\n`}nodePools:${pools}apps:${apps}`;
}

const app = (fields: string) => `\n  - { kind: Deployment, name: web, replicas: 1, ${fields} }\n`;

const BAD: readonly [title: string, text: string, message: RegExp][] = [
  ['not YAML', 'name: [', /^test\.yaml: line 1, column 8: not YAML: /],
  ['nothing', '', /^test\.yaml: the file is empty/],
  ['a list', '- 1', /^test\.yaml: a list of 1: allowed: an object with/],
  [
    'an unknown field',
    file({ more: 'nodepools: []\n' }),
    /nodepools: an empty list: allowed: no field of this name: did you mean nodePools\?/,
  ],
  [
    'an unknown field of a curve',
    file({ apps: app('startup: 5s').replace('replicas: 1', 'replicas: { base: 1, wav: 3 }') }),
    /apps\[0\]\.replicas\.wav: 3: allowed: no field of this name: did you mean wave\?/,
  ],
  ['no pools', file({ pools: ' []\n' }), /nodePools: an empty list: allowed: at least one NodePool/],
  ['no workloads', file({ apps: ' []\n' }), /apps: an empty list: allowed: at least one workload/],
  [
    'a negative rate',
    file({ cluster: '{ insufficientCapacityRate: -0.1 }' }),
    /cluster\.insufficientCapacityRate: -0\.1: allowed: a number from 0 to 1/,
  ],
  [
    'a rate as text',
    file({ cluster: '{ spotInterruptionsPerDay: often }' }),
    /spotInterruptionsPerDay: "often": allowed: a number/,
  ],
  [
    'negative replicas',
    file({ apps: app('startup: 5s').replace('replicas: 1', 'replicas: -1') }),
    /apps\[0\]\.replicas\.base: -1: allowed: a whole number of at least 0/,
  ],
  [
    'a duration without unit',
    file({ cluster: '{ launchDelay: "30" }' }),
    /cluster\.launchDelay: "30": allowed: a duration/,
  ],
  [
    'a span the wrong way round',
    file({ cluster: '{ launchDelay: 60s..30s }' }),
    /launchDelay: "60s\.\.30s": allowed: two durations, the shorter one first/,
  ],
  [
    'jobs without end',
    file({ apps: '\n  - { kind: CronJob, name: j, every: 10ms, runTime: 1s }\n' }),
    /apps\[0\]\.every: "10ms": allowed: a duration of at least 1s/,
  ],
  [
    'a CronJob without time table',
    file({ apps: '\n  - { kind: CronJob, name: j, runTime: 1s }\n' }),
    /apps\[0\]\.every: not set: allowed: a value, as the kind is CronJob/,
  ],
  [
    'replicas of a Job',
    file({ apps: '\n  - { kind: Job, name: j, runTime: 1s, replicas: 3 }\n' }),
    /apps\[0\]\.replicas: an object with base: allowed: nothing, as the kind is Job/,
  ],
  [
    'an unknown kind',
    file({ apps: '\n  - { kind: Pod, name: j }\n' }),
    /apps\[0\]\.kind: "Pod": allowed: one of Deployment, StatefulSet/,
  ],
  [
    'two of one name',
    file({ apps: APP + APP.slice(1) }),
    /apps\[1\]\.name: "web": allowed: each name only once in a namespace/,
  ],
  ['a bad quantity', file({ apps: app('requests: { cpu: lots }') }), /Pod default\/web: .*requests\.cpu: "lots"/],
  [
    'a bad pod spec',
    file({
      apps: app('spec: { topologySpreadConstraints: [{ topologyKey: zone, maxSkew: 1, whenUnsatisfiable: Never }] }'),
    }),
    /Pod default\/web: .*whenUnsatisfiable: "Never"/,
  ],
  [
    'a pod too large',
    file({ apps: app('requests: { cpu: "300" }') }),
    /apps: web: a pod of 300 cpu and 0\.00 GiB: allowed: one that some instance type of the NodePools can run/,
  ],
  [
    'a pod that wants what no type has',
    file({ apps: app('requests: { nvidia.com/gpu: 2 }') }),
    /apps: web: a pod of 0 cpu and 0\.00 GiB, 2 nvidia\.com\/gpu: allowed: one/,
  ],
  ['a pod that no pool may run', file({ apps: app('spec: { nodeSelector: { disk: ssd } }') }), /apps: web: a pod/],
  [
    'a pool that can launch nothing',
    file({ pools: POOL.replace('m6a.large, m6a.xlarge', 'm99.large') }),
    /nodePools: no instance type of the catalog meets their requirements/,
  ],
  [
    'a bad pool',
    file({ pools: `${POOL}      disruption: { budgets: [{ nodes: "110%" }] }\n` }),
    /NodePool default: spec\.disruption\.budgets\[0\]\.nodes: "110%"/,
  ],
  [
    'drift of an unknown pool',
    file({ cluster: '{ drift: [{ after: 1h, nodePool: other }] }' }),
    /cluster\.drift\[0\]\.nodePool: "other": allowed: a NodePool of the file/,
  ],
  ['a bad start', file({ more: 'start: yesterday\n' }), /start: "yesterday": allowed: an RFC 3339 time/],
];

for (const [title, text, message] of BAD) {
  test(`a workload file is refused in one line: ${title}`, async () => {
    await assert.rejects(parseWorkload(text, 'test.yaml'), (error: Error) => {
      assert.match(error.message, message);
      assert.match(error.message, /^test\.yaml: /);
      assert.ok(!error.message.includes('\n'));
      return true;
    });
  });
}

test('a file that is missing, and a name that is not in the library', async () => {
  await assert.rejects(loadWorkload('./no-such.yaml'), /^InputError: \.\/no-such\.yaml: no such file or folder$/);
  await assert.rejects(
    loadWorkload('nonsense'),
    /workload nonsense: no such file, and not in the library; decant simulate --list/,
  );
});

test('copies are workloads of their own, and a spread without selector is over its own pods', async () => {
  const spread = 'spec: { topologySpreadConstraints: [{ topologyKey: kubernetes.io/hostname, maxSkew: 1 }] }';
  const { apps } = await parseWorkload(file({ apps: app(`copies: 3, ${spread}`) }), 'test.yaml');
  assert.deepEqual(
    apps.map((a) => a.name),
    ['web-1', 'web-2', 'web-3'],
  );
  assert.deepEqual(apps[1].constraints.topologySpread[0].labelSelector, { matchLabels: { app: 'web-2' } });
});

test('the example of the documentation is a workload', async () => {
  const [, yaml] = readFileSync(new URL('../../../docs/workload-files.md', import.meta.url), 'utf8').split(
    /```(?:yaml)?\n/,
  );
  const { apps } = await parseWorkload(yaml, 'docs/workload-files.md');
  assert.deepEqual(
    apps.map((a) => a.name),
    ['web-1', 'web-2', 'web-3', 'report'],
  );
});

test('policies evict in the order that Karpenter saw, the more they may do (S34)', async () => {
  const scenario = await loadWorkload('policy-triple');
  const evictions = ['WhenEmpty', 'Balanced', 'WhenEmptyOrUnderutilized'].map((consolidationPolicy) => {
    const nodePools = scenario.nodePools.map((pool) => ({ ...pool, consolidationPolicy }));
    const cluster = new SimulatedCluster({ ...scenario, nodePools }, { seed: 1, consolidation: 'stock' });
    cluster.advanceTo(scenario.startMs + 12 * 3_600_000);
    return cluster.ledger.summary().evictions;
  });
  const [whenEmpty, balanced, always] = evictions;
  assert.ok(whenEmpty < balanced && balanced < always, evictions.join(' < '));
});

test('every workload of the library runs, with every replica somewhere in the end', async () => {
  const names = libraryNames();
  assert.ok(names.length >= 18);
  for (const name of names) {
    const scenario = await loadWorkload(name);
    assert.equal(scenario.name, name);
    const cluster = new SimulatedCluster(scenario, { seed: 1, consolidation: 'none' });
    // Replicas of traces change every five minutes: a minute before they do.
    cluster.advanceTo(scenario.startMs + 19 * 60_000);
    for (const state of cluster.world.apps) {
      if (state.app.kind === 'Deployment' || state.app.kind === 'StatefulSet')
        assert.ok(
          state.ready >= state.desired * 0.9 - 1,
          `${name}: ${state.app.name} has ${state.ready} of ${state.desired}`,
        );
    }
  }
});
