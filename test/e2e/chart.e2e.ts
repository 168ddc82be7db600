// The chart, with the programs that its users have: helm, where it has been built (npm run test:e2e:tools), and a real
// API server, which also says what the chart's roles allow.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { loadAll } from 'js-yaml';
import { type ApiClient, connect } from '../../src/live/api-client.ts';
import { ACCESS_FOR_PRICES, type Access, accessMissing, accessNeeded } from '../../src/operator/access-check.ts';
import { Cluster } from './cluster.ts';
import { DecantRun } from './decant-run.ts';
import { installDecant } from './live.ts';
import { fillAndScaleDown, scenarioPods, scenarioPolicy, scenarioPool } from './scenario-pools.ts';
import { builtTool } from './tools/optional-tool.ts';
import { CHART, plainManifests, rendered } from './tools/plain-manifests.ts';

const run = promisify(execFile);
const DEPLOY = join(CHART, '..', '..', 'deploy');
const helm = builtTool('helm');
const promtool = builtTool('promtool');
const NAMESPACE = 'decant';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

let cluster: Cluster;
before(async () => {
  cluster = await Cluster.start();
  await installDecant(cluster);
  await cluster.plane.kubectl(['create', 'namespace', NAMESPACE]);
});
after(() => cluster?.plane.stop());

const withoutHelm = { skip: helm === undefined ? 'no helm: npm run test:e2e:tools' : false };

describe('the chart', withoutHelm, () => {
  test('helm lint', async () => {
    await run(helm!, ['lint', '--strict', CHART]);
  });

  for (const [value, message] of [
    ['mode=on', /mode/],
    ['replicas=-1', /replicas/],
    ['networkpolicy.enabled=false', /networkpolicy/],
    ['switches.Pool Cooldown=5m', /switches|Pool Cooldown/],
    ['metrics.port=80', /port/],
  ] as const) {
    test(`refuses ${value}`, async () => {
      await assert.rejects(rendered(helm!, value), message);
    });
  }

  const variants: readonly (readonly string[])[] = [
    [],
    ['mode=act', 'replicas=2', 'switches.scaledown-utilization-threshold=1', 'extraArgs={--search=karpenter}'],
    ['serviceAccount.create=false,serviceAccount.name=other', 'rbac.create=false', 'networkPolicy.enabled=false'],
    [
      'networkPolicy.metricsFrom[0].podSelector.matchLabels.app=prometheus',
      'priorityClassName=system-cluster-critical',
    ],
    ['dashboard.enabled=true', 'dashboard.tls.secret=certificate', 'dashboard.audience=decant'],
    [
      'metrics.grafanaDashboard.enabled=true',
      'podAnnotations.a=b',
      'nodeSelector.a=b',
      'tolerations[0].operator=Exists',
    ],
  ];
  for (const values of variants) {
    test(`the API server takes it with ${values.join(' ') || 'its defaults'}`, async () => {
      const text = await rendered(helm!, ...values);
      await cluster.plane.kubectl(['apply', '--server-side', '--dry-run=server', '-f', '-'], text);
    });
  }

  test('a Service for the dashboard only with TLS, or where plain HTTP is asked for; elsewhere loopback', async () => {
    const of = async (...values: readonly string[]) => {
      const text = await rendered(helm!, 'dashboard.enabled=true', ...values);
      const service = /^kind: Service\nmetadata:\n {2}name: \S+-dashboard$/m.test(text);
      return { service, flags: text.match(/--dashboard-(bind-address|tls-cert-file|plain-http)[^\s]*/g)?.sort() };
    };
    assert.deepEqual(await of(), { service: false, flags: ['--dashboard-bind-address=127.0.0.1'] });
    const tls = '--dashboard-tls-cert-file=/etc/decant/dashboard-tls/tls.crt';
    const open = '--dashboard-bind-address=0.0.0.0';
    assert.deepEqual(await of('dashboard.tls.secret=certificate'), { service: true, flags: [open, tls] });
    assert.deepEqual(await of('dashboard.plainHttp=true'), { service: true, flags: [open, '--dashboard-plain-http'] });
  });

  test('what needs the Prometheus operator is well-formed and there only when asked for', async () => {
    const on = ['metrics.serviceMonitor.enabled=true', 'metrics.prometheusRule.enabled=true'];
    const all = manifests(await rendered(helm!, ...on));
    const rule = all.find(({ kind }) => kind === 'PrometheusRule') as { spec?: { groups?: unknown[] } } | undefined;
    assert.equal(rule?.spec?.groups?.length, 2);
    assert.ok(all.some(({ kind }) => kind === 'ServiceMonitor'));
    assert.ok(!manifests(await rendered(helm!)).some(({ kind }) => /Monitor|Rule$/.test(kind)));
  });

  test('everything with a namespace says which; every container is confined', async () => {
    const cluster = /^(Cluster|CustomResourceDefinition)/;
    const all = manifests(await rendered(helm!, 'mode=act', 'replicas=2', 'metrics.grafanaDashboard.enabled=true'));
    for (const { kind, metadata } of all)
      assert.equal(metadata.namespace !== undefined, !cluster.test(kind), `${kind} ${metadata.name}`);
    assert.ok(all.some(({ kind }) => kind === 'PodDisruptionBudget'));
    const deployment = all.find(({ kind }) => kind === 'Deployment') as unknown as Deployment;
    for (const { securityContext, resources } of deployment.spec.template.spec.containers) {
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.ok(resources.requests && resources.limits);
    }
  });

  test('deploy/decant.yaml is what the chart makes of its defaults', async () => {
    assert.equal(readFileSync(join(DEPLOY, 'decant.yaml'), 'utf8'), await plainManifests());
  });
});

interface Deployment {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly securityContext: unknown;
          readonly resources: { readonly requests?: unknown; readonly limits?: unknown };
        }[];
      };
    };
  };
}

test('plain manifests are taken as they are', async () => {
  await cluster.plane.kubectl(['apply', '--server-side', '-f', join(DEPLOY, 'decant.yaml')]);
});

describe('the chart’s service account', withoutHelm, () => {
  const user = `system:serviceaccount:${NAMESPACE}:decant`;

  for (const mode of ['observe', 'act'] as const) {
    test(`in mode ${mode} may do what the controller does, and nothing else`, async () => {
      const roles = manifests(await rendered(helm!, `mode=${mode}`)).filter(({ kind }) => /Role(Binding)?$/.test(kind));
      await cluster.apply(...roles);
      const kubeconfig = await cluster.plane.kubeconfigFor(`chart-${mode}`, { user, groups: ['system:authenticated'] });
      const client = await connect({ kubeconfig });
      // The Role names the Lease, which is called as the release is.
      const run = accessNeeded({ mode, leaseNamespace: NAMESPACE, leaseName: 'decant' });
      const needed = [...run, ...ACCESS_FOR_PRICES];
      await cluster.until(
        'the API server has taken the roles in',
        async () => (await accessMissing(client, needed)).length === 0,
      );
      for (const namespace of ['default', NAMESPACE, 'kube-system']) {
        const wanted = needed.filter((access) => access.namespace === undefined || access.namespace === namespace);
        assert.deepEqual(await allowedIn(client, namespace), [...new Set(wanted.map(text))].sort(), namespace);
      }
    });
  }

  test('with these rights a node is replaced, and nothing is forbidden on the way', async () => {
    const kubeconfig = await cluster.plane.kubeconfigFor('chart-run', { user, groups: ['system:authenticated'] });
    await cluster.apply(scenarioPool('rights'), scenarioPolicy('rights'), scenarioPods('rights', 7));
    await fillAndScaleDown(cluster, { rights: 1 });
    // The plain manifests' own pod has a node too.
    const claims = () => cluster.list('nodeclaims', '-l', 'karpenter.sh/nodepool=rights');
    const [before] = await claims();
    await using controller = await DecantRun.start(cluster, {
      kubeconfig,
      flags: ['--mode', 'act', '--leader-elect-namespace', NAMESPACE],
    });
    await controller.until('the command is done', () => controller.said(/^command done/), { timeoutMs: 240_000 });
    const [claim, ...more] = await claims();
    assert.deepEqual(more, []);
    assert.notEqual(claim.metadata.name, before.metadata.name);
    await controller.until('its status is written', async () => {
      const status = await cluster.plane.kubectl(['get', 'dpol', 'rights', '-o', 'jsonpath={.status.nodePools}']);
      return status === '1';
    });
    assert.equal(await controller.metric('decant_api_requests_total', { code: '403' }), undefined);
    assert.ok(((await controller.metric('decant_events_total', { result: 'sent' })) ?? 0) > 0);
    assert.equal(await controller.metric('decant_events_total', { result: 'failed' }), undefined);
    assert.equal((await controller.stop()).code, 0);
  });

  async function allowedIn(client: ApiClient, namespace: string): Promise<readonly string[]> {
    const { status } = await client.request<RulesReview>({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } },
    });
    const all = status.resourceRules.flatMap(({ apiGroups, resources, verbs }) => {
      return apiGroups.flatMap((g) => resources.flatMap((r) => verbs.map((v) => `${v} ${r}.${g}`)));
    });
    // Everybody may ask what they may do.
    return [...new Set(all.filter((each) => !/ self\w+\.(authorization|authentication)\.k8s\.io$/.test(each)))].sort();
  }
});

interface RulesReview {
  readonly status: {
    readonly resourceRules: readonly {
      readonly apiGroups: readonly string[];
      readonly resources: readonly string[];
      readonly verbs: readonly string[];
    }[];
  };
}

describe('alert rules', { skip: promtool === undefined ? 'no promtool: npm run test:e2e:tools' : false }, () => {
  test('promtool check rules', async () => {
    const { stdout } = await run(promtool!, ['check', 'rules', join(DEPLOY, 'monitoring', 'alerts.yaml')]);
    assert.match(stdout, /SUCCESS: \d+ rules found/);
  });

  test('they ring when they should, and not otherwise', async () => {
    await run(promtool!, ['test', 'rules', join(import.meta.dirname, 'tools', 'alerts.test.yaml')]);
  });
});

function text({ verb, group, resource, subresource }: Access): string {
  return `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}.${group}`;
}

function manifests(text: string): readonly Manifest[] {
  return loadAll(text).filter((each) => each !== null && each !== undefined) as Manifest[];
}
