import { type Command, InvalidArgumentError, Option } from 'commander';
import { addSwitches } from './settings.ts';
import { refuseIdle } from './unused.ts';

/** What decides how a plan is made, the same for every command that makes one. */
export interface PlanningOptions {
  readonly compat?: 'karpenter';
  readonly search?: 'karpenter' | 'merged';
  /** Milliseconds. */
  readonly timeBudget?: number;
  /** Pods placed in trials. */
  readonly workBudget?: number;
  /** Pods of later moves may go to nodes that earlier ones launch. */
  readonly follow?: boolean;
  /** Prove how cheap the cluster could be at best. */
  readonly bound?: boolean;
  /** Progress also where no terminal is. */
  readonly progress?: boolean;
  /** ControllerSettings given, by flag without its dashes. */
  readonly flags: ReadonlyMap<string, string>;
}

/** Those that one pass over a snapshot depends on; the others are for a controller that acts over time. */
const PLAN_SWITCHES: ReadonlySet<string> = new Set([
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
      'search for so long, such as 5s; plans then depend on the machine',
      milliseconds,
    )
    .option(
      '--follow',
      'let pods go to nodes that earlier moves launch: saves more in small clusters, and has to be done in its order',
    )
    .option('--bound', 'prove how cheap the cluster could be at best, and how near the plan is to it')
    .option('--progress', 'say every second how the search goes, on stderr; on a terminal it is said anyway');
  return command;
}

/** Those that decide what is in a plan, and not how it is waited for. */
export function addDecisionOptions(command: Command): Command {
  command
    .addOption(new Option('--compat <system>', 'every switch as that system has it').choices(['karpenter']))
    .addOption(
      new Option(
        '--search <kind>',
        'merged: the best moves that can be found; karpenter: one pass of stock (default: merged, or as --compat)',
      ).choices(['merged', 'karpenter']),
    )
    .option('--work-budget <pods>', 'place so many pods in trials, at most; the same plan everywhere', wholeNumber)
    .option('--spot-to-spot', 'let spot nodes be replaced by cheaper spot nodes')
    .addOption(preferencePolicy());
  addSwitches(command, PLAN_SWITCHES);
  return command;
}

/** As Karpenter's flag of this name. */
function preferencePolicy(): Option {
  return new Option(
    '--preference-policy <policy>',
    'Ignore: what pods prefer (affinity, ScheduleAnyway spread) keeps no node (default: the snapshot’s, or Respect)',
  ).choices(['Respect', 'Ignore']);
}

/** One pass of stock has no time to spend and nothing to build on. */
export function refuseIdleSearch(command: Command): void {
  const { search, compat } = command.opts<Pick<PlanningOptions, 'search' | 'compat'>>();
  if ((search ?? compat) !== 'karpenter') return;
  refuseIdle(
    command,
    ['workBudget', 'timeBudget', 'follow'],
    'is for the merged search; --search karpenter is one pass',
  );
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

function milliseconds(text: string): number {
  const parts = /^([0-9]+(?:\.[0-9]+)?)(ms|s|m)$/.exec(text);
  if (parts === null) throw new InvalidArgumentError('allowed: a duration such as 500ms, 5s or 2m.');
  return Number(parts[1]) * UNIT_MS[parts[2]];
}

export function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new InvalidArgumentError('allowed: a whole number of at least 1.');
  return Number(text);
}
