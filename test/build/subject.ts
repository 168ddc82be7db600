import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import type { PoolPolicy } from '../../src/engine/disruption/pool-policy.ts';
import { plan } from '../../src/engine/plan.ts';
import type { Plan } from '../../src/engine/plan-document.ts';
import type { Settings } from '../../src/engine/settings.ts';
import { rulesOf, type Subject, subjectOf } from '../../src/web/analysis/subject.ts';
import { rules } from './policy.ts';

/** A cluster under rules that allow everything, except for what is given. */
export function subject(
  objects: ClusterObjects,
  block: Partial<PoolPolicy> = {},
  settings: Partial<Settings> = {},
): Subject {
  return subjectOf(objects, rules(block, settings), { search: 'merged', maxReplacements: 1 });
}

/** From scratch. */
export function planFor(subject: Subject): Plan {
  const { objects, search, maxReplacements, work } = subject;
  return plan(objects, { search, rules: rulesOf(subject), maxReplacements, work, loadMs: 0 }, () => 0);
}
