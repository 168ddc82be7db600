import type { Problem } from '../config/problem.ts';

/** One of `of` parts of the job list. */
export interface Shard {
  /** From 0. */
  readonly index: number;
  readonly of: number;
}

export type ShardReading = { readonly shard: Shard } | { readonly problems: readonly Problem[] };

const MAX_SHARDS = 10_000;
const ALLOWED = `i/n such as 0/4, with i from 0 to n - 1 and n from 1 to ${MAX_SHARDS}; or n alone, with i from JOB_COMPLETION_INDEX`;

/**
 * `i/n`, or `n` in a pod of an Indexed Job, which has its index in the environment. Indexes count from 0; n/n equals 0/n,
 * so counting from 1 works too.
 */
export function readShard(text: string, completionIndex: string | undefined): ShardReading {
  const parts = /^(?:([0-9]{1,5})\/)?([0-9]{1,5})$/.exec(text);
  const problem = (object: string, field: string, value: unknown, allowed: string) => {
    return { problems: [{ object, field, value, allowed }] };
  };
  if (parts === null) return problem('command line', '--shard', text, ALLOWED);
  const of = Number(parts[2]);
  if (of < 1 || of > MAX_SHARDS) return problem('command line', '--shard', text, ALLOWED);
  if (parts[1] === undefined) {
    if (/^[0-9]{1,5}$/.test(completionIndex ?? '') && Number(completionIndex) < of) {
      return { shard: { index: Number(completionIndex), of } };
    }
    return problem('environment', 'JOB_COMPLETION_INDEX', completionIndex, `0 to ${of - 1}, as --shard is ${text}`);
  }
  const index = Number(parts[1]);
  return index > of ? problem('command line', '--shard', text, ALLOWED) : { shard: { index: index % of, of } };
}

/** Job numbers of the shard. Assigned round robin, which spreads slow policies. */
export function jobsOfShard({ index, of }: Shard, jobs: number): readonly number[] {
  return Array.from({ length: Math.max(0, Math.ceil((jobs - index) / of)) }, (_, k) => index + k * of);
}
