import { Refused } from '../analysis/refused.ts';
import type { LabChoices, LabRequest } from '../api.ts';

/** Throws Refused with the field and its allowed values. */
export function readLabRequest(body: unknown, choices: LabChoices): LabRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refused(400, 'the body is not a JSON object with workload, policies, seeds and days');
  const { workload, policies, seeds, days, ...others } = body as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw bad(unknown.slice(0, 60), 'workload, policies, seeds, days');
  if (!isOneOf(workload, choices.workloads)) throw bad('workload', choices.workloads.join(', '));
  const named = Array.isArray(policies) && policies.length > 0 && new Set(policies).size === policies.length;
  if (!named || !policies.every((each) => isOneOf(each, choices.policies)))
    throw bad('policies', `a list of ${choices.policies.join(', ')}, each once`);
  const { mostSeeds, mostDays } = choices;
  if (typeof seeds !== 'number' || !Number.isInteger(seeds) || seeds < 1 || seeds > mostSeeds)
    throw bad('seeds', `a whole number from 1 to ${mostSeeds}`);
  if (typeof days !== 'number' || !(days > 0 && days <= mostDays))
    throw bad('days', `a number above 0 and up to ${mostDays}`);
  return { workload, policies, seeds, days };
}

function isOneOf(value: unknown, choices: readonly string[]): value is string {
  return typeof value === 'string' && choices.includes(value);
}

function bad(parameter: string, allowed: string): Refused {
  return new Refused(400, `${parameter} is not allowed`, { parameter, allowed });
}
