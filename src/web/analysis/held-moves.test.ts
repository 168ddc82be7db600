import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { planFor, subject } from '../../../test/build/subject.ts';
import { heldBy } from './held-moves.ts';
import { Picture } from './picture.ts';

const both = { nodes: ['a', 'b'], why: 'both' };
const one = { nodes: ['a'], why: 'one' };

test('the brake on the same nodes, or else on one of them', () => {
  assert.equal(heldBy([one, both], { nodes: ['b', 'a'] }), both);
  assert.equal(heldBy([both, one], { nodes: ['a'] }), one);
  assert.equal(heldBy([both], { nodes: ['b', 'c'] }), both);
  assert.equal(heldBy([both, one], { nodes: ['c'] }), undefined);
});

test('a move that is held says why and until when, and is counted', () => {
  const objects = cluster({
    machines: [machine('a'), machine('b')],
    pods: [pod('one', { on: 'a' }), pod('two', { on: 'b' })],
  });
  const held = [{ nodes: ['a', 'b'], why: 'pool cooldown', untilMs: 7 }];
  const plan = planFor(subject(objects));
  const picture = new Picture({ ...subject(objects), held }, plan);
  const { moves, totals } = picture.planView(plan);
  assert.deepEqual(
    moves.map((move) => move.held),
    [{ why: 'pool cooldown', untilMs: 7 }],
  );
  assert.equal(totals.planned.held, 1);
  assert.equal(picture.totals.planned?.held, 1);
  const free = new Picture(subject(objects), plan);
  assert.equal(free.planView(plan).moves[0].held, undefined);
  assert.equal(free.totals.planned?.held, undefined);
});
