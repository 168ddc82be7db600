import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { InputError } from '../kube/read/input-error.ts';
import { reasonOf } from '../kube/read/input-paths.ts';
import type { NamedPolicy } from '../lab/named-policy.ts';
import { poolUnderPolicy } from '../lab/pool-under-policy.ts';
import type { Scenario } from '../simulator/scenario.ts';
import { refusal } from './compare-policies.ts';
import type { FoundCluster } from './found-cluster.ts';
import { parseWorkload } from './load-workload.ts';
import { UsageError } from './usage-error.ts';
import { LIBRARY, libraryNames, notInLibrary } from './workload-library.ts';

/** A workload as it goes to other threads: as text, or as a cluster of one's own. */
export interface WorkloadSource {
  readonly name: string;
  readonly digest: string;
  /** Disruption blocks of its NodePools, each once. */
  readonly blocks: readonly unknown[];
  /** For messages. */
  readonly source: string;
  /** undefined: it is in the library. */
  readonly file?: string;
  readonly content: string | Scenario;
}

const ALL = 'all';

export async function workloadsOf(
  given: readonly string[] | undefined,
  found?: FoundCluster,
): Promise<readonly WorkloadSource[]> {
  if (given === undefined && found === undefined) {
    throw new UsageError(
      `no workload: give -w with ${libraryNames().join(', ')}, a file, or all; or a cluster of your own with -f or --context`,
    );
  }
  const names = given?.flatMap((each) => (each === ALL ? libraryNames() : [each])) ?? [];
  const workloads: WorkloadSource[] = found === undefined ? [] : [fromCluster(found)];
  for (const each of names) workloads.push(await fromText(each));
  const double = workloads.find(({ name }, i) => workloads.findIndex((each) => each.name === name) !== i);
  if (double !== undefined) throw new InputError(`two workloads are called ${double.name}: each wants its own name`);
  return workloads;
}

/** What it says, with its place for messages. */
export async function scenarioOf({ content, source }: WorkloadSource): Promise<Scenario> {
  return typeof content === 'string' ? parseWorkload(content, source) : content;
}

function fromCluster({ scenario }: FoundCluster): WorkloadSource {
  const { name, nodePools } = scenario;
  const source = 'the cluster given';
  return { name, digest: digestOf(partsOf(scenario)), blocks: blocksOf(nodePools), source, content: scenario };
}

async function fromText(given: string): Promise<WorkloadSource> {
  const isName = /^[a-z0-9-]+$/.test(given);
  if (isName && !libraryNames().includes(given)) throw notInLibrary(given);
  const source = isName ? `workload ${given}` : given;
  const text = read(isName ? new URL(`${given}.yaml`, LIBRARY) : given, source);
  const { name, nodePools } = await parseWorkload(text, source);
  return {
    name,
    digest: digestOf([text]),
    blocks: blocksOf(nodePools),
    source,
    content: text,
    ...(isName ? {} : { file: given }),
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

/** Object by object: a large cluster is too much for one string. */
function* partsOf({ start, apps, ...rest }: Scenario): Generator<string> {
  yield JSON.stringify({ ...rest, apps });
  for (const list of Object.values(start?.objects ?? {}))
    if (Array.isArray(list)) for (const each of list) yield JSON.stringify(each);
}

function read(path: string | URL, source: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new InputError(`${source}: ${reasonOf(error)}`);
  }
}

/** The workload with the policy's fields in every NodePool. Throws InputError where they do not go together. */
export function scenarioUnder(scenario: Scenario, policy: NamedPolicy): Scenario {
  const nodePools = scenario.nodePools.map((pool) => {
    const reading = poolUnderPolicy(pool, policy);
    if ('problems' in reading) throw refusal(reading.problems);
    return reading.pool;
  });
  return { ...scenario, nodePools };
}
