import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { hostileCluster } from '../../../test/build/hostile-pods.ts';
import { machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { RequestTable } from '../cluster/request-table.ts';
import { HOSTNAME, ZONE } from '../cluster/well-known.ts';
import { ExistingNodes } from '../scheduling/existing-nodes.ts';
import { SharedConstraints } from '../search/merged/shared-constraints.ts';
import { DEFAULT_SETTINGS, stockPolicy } from '../settings.ts';
import { IncrementalCluster } from './incremental-cluster.ts';

const RULES = { settings: DEFAULT_SETTINGS, policyOf: stockPolicy };
/** The unit of work: one pod that is looked for a place once. Failed pods are tried twice at most. */
const PENDING = 400;

/** What a controller does between two pauses keeps the Lease and the probes waiting. */
for (const [name, key] of Object.entries({ hosts: HOSTNAME, zones: ZONE })) {
  for (const selecting of ['everybody', 'nobody'] as const) {
    test(`a pass pauses after a few simulations: pods away from ${selecting} by ${name}`, () => {
      const objects = hostileCluster({ pods: PENDING, terms: 2, selecting, key: () => key });
      const find = mock.method(ExistingNodes.prototype, 'find');
      try {
        const pass = new IncrementalCluster();
        const most = { inEvaluation: 0, inSearch: 0 };
        const evaluation = longest(pass.evaluate(objects, RULES), find.mock, (n) => {
          most.inEvaluation = Math.max(most.inEvaluation, n);
        });
        longest(pass.search(evaluation, { search: 'merged', work: () => 20_000 }), find.mock, (n) => {
          most.inSearch = Math.max(most.inSearch, n);
        });
        // A simulation places all pending pods and those of the node.
        assert.ok(most.inEvaluation <= 3 * PENDING, JSON.stringify(most));
        assert.ok(most.inSearch <= 12 * PENDING, JSON.stringify(most));
      } finally {
        find.mock.restore();
      }
    });
  }
}

test('a pass over many pods and nodes pauses while it looks them up', () => {
  const NODES = 2500;
  const machines = Array.from({ length: NODES }, (_, i) => machine(`n${i}`));
  const one = pod('web', { on: 'n0', labels: { app: 'web' }, cpu: 10, memory: 1 });
  const pods = Array.from({ length: 16 * NODES }, (_, i) => ({
    ...one,
    name: `web-${i}`,
    uid: `web-${i}`,
    nodeName: `n${i % NODES}`,
  }));
  const idOf = mock.method(RequestTable.prototype, 'idOf');
  const constraintsOf = mock.method(SharedConstraints.prototype, 'of');
  try {
    const pass = new IncrementalCluster();
    let [mostPods, mostNodes] = [0, 0];
    const evaluation = longest(pass.evaluate(cluster({ machines, pods }), RULES), idOf.mock, (n) => {
      mostPods = Math.max(mostPods, n);
    });
    longest(pass.search(evaluation, { search: 'merged', work: () => 1 }), constraintsOf.mock, (n) => {
      mostNodes = Math.max(mostNodes, n);
    });
    assert.ok(mostPods > 0 && mostPods <= 16_384 + NODES, `${mostPods} pods`);
    assert.ok(mostNodes > 0 && mostNodes <= 1024, `${mostNodes} nodes`);
  } finally {
    idOf.mock.restore();
    constraintsOf.mock.restore();
  }
});

function longest<T>(
  steps: Generator<unknown, T, undefined>,
  calls: { callCount(): number; resetCalls(): void },
  note: (calls: number) => void,
): T {
  for (;;) {
    calls.resetCalls();
    const step = steps.next();
    note(calls.callCount());
    if (step.done === true) return step.value;
  }
}
