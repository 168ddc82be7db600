import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { subject } from '../../../test/build/subject.ts';
import { AnalysisWorker } from './analysis-worker.ts';
import { askAt } from './ask.ts';

/** A node of 20 cents an hour that only an annotation keeps, and one whose pods belong to two teams. */
const OBJECTS = cluster({
  machines: [machine('kept', { doNotDisrupt: 'true' }), machine('stays', { state: 'unmanaged' })],
  pods: [
    pod('web', { on: 'stays', cpu: 1000, labels: { team: 'shop' }, namespace: 'shop', owner: 'web' }),
    pod('db', { on: 'stays', cpu: 500, labels: { team: 'data' }, namespace: 'data', owner: 'db' }),
    pod('job', { on: 'stays', cpu: 500, labels: { team: 'data' }, namespace: 'data', owner: 'job' }),
  ],
});

async function answered(path: string, query = ''): Promise<Record<string, unknown>> {
  const worker = new AnalysisWorker(() => {});
  const about = subject(OBJECTS, {}, { utilizationThreshold: 1 });
  await worker.analyse(about);
  return (await worker.answer(askAt(path, query)!)) as Record<string, unknown>;
}

describe('/api/cost', () => {
  test('is by namespace unless told otherwise, and adds up to the price of the nodes', async () => {
    const { document } = (await answered('/api/cost')) as {
      document: { groups: { name: string; pods: number }[]; totals: Record<string, number> };
    };
    assert.deepEqual(
      document.groups.map(({ name, pods }) => [name, pods]),
      [
        ['data', 2],
        ['shop', 1],
      ],
    );
    const { totals } = document;
    assert.ok(Math.abs(totals.allocatedCentsPerHour + totals.idleCentsPerHour - totals.centsPerHour) < 1e-9);
  });

  test('is by any label, and names those that tell pods apart', async () => {
    const { document, labels } = (await answered('/api/cost', '?by=label:team')) as {
      document: { groups: { name: string }[] };
      labels: string[];
    };
    assert.deepEqual(document.groups.map(({ name }) => name).sort(), ['data', 'shop']);
    assert.deepEqual(labels, ['team']);
  });

  test('refuses other groupings, with those that there are', async () => {
    await assert.rejects(answered('/api/cost', '?by=moon'), { status: 400, allowed: /label:KEY/ });
  });
});

test('/api/blockers prices what keeps a node', async () => {
  const { document } = (await answered('/api/blockers')) as {
    document: { blockers: { title: string; aloneCentsPerHour: number }[] };
  };
  assert.deepEqual(
    document.blockers.map(({ title, aloneCentsPerHour }) => [title, Math.round(aloneCentsPerHour)]),
    [['annotation karpenter.sh/do-not-disrupt on node kept', 20]],
  );
});
