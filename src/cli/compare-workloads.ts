import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { InputError } from '../kube/read/input-error.ts';
import { reasonOf } from '../kube/read/input-paths.ts';
import type { NamedPolicy } from '../lab/named-policy.ts';
import { poolUnderPolicy } from '../lab/pool-under-policy.ts';
import type { Scenario } from '../simulator/scenario.ts';
import { refusal } from './compare-policies.ts';
import { parseWorkload } from './load-workload.ts';
import { UsageError } from './usage-error.ts';
import { LIBRARY, libraryNames } from './workload-library.ts';

/** A workload as text, which goes to other threads as it is. */
export interface WorkloadText {
  readonly name: string;
  readonly digest: string;
  /** Disruption blocks of its NodePools, each once. */
  readonly blocks: readonly unknown[];
  /** For messages. */
  readonly source: string;
  /** undefined: it is in the library. */
  readonly file?: string;
  readonly text: string;
}

const ALL = 'all';

export async function workloadsOf(given: readonly string[] | undefined): Promise<readonly WorkloadText[]> {
  if (given === undefined) {
    throw new UsageError(`no workload: give -w with ${libraryNames().join(', ')}, a file, or all`);
  }
  const names = given.flatMap((each) => (each === ALL ? libraryNames() : [each]));
  const workloads: WorkloadText[] = [];
  for (const each of names) workloads.push(await workloadText(each));
  const double = workloads.find(({ name }, i) => workloads.findIndex((each) => each.name === name) !== i);
  if (double !== undefined) throw new InputError(`two workloads are called ${double.name}: each wants its own name`);
  return workloads;
}

async function workloadText(given: string): Promise<WorkloadText> {
  const isName = /^[a-z0-9-]+$/.test(given);
  if (isName && !libraryNames().includes(given)) {
    throw new InputError(`workload ${given}: not in the library, which has ${libraryNames().join(', ')}`);
  }
  const source = isName ? `workload ${given}` : given;
  const text = read(isName ? new URL(`${given}.yaml`, LIBRARY) : given, source);
  const { name, nodePools } = await parseWorkload(text, source);
  const blocks = new Map(nodePools.map(({ disruption = {} }) => [JSON.stringify(disruption), disruption]));
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { name, digest, blocks: [...blocks.values()], source, text, ...(isName ? {} : { file: given }) };
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
