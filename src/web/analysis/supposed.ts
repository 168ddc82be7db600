import { allows, METHODS, type MethodName } from '../../config/block-rules.ts';
import { durationOrNeverMs } from '../../config/duration.ts';
import { NODE_POOL } from '../../engine/cluster/well-known.ts';
import type { PolicyName, PoolPolicy } from '../../engine/disruption/pool-policy.ts';
import { idleSinceMs } from '../../engine/gates/idle-since.ts';
import type { WhatIfQuestion } from '../api.ts';
import type { Subject } from './subject.ts';

/** The subject with the question's values. */
export function supposed(subject: Subject, question: WhatIfQuestion): Subject {
  const { utilization } = question;
  const policies = [...subject.policies].map(([pool, policy]) => {
    return [pool, asksAbout(question, pool) ? policyUnder(policy, question) : policy] as const;
  });
  const changed = new Map(policies);
  return {
    ...subject,
    policies: changed,
    settings: utilization === undefined ? subject.settings : { ...subject.settings, utilizationThreshold: utilization },
    ...(question.grace === undefined ? {} : { protectedUntilMs: graceWindows(subject, changed, question) }),
  };
}

export function asksAbout({ pool }: WhatIfQuestion, name: string): boolean {
  return pool === undefined || pool === name;
}

function policyUnder(own: PoolPolicy, { threshold, grace, policy, minPercent }: WhatIfQuestion): PoolPolicy {
  return {
    ...own,
    ...(policy === undefined ? {} : methodsUnder(own, policy)),
    ...(grace === undefined ? {} : { gracePeriodMs: durationOrNeverMs(grace) }),
    ...(threshold === undefined ? {} : { savingsThresholdCents: threshold }),
    ...(minPercent === undefined ? {} : { minSavingsPercent: minPercent }),
  };
}

/** A method that the pool disables stays disabled; one that only its policy excludes is enabled. */
function methodsUnder(own: PoolPolicy, policy: PolicyName): Partial<PoolPolicy> {
  const switchedOff = (method: MethodName) => allows(own.policy, method) && !own[method].enabled;
  const [single, multi, emptiness] = METHODS.map((method) => allows(policy, method) && !switchedOff(method));
  return {
    policy,
    singleNode: { enabled: single },
    multiNode: { ...own.multiNode, enabled: multi },
    emptiness: { ...own.emptiness, enabled: emptiness },
  };
}

/** Assumes that each node was evaluated without result when it became consolidatable; the actual history is unknown. */
function graceWindows(
  { objects, protectedUntilMs }: Subject,
  policies: ReadonlyMap<string, PoolPolicy>,
  question: WhatIfQuestion,
): ReadonlyMap<string, number> {
  const windows = new Map<string, number>();
  for (const claim of objects.nodeClaims) {
    const pool = claim.labels[NODE_POOL] ?? '';
    const { consolidateAfterMs, gracePeriodMs } = policies.get(pool) ?? {};
    if (!asksAbout(question, pool)) {
      const known = protectedUntilMs?.get(claim.nodeName);
      if (known !== undefined) windows.set(claim.nodeName, known);
    } else if (consolidateAfterMs !== undefined && gracePeriodMs !== undefined)
      windows.set(claim.nodeName, idleSinceMs(claim) + consolidateAfterMs + gracePeriodMs);
  }
  return windows;
}
