import { performance } from 'node:perf_hooks';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { planSteps } from '../../engine/plan.ts';
import type { Plan } from '../../engine/plan-document.ts';
import { runningKarpenter } from '../../engine/running-karpenter.ts';
import type { SearchProgress } from '../../engine/search/method.ts';
import type { Rules } from '../../engine/settings.ts';
import { count, perHour } from '../../report/money.ts';
import type { PlanningOptions } from '../flags/planning.ts';
import { type ProcessRules, rulesFor } from '../input/rules.ts';
import { Interrupt, ProgressLine } from '../output/progress.ts';

/** Default of new nodes per move: more than a controller launches at once, to show what that would save. */
const MAX_REPLACEMENTS = 5;
/** Shorter searches report no progress. */
const QUIET_MS = 1000;

/** What a plan is made by, resolved once per command. */
export interface PlanRules {
  readonly rules: ProcessRules;
  readonly search: 'merged' | 'karpenter';
  /** New nodes that a move of the merged search may launch. */
  readonly maxReplacements: number;
}

export interface MadePlan extends PlanRules {
  readonly plan: Plan;
  /** The cluster on which a move of the plan is made, by its number; each stage has its own. */
  clusterOf(move: number): ClusterObjects;
}

/**
 * Makes the plan, with progress on a terminal. Ctrl-C asks for the best plan so far; a second one ends the process as
 * usual.
 */
export async function makePlan(cluster: ClusterObjects, options: PlanningOptions, loadMs: number): Promise<MadePlan> {
  const { timeBudget, workBudget, follow } = options;
  const resolved = await planRules(cluster, options);
  const { rules, search, maxReplacements } = resolved;
  const stages = [{ objects: cluster, movesBefore: 0 }];
  const steps = planSteps(
    cluster,
    {
      onStage: (objects, movesBefore) => stages.push({ objects, movesBefore }),
      search,
      rules,
      loadMs,
      maxReplacements,
      follow,
      work: timeBudget === undefined ? workBudget : (workBudget ?? Number.POSITIVE_INFINITY),
    },
    () => performance.now(),
  );
  const plan = await runToTheEnd(steps, options);
  return {
    plan: options.bound ? await withBound(plan, cluster, rules) : plan,
    clusterOf: (move) => (stages.findLast(({ movesBefore }) => movesBefore < move) ?? stages[0]).objects,
    ...resolved,
  };
}

export async function planRules(
  cluster: ClusterObjects,
  options: Pick<PlanningOptions, 'compat' | 'flags' | 'search'>,
): Promise<PlanRules> {
  const { compat, flags } = options;
  const given = await rulesFor(cluster.nodePools, {
    compat,
    flags,
    env: process.env,
    running: runningKarpenter(cluster.workloads, cluster.karpenterSchema)?.closest,
  });
  const search = options.search ?? (compat === undefined ? 'merged' : 'karpenter');
  // The merged search is ours: with --compat it has the settings of Karpenter, without its known quirks.
  const rules = search === 'merged' ? { ...given, settings: { ...given.settings, compat: false } } : given;
  return { rules, search, maxReplacements: maxReplacementsOf(rules.settings, flags) };
}

/** As given, by flag or in the environment; otherwise what a plan may show. */
export function maxReplacementsOf(
  { maxReplacements }: { readonly maxReplacements: number },
  flags: ReadonlyMap<string, string>,
): number {
  const limited = flags.has('max-replacements') || (process.env.DECANT_MAX_REPLACEMENTS ?? '') !== '';
  return limited ? maxReplacements : MAX_REPLACEMENTS;
}

async function withBound(plan: Plan, cluster: ClusterObjects, rules: Rules): Promise<Plan> {
  const { proveBound } = await import('../../bound/prove.ts');
  const { moves, nodes, ...head } = plan;
  return { ...head, bound: await proveBound(cluster, rules, plan), moves, nodes };
}

async function runToTheEnd(
  steps: Generator<SearchProgress, Plan, boolean | undefined>,
  { timeBudget = Number.POSITIVE_INFINITY, progress: isLogged = false }: PlanningOptions,
): Promise<Plan> {
  const [interrupt, line, startedMs] = [new Interrupt(), new ProgressLine(), performance.now()];
  let loggedSecond = 0;
  let stop = false;
  try {
    for (let step = steps.next(); ; step = steps.next(stop)) {
      if (step.done === true) return step.value;
      const elapsedMs = performance.now() - startedMs;
      stop = interrupt.signal.aborted || elapsedMs >= timeBudget;
      if (!(await interrupt.pause()) || elapsedMs <= QUIET_MS) continue;
      const text = progressInWords(step.value, elapsedMs);
      line.show(text);
      const second = Math.floor(elapsedMs / 1000);
      if (process.stderr.isTTY || !isLogged || second === loggedSecond) continue;
      loggedSecond = second;
      process.stderr.write(`${text}\n`);
    }
  } finally {
    line.clear();
    interrupt.end();
  }
}

function progressInWords({ benefit, moves }: SearchProgress, elapsedMs: number): string {
  const saved = `${perHour(benefit.savingsCents)} saved by ${count(moves, 'move')}`;
  return `searched for ${(elapsedMs / 1000).toFixed(0)} s: ${saved} (Ctrl-C to stop)`;
}
