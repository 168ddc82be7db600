import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { load as parseYaml } from 'js-yaml';
import { decant } from '../../../test/build/decant.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/forty-nodes.json.gz');
interface Shape {
  readonly objects: readonly { readonly kind: string; readonly spec?: { readonly disruption?: unknown } }[];
}

const NOW = '2026-08-20T12:00:00Z';

async function planOf(args: readonly string[], stdin = ''): Promise<unknown> {
  const { code, stdout, stderr } = await decant(['plan', ...args, '--search', 'karpenter', '-o', 'json'], stdin);
  assert.equal(code, 0, stderr);
  const plan = JSON.parse(stdout);
  return { ...plan, totals: { ...plan.totals, loadMs: 0, elapsedMs: 0 } };
}

describe('the plan of a snapshot is the plan of what it was made from', () => {
  for (const [output, catalog] of [
    ['yaml', []],
    ['json', ['--catalog', 'aws/us-east-1']],
  ] as const) {
    test(`as ${output} ${catalog.join(' ')}`, async () => {
      const snapshot = await decant(['snapshot', '-f', EXAMPLE, ...catalog, '-o', output]);
      assert.equal(snapshot.stderr, '');
      const [of, from] = await Promise.all([planOf(['-f', '-'], snapshot.stdout), planOf(['-f', EXAMPLE, ...catalog])]);
      assert.deepEqual(of, from);
    });
  }

  test('with a time, prices and availability of its own', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'decant-'));
    t.after(() => rm(folder, { recursive: true }));
    const [overlay, unavailable] = [join(folder, 'overlay.yaml'), join(folder, 'unavailable.yaml')];
    await writeFile(overlay, '[{capacityType: on-demand, price: "-50%"}]');
    await writeFile(unavailable, '[m5.*/us-east-1a]');
    const own = ['--now', '2026-08-20T18:00:00Z', '--overlay', overlay, '--unavailable', unavailable];
    const snapshot = await decant(['snapshot', '-f', EXAMPLE, ...own]);
    const plan = await planOf(['-f', EXAMPLE, ...own]);
    assert.deepEqual(await planOf(['-f', '-'], snapshot.stdout), plan);
    assert.notDeepEqual(plan, await planOf(['-f', EXAMPLE]));
  });
});

describe('what decisions do not need is not there', () => {
  const SECRET = 'hunter2';
  /** Every place that may contain private data. */
  const metadata = (name: string) => ({
    name,
    annotations: { [SECRET]: SECRET, 'kubectl.kubernetes.io/last-applied-configuration': SECRET },
    managedFields: [{ manager: SECRET }],
    finalizers: [SECRET],
    generateName: SECRET,
  });
  const container = {
    name: SECRET,
    image: SECRET,
    command: [SECRET],
    env: [{ name: SECRET, value: SECRET }],
    envFrom: [{ secretRef: { name: SECRET } }],
    resources: { requests: { cpu: '1' }, limits: { [`example.com/${SECRET}`]: '1' } },
    ports: [{ name: SECRET, containerPort: 80, hostPort: 80 }],
    volumeMounts: [{ mountPath: SECRET }],
  };
  const podSpec = {
    containers: [container],
    initContainers: [container],
    serviceAccountName: SECRET,
    imagePullSecrets: [{ name: SECRET }],
    hostname: SECRET,
    resourceClaims: [{ name: SECRET }],
    volumes: [
      { name: SECRET, secret: { secretName: SECRET } },
      { name: 'scratch', ephemeral: { volumeClaimTemplate: { metadata: { annotations: { a: SECRET } } } } },
    ],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists', [SECRET]: SECRET }] }],
          [SECRET]: SECRET,
        },
        [SECRET]: SECRET,
      },
    },
    tolerations: [{ operator: 'Exists', [SECRET]: SECRET }],
    topologySpreadConstraints: [{ topologyKey: 'a', maxSkew: 1, [SECRET]: SECRET }],
  };
  const status = { message: SECRET, conditions: [{ type: 'Ready', status: 'True', message: SECRET, reason: SECRET }] };
  const pool = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: metadata('default'),
    spec: {
      template: {
        metadata: { labels: { team: 'a' }, annotations: { a: SECRET } },
        spec: {
          requirements: [{ key: 'a', operator: 'In', values: ['b'], [SECRET]: SECRET }],
          kubelet: { [SECRET]: SECRET },
        },
      },
      disruption: {
        consolidateAfter: '30s',
        budgets: [{ nodes: '1', [SECRET]: SECRET }],
        balancedK: { [SECRET]: SECRET },
        consolidation: { multiNode: { maxParallel: 3, [SECRET]: [SECRET] } },
        [SECRET]: { [SECRET]: SECRET },
      },
    },
    status,
  };
  const objects = [
    { apiVersion: 'v1', kind: 'Secret', metadata: metadata('s'), data: { a: SECRET } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata('c'), data: { a: SECRET } },
    { apiVersion: 'v1', kind: 'Pod', metadata: metadata('web'), spec: podSpec, status },
    { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: metadata('agent'), spec: { template: { spec: podSpec } } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: metadata('web'),
      spec: { replicas: 2, template: { spec: podSpec } },
      status,
    },
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: metadata('n'),
      spec: { podCIDR: SECRET },
      status: { ...status, addresses: [SECRET], images: [{ names: [SECRET] }], nodeInfo: { machineID: SECRET } },
    },
    {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: metadata('n'),
      spec: { [SECRET]: SECRET },
      status: { ...status, imageID: SECRET },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: metadata('v'),
      spec: {
        csi: { driver: 'ebs.csi.aws.com', volumeHandle: SECRET, volumeAttributes: { a: SECRET } },
        hostPath: { path: SECRET },
        awsElasticBlockStore: { volumeID: SECRET },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: metadata('v'),
      spec: { volumeName: 'v', dataSource: { name: SECRET } },
    },
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: metadata('gp3'),
      provisioner: 'ebs.csi.aws.com',
      parameters: { key: SECRET },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: metadata('web'),
      spec: { selector: { matchLabels: { app: 'web' }, [SECRET]: SECRET }, maxUnavailable: 1, [SECRET]: SECRET },
      status: { disruptionsAllowed: 1, [SECRET]: SECRET },
    },
    pool,
  ];
  const instanceTypes = [
    {
      name: 'small',
      architecture: 'amd64',
      operatingSystems: ['linux'],
      resources: { cpu: '2' },
      offerings: [{ price: 1, zone: 'a', capacityType: 'spot', [SECRET]: SECRET }],
      [SECRET]: SECRET,
    },
  ];

  for (const output of ['json', 'yaml']) {
    test(`as ${output}`, async () => {
      const input = JSON.stringify({ now: NOW, instanceTypes, objects, [SECRET]: SECRET });
      const { code, stdout, stderr } = await decant(['snapshot', '-f', '-', '-o', output], input);
      assert.equal(code, 0, stderr);
      // Resource names are needed: what a pod asks for decides where it fits.
      assert.ok(!stdout.replaceAll(`example.com/${SECRET}`, '').includes(SECRET), stdout);
      const snapshot = (output === 'json' ? JSON.parse(stdout) : parseYaml(stdout)) as Shape;
      assert.deepEqual(
        snapshot.objects.map(({ kind }) => kind).sort(),
        objects
          .map(({ kind }) => kind)
          .filter((kind) => kind !== 'Secret' && kind !== 'ConfigMap')
          .sort(),
      );
      assert.deepEqual(snapshot.objects.find(({ kind }) => kind === 'NodePool')?.spec?.disruption, {
        consolidateAfter: '30s',
        budgets: [{ nodes: '1' }],
        consolidation: { multiNode: { maxParallel: 3 } },
      });
      assert.match(stderr, /NodePool\/default: spec\.disruption\.consolidation\.multiNode\.hunter2 is unknown/);
    });
  }
});

test('an empty cluster', async () => {
  for (const output of ['json', 'yaml']) {
    const { stdout } = await decant(
      ['snapshot', '-f', '-', '-o', output],
      `{"now":"${NOW}","instanceTypes":[],"objects":[]}`,
    );
    assert.deepEqual(parseYaml(stdout), { now: NOW, instanceTypes: [], objects: [] });
  }
});
