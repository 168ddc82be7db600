import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Command, CommandReplacement, Figures } from '../controller/command.ts';
import { FieldProblem } from '../kube/field-problem.ts';
import { commandObject, commandOf } from './journal-object.ts';

const name = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
const count = fc.nat(100_000);
const figures: fc.Arbitrary<Figures> = fc.record({
  savingsCentsPerHour: number,
  requiredCentsPerHour: number,
  disruptionCost: number,
  evictions: count,
});
const requirement = fc.oneof(
  fc.record({ key: name, operator: fc.constantFrom('In', 'NotIn'), values: fc.array(name), minValues: fc.nat() }),
  fc.record({ key: name, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
) as fc.Arbitrary<CommandReplacement['requirements'][number]>;
const replacement: fc.Arbitrary<CommandReplacement> = fc.record({
  nodeClaim: name,
  nodePool: name,
  requirements: fc.array(requirement.filter((r) => r.minValues !== 0)),
  requests: fc.dictionary(fc.constantFrom('cpu', 'memory', 'pods', 'nvidia.com/gpu'), fc.nat(2 ** 40)),
  centsPerHour: number,
});
const command: fc.Arbitrary<Command> = fc.record(
  {
    id: name,
    phase: fc.constantFrom('waiting', 'launching', 'draining', 'done', 'abandoned'),
    decidedMs: time,
    phaseMs: time,
    launchedMs: time,
    drainingMs: time,
    nodes: fc.array(fc.record({ node: name, nodeClaim: name, nodePool: name, centsPerHour: number, pods: count })),
    replacements: fc.array(replacement),
    workloads: fc.dictionary(fc.constantFrom('default/Deployment/web', 'a/StatefulSet/b'), count),
    predicted: figures,
    realised: figures,
    reason: fc.string(),
    next: fc.array(
      fc.record(
        {
          stage: fc.integer({ min: 1, max: 9 }),
          nodes: fc.array(name),
          newNodes: count,
          placements: fc.dictionary(name, name),
        },
        { requiredKeys: ['stage', 'nodes', 'newNodes'] },
      ),
    ),
  },
  { requiredKeys: ['id', 'phase', 'decidedMs', 'phaseMs', 'nodes', 'replacements', 'workloads', 'predicted'] },
);

test('a command is the same after it was an object of a cluster', () => {
  fc.assert(
    fc.property(command, (before) => {
      const { metadata, spec, status } = JSON.parse(JSON.stringify(commandObject(before)));
      assert.deepEqual(commandOf(metadata.name, spec, status), structuredClone(before));
    }),
  );
});

test('kubectl get counts nodes and rounds money', () => {
  const node = (name: string) => ({ node: name, nodeClaim: name, nodePool: 'p', centsPerHour: 1, pods: 0 });
  const figures = { savingsCentsPerHour: 21.7179869184, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 0 };
  const given = (names: readonly string[], more: Partial<Command> = {}) =>
    commandObject({
      id: 'a',
      phase: 'done',
      decidedMs: 0,
      phaseMs: 0,
      nodes: names.map(node),
      replacements: [],
      workloads: {},
      predicted: figures,
      ...more,
    }).status.summary;
  assert.deepEqual(given(['a']), { nodes: 'a', saves: '$0.217/h' });
  assert.deepEqual(given(['a', 'b', 'c', 'd', 'e'], { realised: { ...figures, savingsCentsPerHour: -20 } }), {
    nodes: 'a and 4 more',
    saves: '$0.217/h',
    saved: '-$0.200/h',
  });
});

test('conditions say where it stands, for kubectl wait and kstatus', () => {
  const trueOnes = (phase: Command['phase'], reason?: string) => {
    const given: Command = {
      id: 'a',
      phase,
      decidedMs: 0,
      phaseMs: 60_000,
      nodes: [],
      replacements: [],
      workloads: {},
      predicted: { savingsCentsPerHour: 1, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 0 },
      ...(reason === undefined ? {} : { reason }),
    };
    const { conditions = [] } = commandObject(given).status;
    assert.deepEqual(
      conditions.map((c) => c.type),
      ['Done', 'Reconciling', 'Stalled'],
    );
    return conditions
      .filter((c) => c.status === 'True')
      .map((c) => [c.type, c.reason, c.message, c.lastTransitionTime]);
  };
  const [start, now] = ['1970-01-01T00:00:00Z', '1970-01-01T00:01:00Z'];
  assert.deepEqual(trueOnes('waiting'), [['Reconciling', 'Waiting', '', start]]);
  assert.deepEqual(trueOnes('draining'), [['Reconciling', 'Draining', '', start]]);
  assert.deepEqual(trueOnes('done'), [['Done', 'Done', '', now]]);
  assert.deepEqual(trueOnes('abandoned', 'budget'), [['Stalled', 'Abandoned', 'abandoned: budget', now]]);
});

describe('what is no command is refused, with the field', () => {
  const good = commandObject({
    id: 'a',
    phase: 'waiting',
    decidedMs: 0,
    phaseMs: 0,
    nodes: [{ node: 'n', nodeClaim: 'c', nodePool: 'p', centsPerHour: 1, pods: 2 }],
    replacements: [],
    workloads: {},
    predicted: { savingsCentsPerHour: 1, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 2 },
  });
  const { spec, status } = good;
  for (const [what, givenSpec, givenStatus, path] of [
    ['nothing', undefined, undefined, 'spec'],
    ['a phase of another version', spec, { ...status, phase: 'Cordoning' }, 'status.phase'],
    ['half a node', { ...spec, nodes: [{ node: 'n' }] }, status, 'spec.nodes[0].nodeClaim'],
    ['a valid time not', { ...spec, decidedAt: '2026-02-30T00:00:00Z' }, status, 'spec.decidedAt'],
    ['no status yet', spec, null, 'status'],
  ] as const) {
    test(what, () => {
      assert.throws(
        () => commandOf('a', givenSpec, givenStatus),
        (error: unknown) => error instanceof FieldProblem && error.path === path,
      );
    });
  }
  test('fields of a later version are dropped: after a rollback, its commands go on', () => {
    const nodes = spec.nodes.map((node) => ({ ...node, zone: 'a' }));
    const later = commandOf('a', { ...spec, nodes, urgency: 1 }, { ...status, progress: { percent: 50 } });
    assert.deepEqual(later, commandOf('a', spec, status));
  });
  test('nulls are as absent, as everywhere in the API', () => {
    assert.equal(commandOf('a', spec, { ...status, realised: null, reason: null }).phase, 'waiting');
  });
});
