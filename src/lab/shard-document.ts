import * as z from 'zod';
import type { DisruptionBlock } from '../config/disruption-block.ts';
import { choiceField, listOf, objectOf, wholeNumberField } from '../config/leaf-schemas.ts';
import { fieldPath } from '../config/object-path.ts';
import { problemText } from '../config/problem.ts';
import { check } from '../config/schema-problems.ts';
import { type Experiment, jobsOf } from './experiment.ts';
import { FIGURES, forEach, type JobResult, MAX_STEPS } from './run-summary.ts';
import { jobsOfShard, type Shard } from './shard.ts';

const API_VERSION = 'decant.sh/v1alpha1';
const KIND = 'ComparisonShard';

/** Result of one shard, for `--merge`. */
export interface ShardDocument {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: typeof KIND;
  readonly shard: Shard;
  readonly experiment: Experiment;
  /** In the order of their jobs. */
  readonly results: readonly JobResult[];
}

export function shardDocument(shard: Shard, experiment: Experiment, results: readonly JobResult[]): ShardDocument {
  const inOrder = [...results].sort((a, b) => a.job - b.job);
  return { apiVersion: API_VERSION, kind: KIND, shard, experiment, results: inOrder };
}

const string = z.string('a string').min(1, 'a string that is not empty');
const amount = z.number('a number').min(0, 'a number of at least 0');
const series = listOf(z.number('a number'), 'numbers').max(MAX_STEPS, `at most ${MAX_STEPS} numbers`);
const summary = objectOf({
  ...forEach(FIGURES, () => amount),
  pods: amount,
  timeline: objectOf({ stepHours: amount, nodes: series, dollarsPerHour: series, evictions: series }),
});
const policy = objectOf({
  name: string,
  controller: choiceField(['none', 'stock', 'decant']),
  search: choiceField(['merged', 'karpenter']),
  work: wholeNumberField(1).optional(),
  // Validated when it was written.
  disruption: z.custom<DisruptionBlock>((value) => typeof value === 'object' && value !== null, 'an object'),
  switches: z.record(string, z.string('a string'), 'strings by strings'),
  maxCost: amount.optional(),
});
const shardFile = objectOf({
  apiVersion: z.literal(API_VERSION, API_VERSION),
  kind: z.literal(KIND, KIND),
  shard: objectOf({ index: wholeNumberField(0), of: wholeNumberField(1) }),
  experiment: objectOf({
    workloads: listOf(
      objectOf({ name: string, digest: string, blocks: listOf(z.unknown(), 'blocks') }),
      'workloads',
    ).min(1, 'at least one workload'),
    policies: listOf(policy, 'policies').min(1, 'at least one policy'),
    firstSeed: wholeNumberField(0),
    seeds: wholeNumberField(1),
    days: amount,
  }),
  results: listOf(objectOf({ job: wholeNumberField(0), summary, elapsedMs: amount }), 'results'),
});

export interface ShardFile {
  /** Name for messages. */
  readonly file: string;
  /** As parsed. */
  readonly content: unknown;
}

export type Merging =
  /** In no particular order. */
  | { readonly experiment: Experiment; readonly results: readonly JobResult[] }
  /** One sentence. */
  | { readonly problem: string };

/** Merges shards in any order; they must be of the same comparison and cover every job once. */
export function mergeShards(files: readonly ShardFile[]): Merging {
  const documents: { readonly file: string; readonly document: ShardDocument }[] = [];
  for (const { file, content } of files) {
    const checked = check(shardFile, content);
    if ('problems' in checked) {
      const [{ path, value, allowed }] = checked.problems;
      const field = path.length === 0 ? '' : fieldPath('', path).slice(1);
      return { problem: problemText({ object: `${file}: not a shard written by --shard`, field, value, allowed }) };
    }
    documents.push({ file, document: checked.value });
  }
  if (documents.length === 0) return { problem: 'nothing to merge: give the files that --shard wrote' };
  const [first] = documents;
  const { experiment, shard } = first.document;
  const fileOf = new Map<number, string>();
  const results: JobResult[] = [];
  const jobs = jobsOf(experiment).length;
  for (const { file, document } of documents) {
    const difference = differenceOf(first.document, document);
    if (difference !== undefined)
      return { problem: `${first.file} and ${file} are of different comparisons: ${difference}` };
    const { index } = document.shard;
    const before = fileOf.get(index);
    if (before !== undefined) return { problem: `${before} and ${file} are both shard ${index} of ${shard.of}` };
    fileOf.set(index, file);
    const expected = jobsOfShard(document.shard, jobs);
    if (document.results.length !== expected.length || document.results.some(({ job }, i) => job !== expected[i])) {
      return {
        problem: `${file}: shard ${index} of ${shard.of} does not have the results of its ${expected.length} jobs`,
      };
    }
    results.push(...document.results);
  }
  const missing = Array.from({ length: shard.of }, (_, i) => i).filter((i) => !fileOf.has(i));
  if (missing.length > 0) {
    const named = missing.slice(0, 10).join(', ') + (missing.length > 10 ? ', …' : '');
    return { problem: `${missing.length} of ${shard.of} shards are missing: ${named}` };
  }
  return { experiment, results };
}

function differenceOf(a: ShardDocument, b: ShardDocument): string | undefined {
  if (a.shard.of !== b.shard.of) return `of ${a.shard.of} and of ${b.shard.of} shards`;
  const parts = ['workloads', 'policies', 'firstSeed', 'seeds', 'days'] as const;
  const part = parts.find((each) => JSON.stringify(a.experiment[each]) !== JSON.stringify(b.experiment[each]));
  return part === undefined ? undefined : `${part} differ`;
}
