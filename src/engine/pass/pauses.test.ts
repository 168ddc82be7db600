import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { hostileCluster } from '../../../test/build/hostile-pods.ts';
import { HOSTNAME, ZONE } from '../cluster/well-known.ts';
import { ExistingNodes } from '../scheduling/existing-nodes.ts';
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
