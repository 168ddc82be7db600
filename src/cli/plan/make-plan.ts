import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { planSteps } from '../../engine/plan.ts';
import type { Plan } from '../../engine/plan-document.ts';
import { runningKarpenter } from '../../engine/running-karpenter.ts';
import type { SearchProgress } from '../../engine/search/method.ts';
import type { Rules } from '../../engine/settings.ts';
import type { PlanningOptions } from '../flags/planning.ts';
import { type ProcessRules, rulesFor } from '../input/rules.ts';

/** Default of new nodes per move: more than a controller launches at once, to show what that would save. */
const MAX_REPLACEMENTS = 5;
/** Time between checks of the clock and of Ctrl-C. */
const SLICE_MS = 50;
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
  /** The cluster on which a move of the plan is made, by its number: that of its stage. */
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
  { timeBudget, progress: always = false }: PlanningOptions,
): Promise<Plan> {
  const startedMs = performance.now();
  let stop = false;
  const onInterrupt = () => {
    stop = true;
    process.removeListener('SIGINT', onInterrupt);
  };
  process.on('SIGINT', onInterrupt);
  const progress = process.stderr.isTTY ? new ProgressLine() : always ? new ProgressLog() : undefined;
  try {
    let yieldedMs = startedMs;
    for (let step = steps.next(); ; step = steps.next(stop)) {
      if (step.done === true) return step.value;
      const nowMs = performance.now();
      stop ||= timeBudget !== undefined && nowMs - startedMs >= timeBudget;
      if (nowMs - yieldedMs < SLICE_MS) continue;
      yieldedMs = nowMs;
      if (nowMs - startedMs > QUIET_MS) progress?.show(step.value, nowMs - startedMs);
      await nextTurn();
    }
  } finally {
    progress?.clear();
    process.removeListener('SIGINT', onInterrupt);
  }
}

function progressInWords({ netCents, moves }: SearchProgress, elapsedMs: number): string {
  const saved = `$${(netCents / 100).toFixed(2)}/h saved by ${moves} moves`;
  return `searched for ${(elapsedMs / 1000).toFixed(0)} s: ${saved} (Ctrl-C to stop)`;
}

/** One line on the terminal that is written over and gone in the end. */
class ProgressLine {
  private shown = false;

  show(progress: SearchProgress, elapsedMs: number): void {
    process.stderr.write(`\r\u001b[K${progressInWords(progress, elapsedMs)}`);
    this.shown = true;
  }

  clear(): void {
    if (this.shown) process.stderr.write('\r\u001b[K');
  }
}

/** A line every second, for a log. */
class ProgressLog {
  private second = 0;

  show(progress: SearchProgress, elapsedMs: number): void {
    const second = Math.floor(elapsedMs / 1000);
    if (second === this.second) return;
    this.second = second;
    process.stderr.write(`${progressInWords(progress, elapsedMs)}\n`);
  }

  clear(): void {}
}
