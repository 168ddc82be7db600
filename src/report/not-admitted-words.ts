import { MOST_PENDING_TERMS } from '../engine/scheduling/pending-terms.ts';

/** Pending pods of one namespace that no simulation places. */
export function notAdmittedInWords([namespace, pods]: readonly [string, number]): string {
  const [who, have] = pods === 1 ? ['1 pending pod', 'has'] : [`${pods} pending pods`, 'have'];
  return `namespace ${namespace}: ${who} ${have} no place in any plan: pending pods of one namespace may have ${MOST_PENDING_TERMS} different affinity, anti-affinity and spread terms`;
}
