import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { InputError } from '../../config/input-error.ts';
import { INPUT_FOLDER, jobManifest } from '../../lab/job-manifest.ts';
import { hasImportedCluster } from '../experiment/imported-cluster.ts';
import { commaSeparated, type WorkloadSource } from '../experiment/workloads.ts';
import { UsageError } from '../flags/usage-error.ts';
import type { CompareOptions } from './flags.ts';

/** Limit of the API server for a ConfigMap. */
const MOST_BYTES = 1_000_000;
const MAX_SHARDS = 10_000;

/** The same comparison as a manifest that includes local files. */
export function printJob(options: CompareOptions, workloads: readonly WorkloadSource[]): string {
  const shards = /^[1-9][0-9]{0,4}$/.test(options.shard ?? '') ? Number(options.shard) : 0;
  if (shards < 1 || shards > MAX_SHARDS) {
    throw new UsageError(`--job needs --shard n, the number of shards, from 1 to ${MAX_SHARDS}`);
  }
  if (hasImportedCluster(options))
    throw new UsageError(
      '--job takes no -f and no --context: a cluster is too large for a ConfigMap; run its shards with --shard',
    );
  const files: Record<string, string> = {};
  const inside = (path: string) => {
    const name = basename(path);
    const text = readFileSync(path, 'utf8');
    if (!/^[-._a-zA-Z0-9]+$/.test(name))
      throw new InputError(`${path}: names in a ConfigMap may contain only letters, digits, -, _ and .`);
    if (files[name] !== undefined && files[name] !== text) throw new InputError(`${path}: two files are named ${name}`);
    files[name] = text;
    return `${INPUT_FOLDER}/${name}`;
  };
  const policy = (name: string) => (/[./\\]/.test(name) || existsSync(name) ? inside(name) : name);
  const args = [
    '-w',
    ...workloads.map(({ file, source }) => (file === undefined ? source.replace(/^workload /, '') : inside(file))),
  ];
  if (options.policies !== undefined) args.push('--policies', ...commaSeparated(options.policies).map(policy));
  for (const flag of ['threshold', 'grace', 'utilization'] as const) {
    const value = options[flag];
    if (value !== undefined) args.push(`--${flag}`, value);
  }
  if (options.base !== 'rfc') args.push('--base', policy(options.base));
  if (options.workBudget !== undefined) args.push('--work-budget', String(options.workBudget));
  if (options.seed !== 1) args.push('--seed', String(options.seed));
  if (options.half !== undefined) args.push('--half', options.half);
  args.push('--seeds', String(options.seeds), '--days', String(options.days ?? 1));
  const bytes = Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MOST_BYTES)
    throw new InputError(`--job: the files have ${bytes} bytes, a ConfigMap holds at most ${MOST_BYTES}`);
  return jobManifest({ image: options.image, shards, arguments: args, files });
}
