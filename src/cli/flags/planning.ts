import type { Command } from 'commander';
import { COMPAT_SYSTEMS } from '../../config/compat.ts';
import { choice, flag, type OptionsOf } from './flag.ts';
import { durationFlag, wholeNumberFlag } from './flag-values.ts';
import { SCHEDULER_CONFIG_HELP } from './scheduler-config.ts';
import type { GivenSettings } from './settings.ts';
import { refuseUnused } from './unused.ts';

export const workBudget = wholeNumberFlag(1, Number.MAX_SAFE_INTEGER);

/** The flags that decide what is in a plan, beside settings. */
export const DECISION_FLAGS = [
  choice('--compat <system>', 'Decide as this version of Karpenter does', COMPAT_SYSTEMS),
  choice(
    '--search <kind>',
    'merged: the best moves found; karpenter: one pass of the methods of Karpenter (default: merged, or as --compat)',
    ['merged', 'karpenter'],
  ),
  flag(
    '--work-budget <pods>',
    'Stop after this many simulated placements (deterministic, unlike --time-budget)',
    workBudget,
  ),
  flag('--spot-to-spot', 'Allow spot nodes to be replaced by cheaper spot nodes'),
  choice(
    '--preference-policy <policy>',
    'Ignore: preferences of pods (affinity, ScheduleAnyway spread) keep no node (default: as in the snapshot, or Respect)',
    ['Respect', 'Ignore'],
  ),
  flag('--scheduler-config <text>', SCHEDULER_CONFIG_HELP),
];

/** The flags of commands that make one plan. */
export const PLAN_FLAGS = [
  ...DECISION_FLAGS,
  flag(
    '--time-budget <duration>',
    'Stop searching after this time, such as 5s (plans then depend on the machine)',
    durationFlag({ least: '0s', most: '500h', example: '500ms or 1m30s' }),
  ),
  flag(
    '--follow',
    'Allow moves to nodes that earlier moves launch (saves more in small clusters; moves must run in order)',
  ),
  flag('--bound', 'Prove a lower bound of the cost of the cluster, and show how close the plan is to it'),
  flag('--progress', 'Report the progress of the search on stderr every second (always on in a terminal)'),
];

/** How a plan is made, for every command that makes one. */
export type PlanningOptions = OptionsOf<typeof PLAN_FLAGS> & GivenSettings;

/** Karpenter's search is one pass, without a budget and without moves that build on others. */
export function refuseUnusedSearch(command: Command): void {
  const { search, compat } = command.opts<Pick<PlanningOptions, 'search' | 'compat'>>();
  if ((search ?? (compat === undefined ? undefined : 'karpenter')) !== 'karpenter') return;
  refuseUnused(
    command,
    ['workBudget', 'timeBudget', 'follow'],
    'is for the merged search; --search karpenter is one pass',
  );
}
