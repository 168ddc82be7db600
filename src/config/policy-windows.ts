import { isWindowOpen, parseCron } from '../engine/disruption/cron.ts';
import { METHODS, type MethodName, methodsText, policiesAllowing, ruleProblems, TTL_TEXT } from './block-rules.ts';
import type { CelRule } from './cel-rule.ts';
import { budgetsOf, CONSOLIDATION_POLICIES, disruptionBlock, scheduledWindow } from './disruption-block.ts';
import { durationMs } from './duration.ts';
import { listOf, objectOf } from './leaf-schemas.ts';
import { check, type SchemaProblem, valueAt } from './schema-problems.ts';

/**
 * Policies by time: `windows` of a ConsolidationPolicy. While a window is open, its fields replace those of the policy;
 * of several open ones the first counts.
 */

const { ttlSecondsAfterEmpty: _, budgets: _budgets, ...differing } = disruptionBlock.shape;
const MAY_DIFFER: ReadonlySet<string> = new Set([...Object.keys(differing), 'budgets']);
/** The API server limits the total cost of the rules of all budgets of all windows. */
const MOST_WINDOWS = 7;
const MOST_BUDGETS = 10;

export const policyWindows = listOf(
  objectOf({
    schedule: scheduledWindow.schedule.describe('When the window opens.'),
    duration: scheduledWindow.duration.describe('How long it stays open.'),
    timeZone: scheduledWindow.timeZone
      .optional()
      .describe('Time zone of the schedule, by its IANA name; UTC if absent.'),
    ...differing,
    budgets: budgetsOf(MOST_BUDGETS).optional().describe('Budgets that replace those of the policy.'),
  }),
  'windows',
)
  .max(MOST_WINDOWS, `at most ${MOST_WINDOWS} windows`)
  .describe(
    'Values that differ while a window is open: any field above except ttlSecondsAfterEmpty. If several windows are open, the first applies.',
  );

/** Index of the first open window of a valid spec. */
export function openWindow(spec: unknown, nowMs: number): number | undefined {
  const windows = valueAt(spec, ['windows']);
  if (!Array.isArray(windows)) return undefined;
  const open = windows.findIndex(({ schedule, duration, timeZone }) => {
    const cron = parseCron(schedule);
    return cron !== undefined && isWindowOpen(cron, durationMs(duration), nowMs, timeZone ?? undefined);
  });
  return open < 0 ? undefined : open;
}

/** The disruption block of a valid spec while this window is open; undefined if none is. */
export function blockDuring(spec: unknown, window: number | undefined): unknown {
  const { nodePoolSelector: _selector, windows, ...block } = spec as Readonly<Record<string, unknown>>;
  if (window === undefined || !Array.isArray(windows)) return block;
  return { ...block, ...differencesOf(windows[window]) };
}

function differencesOf(window: unknown): Readonly<Record<string, unknown>> {
  const {
    schedule: _schedule,
    duration: _duration,
    timeZone: _timeZone,
    ...differs
  } = window as Record<string, unknown>;
  const given = ([key, value]: [string, unknown]) => MAY_DIFFER.has(key) && value !== undefined && value !== null;
  return Object.fromEntries(Object.entries(differs).filter(given));
}

/** All problems of the windows, by themselves and together with the policy's own fields. */
export function windowProblems(windows: unknown, block: Readonly<Record<string, unknown>>): readonly SchemaProblem[] {
  if (windows === undefined) return [];
  const checked = check(policyWindows, windows);
  const own = 'problems' in checked ? checked.problems : [];
  if (!Array.isArray(windows)) return own;
  const outside = new Set(ruleProblems(block).map(({ path }) => path.join('.')));
  const together = windows.flatMap((window, i) => {
    if (typeof window !== 'object' || window === null || Array.isArray(window)) return [];
    const differs = differencesOf(window);
    return ruleProblems({ ...block, ...differs })
      .filter(({ path }) => Object.hasOwn(differs, path[0]) || !outside.has(path.join('.')))
      .map((problem) => inWindow(problem, i, differs));
  });
  return [...own, ...together];
}

/** A window may break a rule about a field that the policy sets outside its windows. */
function inWindow({ path, value, allowed }: SchemaProblem, i: number, differs: Readonly<Record<string, unknown>>) {
  if (Object.hasOwn(differs, path[0])) return { path: [i, ...path], value, allowed };
  const field = path[0] === 'ttlSecondsAfterEmpty' ? 'consolidateAfter' : 'consolidationPolicy';
  return { path: [i, field], value: differs[field], allowed };
}

/** The same for the API server, which cannot name the window. */
export const WINDOWS_CEL: readonly CelRule[] = [
  ...METHODS.filter((method) => policiesAllowing(method).length < CONSOLIDATION_POLICIES.length).map(methodInWindow),
  {
    rule: '!has(self.windows) || !has(self.ttlSecondsAfterEmpty) || self.windows.all(w, !has(w.consolidateAfter) || w.consolidateAfter == "Never")',
    message: TTL_TEXT,
    fieldPath: '.windows',
  },
];

function methodInWindow(method: MethodName): CelRule {
  const allowed = JSON.stringify(policiesAllowing(method));
  const isOn = (at: string) =>
    `has(${at}.consolidation) && has(${at}.consolidation.${method}) && has(${at}.consolidation.${method}.enabled) && ${at}.consolidation.${method}.enabled`;
  const fits = (at: string) => `${at}.consolidationPolicy in ${allowed}`;
  const enabled = `(has(w.consolidation) ? ${isOn('w')} : ${isOn('self')})`;
  const policyFits = `(has(w.consolidationPolicy) ? ${fits('w')} : !has(self.consolidationPolicy) || ${fits('self')})`;
  const differs = '(has(w.consolidation) || has(w.consolidationPolicy))';
  return {
    rule: `!has(self.windows) || self.windows.all(w, !${differs} || !${enabled} || ${policyFits})`,
    message: methodsText('the policy', method),
    fieldPath: '.windows',
  };
}
