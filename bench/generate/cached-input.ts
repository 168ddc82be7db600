import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubectlDumpText } from './kubectl-dump.ts';
import { type ClusterParameters, parameterKey } from './parameters.ts';
import { snapshotText } from './snapshot.ts';
import { TextFile } from './text-file.ts';

/** A cluster and the form in which it is written down. */
export interface Input extends ClusterParameters {
  readonly form: 'snapshot' | 'kubectl';
}

/** Made once: the 10,000-node ones take longer to make than to evaluate. */
export const CACHE_FOLDER = join(tmpdir(), 'decant-bench');

/** The file of the input, made if it is not there. */
export async function inputFile(input: Input, folder = CACHE_FOLDER): Promise<string> {
  const path = join(folder, `${input.form}-${parameterKey(input)}.json`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  // Under its name only when complete, so that an interrupted run leaves nothing that looks whole.
  const unfinished = `${path}.${process.pid}`;
  const file = new TextFile(unfinished);
  for await (const text of input.form === 'kubectl' ? kubectlDumpText(input) : snapshotText(input)) file.write(text);
  file.close();
  renameSync(unfinished, path);
  return path;
}
