import { withSharedCommitments } from '../../engine/cluster/commitment.ts';
import type { Plan } from '../../engine/plan-document.ts';
import type { ReportContent } from '../report-content.ts';
import type { Subject } from './subject.ts';

/** A subject as JSON: entries instead of maps. */
type InlinedSubject = Omit<Subject, 'policies' | 'protectedUntilMs'> & {
  readonly policies: readonly (readonly [
    string,
    Subject['policies'] extends ReadonlyMap<string, infer P> ? P : never,
  ])[];
  readonly protectedUntilMs?: readonly (readonly [string, number])[];
};

/** A plan and the subject it was made of; the engine is in the file too and answers the rest. */
export interface PlanReportContent extends ReportContent {
  readonly subject: InlinedSubject;
  readonly plan: Plan;
}

export function inlined(subject: Subject): InlinedSubject {
  const { policies, protectedUntilMs, ...rest } = subject;
  const grace = protectedUntilMs === undefined ? {} : { protectedUntilMs: [...protectedUntilMs] };
  return { ...rest, policies: [...policies], ...grace };
}

export function subjectFrom({ policies, protectedUntilMs, ...rest }: InlinedSubject): Subject {
  const grace = protectedUntilMs === undefined ? {} : { protectedUntilMs: new Map(protectedUntilMs) };
  const objects = { ...rest.objects, instanceTypes: withSharedCommitments(rest.objects.instanceTypes) };
  return { ...rest, objects, policies: new Map(policies), ...grace };
}
