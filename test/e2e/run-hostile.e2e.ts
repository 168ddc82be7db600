// `decant run` beside objects that a user of one namespace may create, and clients that say nothing: a node on which such a
// pod runs is replaced, and the others are not kept from being.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Cluster } from './cluster.ts';
import { freePorts } from './control-plane/free-ports.ts';
import { DecantRun } from './decant-run.ts';
import { installDecant } from './live.ts';
import { oversizedNode } from './oversized-node.ts';

const MEGABYTE = 1_000_000;
/** JSON.stringify rounds it. */
const LARGEST = '9223372036854775807';
const IDLE = 70;
/** With owners of a megabyte each. */
const LARGE_PODS = 10;
const MOST_MIB = 500;

function pod(name: string, spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'hostile', labels: { app: name }, ...metadata },
    spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'none' }], ...spec },
  };
}

/** Its kind is that long; nothing resolves it. */
function ownedBy(characters: number, uid: string): object {
  const kind = 'K'.repeat(characters);
  return { ownerReferences: [{ apiVersion: 'hostile/v1', kind, name: 'owner', uid, controller: true }] };
}

const requesting = (requests: object) => ({ containers: [{ name: 'main', image: 'none', resources: { requests } }] });
const nowhere = { nodeSelector: { nowhere: 'here' } };

const HOSTILE: readonly object[] = [
  // kube-scheduler takes it for a small one.
  pod('endless-cpu', { ...nowhere, ...requesting({ cpu: '1e102' }) }),
  pod('endless-toleration', {
    ...nowhere,
    tolerations: [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: Number(LARGEST) }],
  }),
  pod('prototype', {
    ...nowhere,
    volumes: [{ name: 'v', csi: { driver: 'none', volumeAttributes: JSON.parse('{"__proto__":"z"}') } }],
  }),
  pod('many-owners', nowhere, {
    ownerReferences: Array.from({ length: 2_000 }, (_, i) => ({
      apiVersion: 'hostile/v1',
      kind: 'Owner',
      name: `owner-${i}`,
      uid: `${i}`,
    })),
  }),
];

test('hostile objects and idle connections', async (t) => {
  await using cluster = await Cluster.start();
  await installDecant(cluster);
  await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
  const victim = await oversizedNode(cluster, 'victim');
  const [node] = await cluster.list('nodes');
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hostile' } });
  const account = () => cluster.plane.kubectl(['get', 'serviceaccount', 'default', '-n', 'hostile']);
  await cluster.until('its service account is there', account);
  const hostile = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: HOSTILE });
  await cluster.plane.kubectl(['create', '-f', '-'], hostile.replace(String(Number(LARGEST)), LARGEST));
  const seconds = ['get', 'pod', 'endless-toleration', '-n', 'hostile', '-o', 'jsonpath={..tolerationSeconds}'];
  assert.match(await cluster.plane.kubectl(seconds), new RegExp(LARGEST));
  await cluster.apply(pod('guest', { nodeName: node.metadata.name }, ownedBy(MEGABYTE, 'guest')));
  const large = Array.from({ length: LARGE_PODS }, (_, i) => pod(`large-${i}`, nowhere, ownedBy(MEGABYTE, `${i}`)));
  for (const each of large) await cluster.plane.kubectl(['create', '-f', '-'], JSON.stringify(each));

  const [probePort] = await freePorts(1);
  await using run = await DecantRun.start(cluster, { flags: ['--mode', 'act', '--probe-port', `${probePort}`] });
  const idle = Array.from({ length: IDLE }, () =>
    connect({ port: probePort, host: '127.0.0.1' }).on('error', () => undefined),
  );
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  const probe = get({ port: probePort, host: '127.0.0.1', path: '/healthz', localAddress: '127.0.0.2' });
  const [response] = (await once(probe, 'response')) as [IncomingMessage];
  response.resume();
  assert.equal(response.statusCode, 200, 'the kubelet has another address than the idle clients');
  for (const socket of idle) socket.destroy();

  await cluster.until(
    'the node is replaced',
    async () => {
      const claims = (await cluster.list('nodeclaims')).map(({ metadata }) => metadata.name);
      return claims.length === 1 && claims[0] !== victim;
    },
    { onTimeout: () => run.text.slice(-8000) },
  );
  await run.until('the command is done', () => run.said(/^command done/));
  const [{ spec }] = await cluster.list('consolidationcommands');
  const names = Object.keys(spec.workloads);
  assert.ok(
    names.some((name) => /^K+/.test(name)),
    `the journal names the guest’s owner: ${names}`,
  );
  assert.ok(JSON.stringify(spec).length < 10_000, 'an entry of the journal is short');
  assert.equal(run.process.exitCode, null);
  assert.ok(run.residentMiB < MOST_MIB, `${run.residentMiB} MiB`);
  t.diagnostic(`${run.residentMiB.toFixed(0)} MiB beside ${LARGE_PODS} MB of owners`);
});
