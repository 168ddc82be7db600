import type { Problem } from '../config/problem.ts';

/** A share of a list of jobs. */
export interface Shard {
  /** From 0. */
  readonly index: number;
  readonly of: number;
}

export type ShardReading = { readonly shard: Shard } | { readonly problems: readonly Problem[] };

const MOST_SHARDS = 10_000;
const ALLOWED = `i/n such as 0/4, with i from 0 to n - 1 and n from 1 to ${MOST_SHARDS}; or n alone, with i from JOB_COMPLETION_INDEX`;

/**
 * `i/n`, or `n` where Kubernetes says which index this pod of an Indexed Job has. Indexes count from 0 as Kubernetes
 * counts; n/n is 0/n, so that counting from 1 covers everything too.
 */
export function readShard(text: string, completionIndex: string | undefined): ShardReading {
  const parts = /^(?:([0-9]{1,5})\/)?([0-9]{1,5})$/.exec(text);
  const problem = (object: string, field: string, value: unknown, allowed: string) => {
    return { problems: [{ object, field, value, allowed }] };
  };
  if (parts === null) return problem('command line', '--shard', text, ALLOWED);
  const of = Number(parts[2]);
  if (of < 1 || of > MOST_SHARDS) return problem('command line', '--shard', text, ALLOWED);
  if (parts[1] === undefined) {
    if (/^[0-9]{1,5}$/.test(completionIndex ?? '') && Number(completionIndex) < of) {
      return { shard: { index: Number(completionIndex), of } };
    }
    return problem('environment', 'JOB_COMPLETION_INDEX', completionIndex, `0 to ${of - 1}, as --shard is ${text}`);
  }
  const index = Number(parts[1]);
  return index > of ? problem('command line', '--shard', text, ALLOWED) : { shard: { index: index % of, of } };
}

/** Numbers of the jobs in the share, of a list that has so many. Dealt like cards: long policies are spread. */
export function shareOf({ index, of }: Shard, jobs: number): readonly number[] {
  return Array.from({ length: Math.max(0, Math.ceil((jobs - index) / of)) }, (_, k) => index + k * of);
}
