import { createHash } from 'node:crypto';
import { InputError } from '../../config/input-error.ts';
import type { ImportedInput } from '../../lab/imported-cluster.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import { UsageError } from '../flags/usage-error.ts';
import { parseWorkload, readWorkload } from './load-workload.ts';
import { libraryNames } from './workload-library.ts';

/** A workload to send to other threads: as text, or as an imported cluster. */
export interface WorkloadSource {
  readonly name: string;
  readonly digest: string;
  /** Distinct disruption blocks of its NodePools. */
  readonly blocks: readonly unknown[];
  /** For messages. */
  readonly source: string;
  /** undefined: it is in the library. */
  readonly file?: string;
  readonly content: string | Scenario;
}

const ALL = 'all';

/** Values of a list flag: separated by blanks, commas or both. */
export function commaSeparated(given: readonly string[]): readonly string[] {
  return given.flatMap((each) => each.split(',').map((part) => part.trim())).filter((part) => part !== '');
}

export async function workloadsOf(
  given: readonly string[] | undefined,
  found?: ImportedInput,
): Promise<readonly WorkloadSource[]> {
  if (given === undefined && found === undefined) {
    throw new UsageError(
      'no workload: give -w with a workload of the library (decant simulate --list), a file, or all; or a cluster with -f or --context',
    );
  }
  const names = commaSeparated(given ?? []).flatMap((each) => (each === ALL ? libraryNames() : [each]));
  const workloads: WorkloadSource[] = found === undefined ? [] : [fromCluster(found)];
  for (const each of names) workloads.push(await fromText(each));
  const double = workloads.find(({ name }, i) => workloads.findIndex((each) => each.name === name) !== i);
  if (double !== undefined) throw new InputError(`two workloads are named ${double.name}: names must be unique`);
  return workloads;
}

export async function scenarioOf({ content, source }: WorkloadSource): Promise<Scenario> {
  return typeof content === 'string' ? parseWorkload(content, source) : content;
}

function fromCluster({ scenario }: ImportedInput): WorkloadSource {
  const { name, nodePools } = scenario;
  const source = 'the cluster given';
  return { name, digest: digestOf(partsOf(scenario)), blocks: blocksOf(nodePools), source, content: scenario };
}

async function fromText(given: string): Promise<WorkloadSource> {
  const { text, source, file } = readWorkload(given);
  const { name, nodePools } = await parseWorkload(text, source);
  return {
    name,
    digest: digestOf([text]),
    blocks: blocksOf(nodePools),
    source,
    content: text,
    ...(file === undefined ? {} : { file }),
  };
}

function blocksOf(pools: Scenario['nodePools']): readonly unknown[] {
  return [...new Map(pools.map(({ disruption = {} }) => [JSON.stringify(disruption), disruption])).values()];
}

function digestOf(parts: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 16);
}

/** Object by object: a large cluster does not fit in one string. */
function* partsOf({ start, apps, ...rest }: Scenario): Generator<string> {
  yield JSON.stringify({ ...rest, apps });
  for (const list of Object.values(start?.objects ?? {}))
    if (Array.isArray(list)) for (const each of list) yield JSON.stringify(each);
}
