import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError } from '../../config/input-error.ts';
import { inputFiles, reasonOf, textOf } from '../../kube/read/input-paths.ts';
import { compared } from '../../lab/comparison.ts';
import { comparisonDocument } from '../../lab/comparison-document.ts';
import { mergeShards, type ShardDocument, type ShardFile } from '../../lab/shard-document.ts';
import { comparisonReport } from './html.ts';

const SHARD = /^shard-[0-9]+-of-[0-9]+\.json$/;

/** Files that --shard wrote, parsed; of a folder those that --results left there. */
export function readShards(paths: readonly string[]): Promise<readonly ShardFile[]> {
  const files = inputFiles(paths).filter((file) => paths.includes(file) || SHARD.test(basename(file)));
  return Promise.all(files.map(async (file) => ({ file, content: parsed(file, await textOf(file)) })));
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`${file}: not a shard written by --shard: ${(error as SyntaxError).message}`);
  }
}

/**
 * Writes the shard to a folder of all shards, and the report if it was the last. If two finish last, both write the
 * same except for durations.
 */
export async function writeShard(folder: string, document: ShardDocument): Promise<void> {
  const { index, of } = document.shard;
  const digits = String(of - 1).length;
  try {
    mkdirSync(folder, { recursive: true });
    write(folder, `shard-${String(index).padStart(digits, '0')}-of-${of}.json`, `${JSON.stringify(document)}\n`);
    const shards = readdirSync(folder).filter((name) => SHARD.test(name) && name.endsWith(`-of-${of}.json`));
    if (shards.length < of) return;
    const merging = mergeShards(await readShards(shards.sort().map((name) => join(folder, name))));
    if ('problem' in merging) throw new InputError(merging.problem);
    const comparison = compared(merging.experiment, merging.results);
    write(folder, 'comparison.json', `${JSON.stringify(comparisonDocument(comparison), null, 2)}\n`);
    write(folder, 'comparison.html', await comparisonReport(comparison));
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(`${folder}: ${reasonOf(error)}`);
  }
}

/** Atomic: others read the folder. */
function write(folder: string, name: string, text: string): void {
  const passing = join(folder, `.${name}.${process.pid}`);
  writeFileSync(passing, text);
  renameSync(passing, join(folder, name));
}
