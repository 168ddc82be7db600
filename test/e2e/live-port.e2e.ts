// Every action of the controller's port on a real API server, beside a real Karpenter.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Command, CommandReplacement } from '../../src/controller/command.ts';
import { parseGoDuration } from '../../src/engine/cluster/go-duration.ts';
import { COMMAND_ANNOTATION } from '../../src/live/node-claim-object.ts';
import { Cluster } from './cluster.ts';
import { nodePool } from './control-plane/karpenter-objects.ts';
import { holds, type NodeClaim } from './kube-objects.ts';
import { installDecant, Live } from './live.ts';
import { deployment } from './workloads.ts';

const TYPE = 'c-4x-amd64-linux';
const DISRUPTED = 'karpenter.sh/disrupted';

let cluster: Cluster;
let live: Live;
let own: NodeClaim;

before(async () => {
  cluster = await Cluster.start();
  await installDecant(cluster);
  const pool = nodePool({ instanceTypes: [TYPE] }) as { spec: { template: Record<string, unknown> } };
  pool.spec.template = {
    metadata: { labels: { team: 'checkout' }, annotations: { 'example.com/note': 'kept' } },
    spec: {
      ...(pool.spec.template.spec as { requirements: object[] }),
      expireAfter: '240h',
      terminationGracePeriod: '5m',
      taints: [{ key: 'dedicated', value: 'web', effect: 'PreferNoSchedule' }],
      requirements: [
        ...(pool.spec.template.spec as { requirements: object[] }).requirements,
        { key: 'example.com/rack', operator: 'In', values: ['r7'] },
      ],
    },
  };
  await cluster.apply(pool, deployment('web', { replicas: 2, cpu: '1' }));
  await cluster.settled(2);
  live = await Live.start(cluster);
  await live.until('a view');
  [own] = await cluster.list('nodeclaims');
});
after(async () => {
  await live?.port.stop();
  await cluster?.plane.stop();
});

const COMMAND: Command = {
  id: '0mabcdefg-00',
  phase: 'waiting',
  decidedMs: 1_790_000_000_123,
  phaseMs: 1_790_000_000_123,
  nodes: [{ node: 'n', nodeClaim: 'c', nodePool: 'default', centsPerHour: 12.3456789, pods: 3 }],
  replacements: [],
  workloads: { 'default/Deployment/web': 3 },
  predicted: { savingsCentsPerHour: 0.1 + 0.2, requiredCentsPerHour: 0, disruptionCost: 4.75, evictions: 3 },
};

function commandsIn(): readonly Command[] | undefined {
  return live.port.view()?.commands;
}

test('the journal: what is saved is there at once, and the same after a restart', async () => {
  await live.port.act({ kind: 'save-command', command: COMMAND });
  await live.until('it is seen', ({ commands }) => commands.length === 1);
  assert.deepEqual(commandsIn(), [COMMAND]);
  const launching: Command = {
    ...COMMAND,
    phase: 'launching',
    phaseMs: COMMAND.phaseMs + 15_000,
    workloads: { 'default/Deployment/api': 1 },
    realised: { ...COMMAND.predicted, evictions: 1 },
    replacements: [replacement('default-x-1')],
  };
  await live.port.act({ kind: 'save-command', command: launching });
  // No view in between: the second write must not stumble over the first.
  const abandoned: Command = { ...launching, reason: 'timeout', phase: 'abandoned' };
  await live.port.act({ kind: 'save-command', command: abandoned });
  await live.until('it is seen', ({ commands }) => commands[0]?.phase === 'abandoned');
  assert.deepEqual(commandsIn(), [abandoned]);
  await using another = await Live.start(cluster);
  assert.deepEqual((await another.until('a view')).commands, [abandoned]);
});

test('the journal: a concurrent write wins', async () => {
  await using rival = await Live.start(cluster);
  const [command] = (await rival.until('a view')).commands;
  const ours = { ...command, reason: 'ours' };
  await Promise.allSettled([
    rival.port.act({ kind: 'save-command', command: { ...command, reason: 'theirs' } }),
    live.port.act({ kind: 'save-command', command: ours }),
  ]).then((results) => {
    const refused = results.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 1);
    assert.match(String((refused[0] as PromiseRejectedResult).reason), /409 Conflict/);
  });
});

test('the journal: forgotten, and again', async () => {
  for (let i = 0; i < 2; i++) await live.port.act({ kind: 'forget-command', command: COMMAND.id });
  await live.until('it is gone', ({ commands }) => commands.length === 0);
});

test('taints: ours comes and goes, others stay', async () => {
  const node = own.status!.nodeName!;
  await cluster.plane.kubectl(['taint', 'node', node, 'example.com/mine=x:NoSchedule', `${DISRUPTED}=y:NoExecute`]);
  const keys = async () => {
    const nodes = await cluster.list('nodes');
    const { taints = [] } = nodes.find(({ metadata }) => metadata.name === node)!.spec;
    return taints.map(({ key, effect }) => `${key}:${effect}`).sort();
  };
  const others = await keys();
  await live.port.act({ kind: 'taint', node });
  await live.port.act({ kind: 'taint', node });
  assert.deepEqual(await keys(), [...others, `${DISRUPTED}:NoSchedule`].sort());
  for (let i = 0; i < 2; i++) await live.port.act({ kind: 'untaint', node });
  assert.deepEqual(await keys(), others);
  for (const kind of ['taint', 'untaint'] as const) await live.port.act({ kind, node: 'gone-long-ago' });
  await cluster.plane.kubectl(['taint', 'node', node, 'example.com/mine-', `${DISRUPTED}:NoExecute-`]);
});

function replacement(name: string): CommandReplacement {
  return {
    nodeClaim: name,
    nodePool: 'default',
    requirements: [
      { key: 'node.kubernetes.io/instance-type', operator: 'In', values: [TYPE] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
      { key: 'karpenter.sh/nodepool', operator: 'In', values: ['default'] },
      { key: 'example.com/rack', operator: 'In', values: ['r7'] },
      { key: 'team', operator: 'In', values: ['checkout'] },
    ],
    requests: { cpu: 2_000, memory: 256 * 2 ** 20, pods: 2 },
    centsPerHour: 5,
  };
}

test('a replacement is as Karpenter would have made it, and comes up', async () => {
  const name = 'default-cmd-1';
  for (let i = 0; i < 2; i++)
    await live.port.act({ kind: 'create-node-claim', command: 'cmd', replacement: replacement(name) });
  const isUp = (claim: NodeClaim | undefined): claim is NodeClaim => claim !== undefined && holds(claim, 'Initialized');
  const made = await cluster.until('it is initialized', async () => {
    const claim = (await cluster.list('nodeclaims')).find(({ metadata }) => metadata.name === name);
    return isUp(claim) && claim;
  });
  assert.equal(made.metadata.annotations![COMMAND_ANNOTATION], 'cmd');
  const { [COMMAND_ANNOTATION]: _, ...annotations } = made.metadata.annotations!;
  assert.deepEqual(annotations, withoutRelaxed(own.metadata.annotations!));
  assert.deepEqual(ownLabels(made), ownLabels(own));
  assert.deepEqual(made.metadata.ownerReferences, own.metadata.ownerReferences);
  for (const field of ['nodeClassRef', 'taints', 'startupTaints', 'expireAfter'] as const)
    assert.deepEqual(made.spec[field], own.spec[field], field);
  // Karpenter writes 5m0s where the pool says 5m.
  const graceMs = ({ spec }: NodeClaim) => parseGoDuration(String(spec.terminationGracePeriod));
  assert.deepEqual([graceMs(made), graceMs(own)], [300_000, 300_000]);
  const keys = ({ spec }: NodeClaim) => spec.requirements.map(({ key }) => key).sort();
  // Those of the pool that any of its nodes meets are the provider's to add.
  assert.deepEqual(
    keys(own).filter((key) => !keys(made).includes(key)),
    ['karpenter.kwok.sh/kwoknodeclass', 'kubernetes.io/arch', 'kubernetes.io/os'],
  );
  const node = (await cluster.list('nodes')).find((n) => n.metadata.name === made.status!.nodeName)!;
  assert.equal(node.metadata.labels!['example.com/rack'], 'r7');
  assert.equal(node.metadata.labels!.team, 'checkout');
  await live.until('it is seen', ({ objects }) =>
    objects.nodes.some((n) => n.name === node.metadata.name && n.labels['karpenter.sh/initialized'] === 'true'),
  );
});

/** Karpenter notes how it scheduled. */
function withoutRelaxed(annotations: Readonly<Record<string, string>>) {
  const { 'karpenter.sh/nodeclaim-min-values-relaxed': _, ...rest } = annotations;
  return rest;
}

/** No two nodes are the same in these. */
const BY_NODE = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'kwok-partition'];

function ownLabels({ metadata }: NodeClaim) {
  return Object.fromEntries(Object.entries(metadata.labels!).filter(([key]) => !BY_NODE.includes(key)));
}

test('another claim of the same name is not taken for ours', async () => {
  await assert.rejects(
    live.port.act({ kind: 'create-node-claim', command: 'other', replacement: replacement('default-cmd-1') }),
    /NodeClaim default-cmd-1 exists and does not belong to command other/,
  );
});

test('a claim that is deleted is on its way out at once, gone in time, and may be deleted again', async () => {
  await live.port.act({ kind: 'delete-node-claim', command: 'cmd', nodeClaim: 'default-cmd-1' });
  const claimIn = () => live.port.view()?.objects.nodeClaims.find(({ name }) => name === 'default-cmd-1');
  await live.until('a view');
  assert.notEqual(claimIn()?.terminating, false);
  await live.port.act({ kind: 'delete-node-claim', command: 'cmd', nodeClaim: 'default-cmd-1' });
  await live.until('it is gone', ({ objects }) => !objects.nodeClaims.some(({ name }) => name === 'default-cmd-1'));
  await live.port.act({ kind: 'delete-node-claim', command: 'cmd', nodeClaim: 'default-cmd-1' });
});

test('a pool that is gone: nothing is made', async () => {
  await assert.rejects(
    live.port.act({
      kind: 'create-node-claim',
      command: 'cmd',
      replacement: { ...replacement('x'), nodePool: 'gone' },
    }),
    /404 NotFound/,
  );
});
