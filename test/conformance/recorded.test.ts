import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { answerCase } from './answer-case.ts';
import { findCases, readAnswer } from './case-files.ts';
import { compare } from './compare.ts';
import { isAgreement } from './difference.ts';

/** `ordinary` were made by the oracle's generator, `odd` by the one beside this file. */
for (const folder of ['ordinary', 'odd']) {
  describe(`Karpenter's own answers, ${folder} clusters`, () => {
    for (const c of findCases(join(import.meta.dirname, 'recorded', folder))) {
      test(c.name, async () => {
        const differences = compare(readAnswer(c.answer), await answerCase(c.cluster));
        assert.deepEqual(
          differences.filter((d) => !isAgreement(d)),
          [],
        );
      });
    }
  });
}
