import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { CompileMemory } from '../../src/engine/scheduling/compile-memory.ts';
import { type FoundMove, searchMoves, survey } from '../../src/engine/survey.ts';
import { SurveyMemory } from '../../src/engine/survey-memory.ts';
import { cluster } from '../build/cluster.ts';
import { machine } from '../build/machine.ts';
import { pod } from '../build/pod.ts';
import { podDisruptionBudget } from '../build/pod-disruption-budget.ts';
import { rules } from '../build/policy.ts';
import { NOW_MS } from '../build/units.ts';

const OWN = rules({ consolidateAfterMs: 60_000 });
const WORK = 1000;

/** Somebody who looks again and again, as the controller does; `afresh` is one who has never looked before. */
class Watcher {
  private readonly memory = new CompileMemory();
  private readonly looks = new SurveyMemory();

  look(objects: ClusterObjects): readonly FoundMove[] {
    const surveyed = survey(compile(objects, OWN.settings, this.memory, this.looks.last), OWN, 1, false, this.looks);
    const known = this.looks.findings(surveyed.problem, WORK);
    if (known !== undefined) return known.moves;
    const steps = searchMoves(surveyed, 'merged', WORK);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    this.looks.learn(surveyed.problem, WORK, step.value);
    return step.value.moves;
  }

  static afresh(objects: ClusterObjects): readonly FoundMove[] {
    return new Watcher().look(objects);
  }
}

const inWords = (moves: readonly FoundMove[]) =>
  moves.map(({ move, wave }) => `${wave}: ${move.kind} ${move.candidates.map((c) => c.name).join()}`);

/** Two nodes that are hardly used, and one with room for what is on them, which stays. */
const objects = cluster({
  machines: [machine('a'), machine('b'), machine('roomy', { state: 'unmanaged' })],
  pods: [
    pod('web-1', { on: 'a', cpu: 100, labels: { app: 'web' } }),
    pod('web-2', { on: 'b', cpu: 100, labels: { app: 'web' } }),
    pod('db', { on: 'roomy', cpu: 1000 }),
  ],
  podDisruptionBudgets: [podDisruptionBudget('web', 'web', { disruptionsAllowed: 2 })],
});

describe('looking again with a memory', () => {
  test('finds the very same moves while nothing but time has passed', () => {
    const watcher = new Watcher();
    const before = watcher.look(objects);
    assert.ok(before.length > 0);
    assert.equal(watcher.look({ ...objects, nowMs: NOW_MS + 1000 }), before);
  });

  const laters: readonly { readonly what: string; readonly later: ClusterObjects }[] = [
    {
      what: 'a gate that has closed',
      later: {
        ...objects,
        nodeClaims: objects.nodeClaims.map((c) => (c.nodeName === 'a' ? { ...c, lastPodEventMs: NOW_MS } : c)),
      },
    },
    {
      what: 'a PodDisruptionBudget that allows less',
      later: { ...objects, podDisruptionBudgets: [podDisruptionBudget('web', 'web', { disruptionsAllowed: 1 })] },
    },
    {
      what: 'a pod that has become larger',
      later: {
        ...objects,
        pods: objects.pods.map((p) => (p.name === 'web-1' ? { ...p, requests: { ...p.requests, cpu: 3500 } } : p)),
      },
    },
    {
      what: 'a pod that costs more to move',
      later: { ...objects, pods: objects.pods.map((p) => (p.name === 'web-1' ? { ...p, priority: 2 ** 28 } : p)) },
    },
  ];
  for (const { what, later } of laters) {
    test(`does not overlook ${what}`, () => {
      const watcher = new Watcher();
      const before = inWords(watcher.look(objects));
      const after = inWords(watcher.look(later));
      assert.deepEqual(after, inWords(Watcher.afresh(later)));
      assert.notDeepEqual(after, before);
    });
  }
});
