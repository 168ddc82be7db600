import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { MEDIUM } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import { MINUTE_MS, NOW_MS } from '../../test/build/units.ts';
import { merged } from '../engine/search/merged/merged.ts';
import type { Search, SearchBudget } from '../engine/search/method.ts';
import type { SearchProblem } from '../engine/search/problem.ts';

/**
 * Whether the first search of a second pass begins with the moves of the first pass; a pod shrinks between them. Nodes are all but
 * full, with two pods each.
 */
async function beginsWithEarlierMoves(nodes: number): Promise<boolean | undefined> {
  const names = Array.from({ length: nodes }, (_, i) => `n${i}`);
  const port = new FakeCluster({
    machines: names.map((name) => machine(name, { type: MEDIUM })),
    pods: names.flatMap((on) => [0, 1].map((i) => pod(`${on}-${i}`, { on, cpu: 1800 }))),
  });
  const controller = controllerOn(port, { mode: 'observe', work: undefined });
  await controller.reconcile();
  port.advanceTo(NOW_MS + MINUTE_MS);
  port.changePod('n0-0', () => ({ requests: { cpu: 100 } }));
  let begins: boolean | undefined;
  const { search } = merged;
  mock.method(merged, 'search', (problem: SearchProblem, budget: SearchBudget): Search => {
    begins ??= problem.start !== undefined;
    return search(problem, budget);
  });
  try {
    await controller.reconcile();
  } finally {
    mock.restoreAll();
  }
  return begins;
}

for (const { nodes, isAgain, because } of [
  { nodes: 20, isAgain: true, because: 'its plan goes on in stages' },
  { nodes: 250, isAgain: false, because: 'it is small, and has too many pods for stages' },
  { nodes: 251, isAgain: true, because: 'it is large' },
])
  test(`a pass over ${nodes} nodes searches ${isAgain ? 'from the moves of the last one' : 'from scratch'}: ${because}`, async () => {
    assert.equal(await beginsWithEarlierMoves(nodes), isAgain);
  });
