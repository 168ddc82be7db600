import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { InputError, inputError } from '../../config/input-error.ts';
import { parseDocument } from '../../config/parse-document.ts';
import { textOf } from '../../kube/read/input-paths.ts';
import { BUILT_IN_POLICIES, builtInPolicy, HINDSIGHT, NONE } from '../../lab/built-in-policies.ts';
import type { NamedPolicy } from '../../lab/named-policy.ts';
import { readPolicyFile } from '../../lab/policy-file.ts';
import { type Grid, gridPolicies, unknownPolicy } from '../../lab/policy-grid.ts';
import { commaSeparated } from './workloads.ts';

export interface PolicyOptions extends Grid {
  readonly policies?: readonly string[];
  readonly base: string;
  /** For policies without their own. */
  readonly workBudget?: number;
}

/**
 * The policies to compare, in the given order, the grid last. Always includes `none`: savings are measured against it.
 */
export async function policiesOf(options: PolicyOptions): Promise<readonly NamedPolicy[]> {
  const { threshold, grace, utilization } = options;
  const grid = gridPolicies({ threshold, grace, utilization }, await policyNamed(options.base, '--base'));
  if ('problems' in grid) throw inputError(grid.problems);
  const usual = grid.policies.length === 0 ? BUILT_IN_POLICIES.map(({ name }) => name) : [];
  const given: NamedPolicy[] = [];
  for (const name of options.policies === undefined ? usual : commaSeparated(options.policies))
    given.push(HINDSIGHT.find((each) => each.name === name) ?? (await policyNamed(name, '--policies')));
  const policies = [...given, ...grid.policies];
  const all = policies.includes(NONE) ? policies : [NONE, ...policies];
  const double = all.find(({ name }, i) => all.findIndex((each) => each.name === name) !== i);
  if (double !== undefined) throw new InputError(`two policies are named ${double.name}: names must be unique`);
  return all.map((policy) => withBudget(policy, options.workBudget));
}

function withBudget(policy: NamedPolicy, work: number | undefined): NamedPolicy {
  return work === undefined || policy.controller !== 'decant' ? policy : { work, ...policy };
}

/** A built-in policy, or one from a file. `flag`: where the name was given, for messages. */
export async function policyNamed(name: string, flag: string): Promise<NamedPolicy> {
  const builtIn = builtInPolicy(name);
  if (builtIn !== undefined) return builtIn;
  if (!/[./\\]/.test(name) && !existsSync(name)) {
    throw inputError([
      unknownPolicy(
        flag,
        name,
        BUILT_IN_POLICIES.map((each) => each.name),
      ),
    ]);
  }
  const document = await parseDocument(await textOf(name), name);
  const reading = readPolicyFile(name, document, basename(name).replace(/\.(ya?ml|json)$/i, ''));
  if ('problems' in reading) throw inputError(reading.problems);
  return reading.policy;
}
