import { type Command, Option } from 'commander';
import { COMPAT_SYSTEMS, type Compat } from '../../config/compat.ts';
import { durationFlag, wholeNumberFlag } from './flag-values.ts';
import { SCHEDULER_CONFIG_HELP } from './scheduler-config.ts';
import { addSettingFlags } from './settings.ts';
import { refuseUnused } from './unused.ts';

/** How a plan is made, for every command that makes one. */
export interface PlanningOptions {
  readonly compat?: Compat;
  readonly search?: 'karpenter' | 'merged';
  /** Milliseconds. */
  readonly timeBudget?: number;
  /** Simulated placements. */
  readonly workBudget?: number;
  /** Later moves may use nodes that earlier moves launch. */
  readonly follow?: boolean;
  /** Prove a lower bound of the cluster's cost. */
  readonly bound?: boolean;
  /** Report progress even without a terminal. */
  readonly progress?: boolean;
  /** Settings given, by flag without its dashes. */
  readonly flags: ReadonlyMap<string, string>;
}

/** The settings that one pass over a snapshot uses; the others are for a controller that acts over time. */
const PLAN_SETTINGS: ReadonlySet<string> = new Set([
  'scaledown-utilization-threshold',
  'node-base-cost',
  'ownerless-pods-block',
  'honor-do-not-evict',
  'honor-safe-to-evict',
  'local-data-blocks',
  'shield-destinations',
  'min-node-lifetime',
  'max-replacements',
  'node-surcharge',
  'spot-to-spot-min-types',
  'spot-to-spot-shrink',
  'destination-lifetime',
  'spot-interruption-rate',
  'max-workload-evictions',
]);

export function addPlanOptions(command: Command): Command {
  addDecisionOptions(command)
    .option(
      '--time-budget <duration>',
      'Stop searching after this time, such as 5s (plans then depend on the machine)',
      durationFlag({ least: '0s', most: '500h', example: '500ms or 1m30s' }),
    )
    .option(
      '--follow',
      'Allow moves to nodes that earlier moves launch (saves more in small clusters; moves must run in order)',
    )
    .option('--bound', 'Prove a lower bound of the cost of the cluster, and show how close the plan is to it')
    .option('--progress', 'Report the progress of the search on stderr every second (always on in a terminal)');
  return command;
}

/** The flags that decide what is in a plan. */
export function addDecisionOptions(command: Command): Command {
  command
    .addOption(new Option('--compat <system>', 'Use the settings of this system').choices(COMPAT_SYSTEMS))
    .addOption(
      new Option(
        '--search <kind>',
        'merged: the best moves found; karpenter: one pass of the methods of Karpenter (default: merged, or as --compat)',
      ).choices(['merged', 'karpenter']),
    )
    .option(
      '--work-budget <pods>',
      'Stop after this many simulated placements (deterministic, unlike --time-budget)',
      workBudget,
    )
    .option('--spot-to-spot', 'Allow spot nodes to be replaced by cheaper spot nodes')
    .addOption(preferencePolicy())
    .option('--scheduler-config <text>', SCHEDULER_CONFIG_HELP);
  addSettingFlags(command, PLAN_SETTINGS);
  return command;
}

/** As Karpenter's flag of this name. */
function preferencePolicy(): Option {
  return new Option(
    '--preference-policy <policy>',
    'Ignore: preferences of pods (affinity, ScheduleAnyway spread) keep no node (default: as in the snapshot, or Respect)',
  ).choices(['Respect', 'Ignore']);
}

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

export const workBudget = wholeNumberFlag(1, Number.MAX_SAFE_INTEGER);
