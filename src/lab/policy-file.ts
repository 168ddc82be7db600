import * as z from 'zod';
import { disruptionBlock } from '../config/disruption-block.ts';
import { choiceField, objectOf, wholeNumberField } from '../config/leaf-schemas.ts';
import { fieldPath, withoutNulls } from '../config/object-path.ts';
import type { Problem } from '../config/problem.ts';
import { readPoolPolicy } from '../config/read-pool-policy.ts';
import { check, valueAt } from '../config/schema-problems.ts';
import { SETTING_FLAGS } from '../config/setting-flags.ts';
import { builtInPolicy } from './built-in-policies.ts';
import { type NamedPolicy, policySettings } from './named-policy.ts';

export type PolicyReading = { readonly policy: NamedPolicy } | { readonly problems: readonly Problem[] };

const NAME_TEXT = 'a name of up to 60 letters, digits, spaces and the signs . _ = , -';
const name = z.string(NAME_TEXT).regex(/^[A-Za-z0-9](?:[A-Za-z0-9 ._=,-]{0,58}[A-Za-z0-9])?$/, NAME_TEXT);

/** YAML parses 0.75 and true; flags are strings. */
const settingValue = z.union([z.string(), z.number(), z.boolean()], 'a value as the flag takes it').transform(String);

export const policyFile = objectOf({
  name: name.optional(),
  controller: choiceField(['none', 'stock', 'decant']).optional(),
  search: choiceField(['merged', 'karpenter']).optional(),
  work: wholeNumberField(1).optional(),
  disruption: z.unknown().optional(),
  switches: objectOf(Object.fromEntries(SETTING_FLAGS.map(({ flag }) => [flag, settingValue.optional()]))).optional(),
});

/** Reads a parsed policy file. `object`: file name for problems; `usualName`: default policy name. */
export function readPolicyFile(object: string, document: unknown, usualName: string): PolicyReading {
  const given = withoutNulls(document) ?? {};
  const checked = check(policyFile, given);
  const problems: Problem[] = [];
  const add = (path: readonly PropertyKey[], value: unknown, allowed: string) => {
    problems.push({
      object,
      field: path.length === 0 ? 'document' : fieldPath('', path).replace(/^\./, ''),
      value,
      allowed,
    });
  };
  for (const each of 'problems' in checked ? checked.problems : []) add(each.path, each.value, each.allowed);
  const block = readPoolPolicy(object, valueAt(document, ['disruption']), 'disruption');
  if ('problems' in block) problems.push(...withoutContext(block.problems, document));
  if ('problems' in checked) return { problems };

  const { controller = 'decant', search, work, switches = {} } = checked.value;
  const policyName = checked.value.name ?? usualName;
  if (builtInPolicy(policyName) !== undefined) add(['name'], policyName, 'a name that is not built in');
  const known = policySettings(switches as Readonly<Record<string, string>>);
  for (const { field, value, allowed } of 'problems' in known ? known.problems : []) {
    add(['switches', field.replace(/^--/, '')], value, allowed);
  }
  if (controller !== 'decant') {
    const only = `only with controller decant; ${controller} has none`;
    if (search !== undefined) add(['search'], search, only);
    if (work !== undefined) add(['work'], work, only);
    if (Object.keys(switches).length > 0) add(['switches'], switches, only);
  }
  if (problems.length > 0) return { problems };
  return {
    policy: {
      name: policyName,
      controller,
      search: search ?? 'merged',
      ...(work === undefined ? {} : { work }),
      disruption: disruptionBlock.parse(withoutNulls(valueAt(document, ['disruption'])) ?? {}),
      switches: switches as Readonly<Record<string, string>>,
    },
  };
}

/**
 * Rules about several fields apply to the merged block of policy and pool, so a TTL is allowed here without the
 * consolidateAfter that it needs.
 */
function withoutContext(problems: readonly Problem[], document: unknown): readonly Problem[] {
  const setsAfter = valueAt(document, ['disruption', 'consolidateAfter']) !== undefined;
  return problems.filter(({ field, value }) => {
    return !(field === 'disruption.ttlSecondsAfterEmpty' && typeof value === 'number' && value >= 0 && !setsAfter);
  });
}
