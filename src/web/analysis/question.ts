import { policyName } from '../../config/block-rules.ts';
import type { DisruptionBlock } from '../../config/disruption-block.ts';
import { readPoolPolicy } from '../../config/read-pool-policy.ts';
import { readSettings } from '../../config/read-settings.ts';
import type { NamedPolicy } from '../../lab/named-policy.ts';
import type { WhatIfQuestion } from '../api.ts';
import { Refused } from './refused.ts';

const UTILIZATION = 'scaledown-utilization-threshold';

/** Parameters by their field in the disruption block, whose schema says what is allowed. */
const FIELDS = {
  threshold: 'consolidationSavingsThresholdCents',
  grace: 'consolidationGracePeriod',
  policy: 'consolidationPolicy',
  minPercent: 'consolidationMinSavingsPercent',
} as const;

/** Above any price, and still written without an exponent. */
const MOST_CENTS = 1_000_000;

const PARAMETERS: readonly string[] = [...Object.keys(FIELDS), 'utilization', 'pool'];

/** Parses a query string; throws Refused for values that a configuration could not have. */
export function questionOf(query: URLSearchParams, pools: readonly string[]): WhatIfQuestion {
  for (const name of query.keys()) {
    if (!PARAMETERS.includes(name))
      throw new Refused(400, `unknown parameter ${quoted(name)}`, { parameter: name, allowed: PARAMETERS.join(', ') });
    if (query.getAll(name).length > 1)
      throw new Refused(400, `parameter ${name} is given twice`, { parameter: name, allowed: 'once' });
  }
  const given = (name: string) => query.get(name) || undefined;
  for (const [parameter, field] of Object.entries(FIELDS)) {
    const value = given(parameter);
    if (value === undefined) continue;
    const reading = readPoolPolicy('', { [field]: value });
    if ('problems' in reading) throw bad(parameter, value, reading.problems[0].allowed);
  }
  const utilization = given('utilization');
  if (utilization !== undefined) {
    const reading = readSettings({ flags: new Map([[UTILIZATION, utilization]]), env: {} });
    if ('problems' in reading) throw bad('utilization', utilization, reading.problems[0].allowed);
  }
  const pool = given('pool');
  if (pool !== undefined && !pools.includes(pool)) throw bad('pool', pool, `a NodePool: ${pools.join(', ')}`);
  const [threshold, grace, policy, minPercent] = ['threshold', 'grace', 'policy', 'minPercent'].map(given);
  if (minPercent === 'auto') throw bad('minPercent', minPercent, 'a percentage from 0 to 100');
  if (Number(threshold) > MOST_CENTS) throw bad('threshold', String(threshold), `at most ${MOST_CENTS} cents`);
  return {
    ...(threshold === undefined ? {} : { threshold: Number(Number(threshold).toFixed(6)) }),
    ...(utilization === undefined ? {} : { utilization: Number(utilization) }),
    ...(grace === undefined ? {} : { grace }),
    ...(policy === undefined ? {} : { policy: policyName(policy as DisruptionBlock['consolidationPolicy']) }),
    ...(minPercent === undefined ? {} : { minPercent: Number(minPercent) }),
    ...(pool === undefined ? {} : { pool }),
  };
}

function bad(parameter: string, value: string, allowed: string): Refused {
  return new Refused(400, `${parameter}: ${quoted(value)} is not allowed`, { parameter, allowed });
}

function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}

/** The question as a policy, to show as configuration. */
export function policyOf({ threshold, utilization, grace, policy, minPercent }: WhatIfQuestion): NamedPolicy {
  return {
    name: 'dashboard',
    controller: 'decant',
    search: 'merged',
    disruption: {
      ...(policy === undefined ? {} : { [FIELDS.policy]: policy }),
      ...(grace === undefined ? {} : { [FIELDS.grace]: grace }),
      ...(threshold === undefined ? {} : { [FIELDS.threshold]: String(threshold) }),
      ...(minPercent === undefined ? {} : { [FIELDS.minPercent]: String(minPercent) }),
    },
    switches: utilization === undefined ? {} : { [UTILIZATION]: String(utilization) },
  };
}
