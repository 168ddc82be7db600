import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { KarpenterVersion } from '../../src/engine/karpenter-release.ts';
import { answerCase } from './answer-case.ts';
import { findCases, readAnswer } from './case-files.ts';
import { compare } from './compare.ts';
import { isAgreement } from './difference.ts';

interface Recorded {
  readonly folder: string;
  readonly karpenter: KarpenterVersion;
}

/** `ordinary` clusters were made by the oracle's generator, `odd` ones by the generator beside this file. */
const RECORDED: readonly Recorded[] = [
  { folder: 'ordinary', karpenter: '1.14.1' },
  { folder: 'odd', karpenter: '1.14.1' },
  // Also of the ordinary clusters; those are not stored twice.
  { folder: '1.15', karpenter: '1.15.0' },
];

const ordinary = join(import.meta.dirname, 'recorded', 'ordinary');

for (const { folder, karpenter } of RECORDED) {
  describe(`answers of Karpenter ${karpenter}, ${folder}`, () => {
    for (const c of findCases(join(import.meta.dirname, 'recorded', folder), ordinary)) {
      test(c.name, async () => {
        const differences = compare(readAnswer(c.answer), await answerCase(c.cluster, karpenter));
        assert.deepEqual(
          differences.filter((d) => !isAgreement(d)),
          [],
        );
      });
    }
  });
}
