import { readFileSync } from 'node:fs';
import { loadCatalog } from '../../catalog/load.ts';
import { InputError } from '../../config/input-error.ts';
import { parseDocument } from '../../config/parse-document.ts';
import { reasonOf } from '../../kube/read/input-paths.ts';
import { workloadScenario } from '../../lab/workload.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import { LIBRARY, libraryNames, notInLibrary } from './workload-library.ts';

export interface WorkloadText {
  readonly text: string;
  /** For messages. */
  readonly source: string;
  /** undefined: the workload is in the library. */
  readonly file?: string;
}

/** A workload by its name in the library, or from a file. Throws InputError. */
export async function loadWorkload(nameOrFile: string): Promise<Scenario> {
  const { text, source } = readWorkload(nameOrFile);
  return parseWorkload(text, source);
}

/** The description of a workload of the library, without the number of its scenario. */
export async function descriptionOf(name: string): Promise<string> {
  const { text, source } = readWorkload(name);
  // The rest of a trace is long, and the description comes before it.
  const [, description = ''] = /^description:(.*(?:\n[ \n].*)*)/m.exec(text) ?? [];
  const document = await parseDocument(`description:${description}\n`, source);
  return String((document as { description: unknown }).description ?? '').replace(/^S\d+[^.]*\.\s+/, '');
}

export function readWorkload(nameOrFile: string): WorkloadText {
  const isName = /^[a-z0-9-]+$/.test(nameOrFile);
  if (isName && !libraryNames().includes(nameOrFile)) throw notInLibrary(nameOrFile);
  const source = isName ? `workload ${nameOrFile}` : nameOrFile;
  try {
    const text = readFileSync(isName ? new URL(`${nameOrFile}.yaml`, LIBRARY) : nameOrFile, 'utf8');
    return { text, source, ...(isName ? {} : { file: nameOrFile }) };
  } catch (error) {
    throw new InputError(`${source}: ${reasonOf(error)}`);
  }
}

export async function parseWorkload(content: string, source: string): Promise<Scenario> {
  const document = await parseDocument(content, source);
  return workloadScenario(document, source, async (name) => (await loadCatalog({ name })).types);
}
