import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { LARGE, MEDIUM } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { planFor, subject } from '../../../test/build/subject.ts';
import type { PodObject } from '../../engine/cluster/objects.ts';
import { AnalysisWorker, type Published } from './analysis-worker.ts';
import { packingNow } from './packing-columns.ts';

const NODES = 40;
const CPUS = [700, 450, 900, 300, 650];

function nodeName(i: number): string {
  return `node-${String(i).padStart(2, '0')}`;
}

const machines = Array.from({ length: NODES }, (_, i) => machine(nodeName(i), { type: i % 2 === 0 ? LARGE : MEDIUM }));
const pods = machines.flatMap((_, i) =>
  CPUS.slice(0, 2 + (i % 4)).map((cpu, j) => pod(`app-${i}-${j}`, { on: nodeName(i), cpu })),
);
const FIRST = subject(cluster({ machines, pods }));

/** One pod in a hundred restarted in place. */
function restarted(before: readonly PodObject[], round: number): readonly PodObject[] {
  return before.map((each, i) => (i % 100 === round ? { ...each, name: `${each.name}~${round}`, uid: `${i}` } : each));
}

test('after one pod in a hundred changed, few nodes are simulated again, and the answers are those from scratch', async () => {
  const published: Published[] = [];
  const worker = new AnalysisWorker((news) => published.push(news));
  await worker.analyse(FIRST);
  const first = published.at(-1)?.pass?.simulated ?? 0;
  assert.ok(first >= NODES / 2, `${first} nodes are simulated at first`);
  let { objects } = FIRST;
  for (let round = 1; round <= 3; round++) {
    objects = { ...objects, nowMs: objects.nowMs + 60_000, pods: restarted(objects.pods, round) };
    const now = { ...FIRST, objects };
    await worker.analyse(now);
    const again = published.at(-1)?.pass?.simulated ?? NODES;
    assert.ok(again <= 4, `${again} nodes of ${first} are simulated again`);
    const scratch = planFor(now);
    const { packing } = (await worker.answer({ kind: 'cluster' })) as { packing: ReturnType<typeof packingNow> };
    assert.deepEqual(packing, packingNow(scratch, objects));
    const saved = published.at(-1)?.totals.planned?.savingsCentsPerHour ?? 0;
    assert.ok(saved > 0 && saved >= scratch.totals.savingsCentsPerHour - 1e-6);
  }
});
