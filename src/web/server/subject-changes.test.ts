import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { subject } from '../../../test/build/subject.ts';
import type { Subject } from '../analysis/subject.ts';
import { SubjectReceiver, SubjectSender } from './subject-changes.ts';

const objects = cluster({
  nodePools: [nodePool('web')],
  machines: [machine('a', { pool: 'web' }), machine('b', { pool: 'web' })],
  pods: [pod('one', { on: 'a' }), pod('two', { on: 'a' }), pod('three', { on: 'b' })],
});
const FIRST: Subject = { ...subject(objects), protectedUntilMs: new Map([['a', 5]]) };

/** Both ends, and the border between threads. */
class Line {
  private readonly sender = new SubjectSender();
  private readonly receiver = new SubjectReceiver();

  send(each: Subject) {
    const changes = structuredClone(this.sender.changes(each));
    return { sent: changes.fresh.length, received: this.receiver.subject(changes) };
  }
}

test('a subject arrives as it was sent', () => {
  assert.deepEqual(new Line().send(FIRST).received, FIRST);
});

test('what is the same is not sent again, and is the same object there', () => {
  const line = new Line();
  const { received: before } = line.send(FIRST);
  const [one, , three] = objects.pods;
  const fresh = pod('four', { on: 'b' });
  const changed = { ...FIRST, objects: { ...objects, nowMs: objects.nowMs + 1000, pods: [three, fresh, one] } };
  const { sent, received } = line.send(changed);
  assert.deepEqual(received, changed);
  assert.equal(sent, 1);
  assert.equal(received.objects.pods[0], before.objects.pods[2]);
  assert.equal(received.objects.pods[2], before.objects.pods[0]);
  assert.equal(received.objects.nodes, before.objects.nodes);
  assert.equal(received.objects.instanceTypes, before.objects.instanceTypes);
  assert.equal(received.settings, before.settings);
  assert.equal(received.policies.get('web'), before.policies.get('web'));
});

test('what went and came back is sent again', () => {
  const line = new Line();
  line.send(FIRST);
  const without = { ...FIRST, objects: { ...objects, pods: objects.pods.slice(1) } };
  assert.equal(line.send(without).sent, 0);
  const { sent, received } = line.send(FIRST);
  assert.equal(sent, 1);
  assert.deepEqual(received, FIRST);
});
