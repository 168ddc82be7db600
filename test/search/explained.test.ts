import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { explainNode } from '../../src/engine/explanation/node-explanation.ts';
import { runs } from '../build/runs.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { LITTLE_WORK, planOf } from './searched.ts';

test('plan and explanation agree about every node', () => {
  const seen = { goes: 0, waits: 0, stays: 0 };
  fc.assert(
    fc.property(anyFleet, anyRules, (objects, own) => {
      const plan = planOf(objects, own, { work: LITTLE_WORK });
      const leaving = new Set(plan.moves.flatMap(({ nodes }) => nodes));
      for (const { name, refusals, alone } of plan.nodes) {
        const explained = explainNode({ objects, rules: own }, plan, name);
        assert.ok(explained !== undefined);
        const { verdict, gates } = explained;
        seen[verdict]++;
        const codes = refusals.map((r) => r.code);
        const failed: readonly string[] = gates
          .filter((g) => g.verdict === 'fail')
          .flatMap((g) => g.refusals.map((r) => r.code));
        if (leaving.has(name)) {
          assert.equal(verdict, 'goes');
          // The threshold does not keep a node that leaves in another move, of whichever stage.
          assert.ok(!refusals.some((r) => r.code === 'savings-below-threshold' && r.nodes !== undefined), name);
        } else {
          assert.equal(verdict, codes.length === 0 ? 'waits' : 'stays', `${name}: ${codes}`);
          // The plan's simulation ends with the first new node too many, the explanation's goes on.
          const told = codes.filter((code) => code !== 'too-many-replacements');
          for (const code of told) assert.ok(failed.includes(code), `${name}: ${code}, but ${failed}`);
          assert.equal(failed.length === 0, codes.length === 0, `${name}: ${codes}, but ${failed}`);
        }
        if (alone.decision !== 'none')
          assert.deepEqual(
            codes.filter((code) => code !== 'budget'),
            [],
            name,
          );
      }
    }),
    runs(25),
  );
  assert.ok(Math.min(...Object.values(seen)) > 0, JSON.stringify(seen));
});
