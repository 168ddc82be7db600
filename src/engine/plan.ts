import type { ClusterObjects } from './cluster/objects.ts';
import { PoolReserve } from './gates/pool-reserve.ts';
import {
  type Evaluation,
  evaluateSteps,
  type FoundStage,
  type SearchFindings,
  searchMoves,
} from './pass/evaluation.ts';
import { planCost } from './plan-commitments.ts';
import { API_VERSION, type Plan, type PlanKarpenter } from './plan-document.ts';
import { planPrices } from './plan-prices.ts';
import { plannedMoves, plannedNode } from './planned.ts';
import { type RunningKarpenter, runningKarpenter } from './running-karpenter.ts';
import { compileSteps } from './scheduling/compile.ts';
import type { CompileCache } from './scheduling/compile-cache.ts';
import { Simulation } from './scheduling/simulation.ts';
import { withBlockedMove } from './search/blocked-moves.ts';
import { NO_PROGRESS, type SearchProgress } from './search/method.ts';
import { isGreater } from './search/net-benefit.ts';
import type { SearchProblem } from './search/problem.ts';
import type { Rules } from './settings.ts';
import { pausing, resultOf } from './steps.ts';

export interface PlanSettings {
  /** merged: the best moves that can be found; karpenter: what one pass of stock Karpenter would do now. */
  readonly search: 'karpenter' | 'merged';
  readonly rules: Rules;
  /** What reading and parsing took, to be reported. */
  readonly loadMs: number;
  /** New nodes that one move of the merged search may launch; as the rules have it unless told otherwise. */
  readonly maxReplacements?: number;
  /** Pods of later moves may go to nodes that earlier ones launch; the plan must then be executed in its order. */
  readonly follow?: boolean;
  /** Pods placed in trials of the merged search, at most; by default as many as the size of the cluster suggests. */
  readonly work?: number;
  /** Of other plans of nearly the same cluster, whose common parts are not compiled again. */
  readonly cache?: CompileCache;
  /** Told of each stage after the first: the cluster that it is planned on, and how many moves are before it. */
  readonly onStage?: (objects: ClusterObjects, movesBefore: number) => void;
}

/** One pass over a cluster. `clock` returns milliseconds and is only used to report how long things took. */
export function plan(objects: ClusterObjects, settings: PlanSettings, clock: () => number): Plan {
  return resultOf(planSteps(objects, settings, clock));
}

/** As `plan`, with a pause now and then. Passing true to `next` asks for the best plan so far. */
export function* planSteps(
  objects: ClusterObjects,
  settings: PlanSettings,
  clock: () => number,
): Generator<SearchProgress, Plan, boolean | undefined> {
  const started = clock();
  const { rules, loadMs, maxReplacements, follow } = settings;
  const pauses = new Pauses();
  const cluster = yield* pauses.during(pausing(compileSteps(objects, rules.settings, settings.cache), NO_PROGRESS));
  const compiled = clock();
  const simulation = new Simulation(cluster, { gate: PoolReserve.of(cluster, rules) });
  const evaluation = yield* pauses.during(
    pausing(evaluateSteps(simulation, rules, { maxReplacements, mayFollow: follow }), NO_PROGRESS),
  );
  const work = settings.work ?? defaultWork(evaluation.problem);
  const found = yield* pauses.during(searchMoves(evaluation, settings.search, work));
  return planOf(evaluation, found, settings, { loadMs: loadMs + (compiled - started), elapsedMs: clock() - compiled });
}

/** The document of what a search found. `took`: to be reported. */
export function planOf(
  { rows, problem, rules }: Evaluation,
  found: SearchFindings,
  { search, onStage }: Pick<PlanSettings, 'search' | 'onStage'>,
  took: Pick<Plan['totals'], 'loadMs' | 'elapsedMs'>,
): Plan {
  const { cluster } = problem.simulation;
  const { objects } = cluster;
  const moves = plannedMoves(cluster, found.moves);
  for (const stage of found.later) {
    const { cluster: before } = stage.problem.simulation;
    onStage?.(before.objects, moves.length);
    moves.push(...plannedMoves(before, stage.moves, moves.length));
  }
  const nodes = rows.map(({ row, verdict }) => {
    const blocked = verdict.candidate && found.blocked.get(verdict.candidate);
    const refusals = withBlockedMove(verdict.refusals, blocked);
    return plannedNode(problem.simulation, row, { ...verdict, refusals }, rules.settings.nodeBaseCost);
  });
  const running = runningKarpenter(objects.workloads, objects.karpenterSchema);
  const stages = [{ cluster, moves: found.moves }, ...found.later.map(inStage)];
  const cost = planCost(problem.simulation, stages);
  const now = cost?.centsPerHour ?? nodes.reduce((sum, n) => sum + (n.centsPerHour ?? 0), 0);
  const savings = moves.reduce((sum, m) => sum + m.savingsCentsPerHour, 0);
  const rollouts = moves.reduce((sum, m) => sum + (m.rollouts?.length ?? 0), 0);
  return {
    apiVersion: API_VERSION,
    kind: 'Plan',
    now: new Date(objects.nowMs).toISOString().replace('.000Z', 'Z'),
    search,
    totals: {
      nodes: nodes.length,
      pods: objects.pods.length,
      centsPerHour: now,
      plannedCentsPerHour: now - savings,
      savingsCentsPerHour: savings,
      evictions: moves.reduce((sum, m) => sum + m.placements.length, 0) - rollouts,
      ...(rollouts === 0 ? {} : { rollouts }),
      disruptionCost: moves.reduce((sum, m) => sum + m.disruptionCost, 0),
      evaluated: problem.candidates.length,
      ...took,
    },
    ...(running === undefined ? {} : { karpenter: planKarpenter(running) }),
    ...(objects.prices === undefined ? {} : { prices: planPrices(objects, objects.prices, rules.settings.compat) }),
    ...(cost === undefined ? {} : { commitments: cost.commitments }),
    ...(found.coverage === undefined ? {} : { coverage: found.coverage }),
    ...(objects.undecodable.length === 0 ? {} : { undecodable: objects.undecodable }),
    moves,
    nodes,
  };
}

/**
 * Pauses until it is asked to stop; what has to be done before there is any plan goes on without. Reports the best plan so
 * far: the searches of later stages, and of other plans, start again at nothing.
 */
class Pauses {
  private stop = false;
  private best = NO_PROGRESS;

  *during<T>(
    steps: Generator<SearchProgress, T, boolean | undefined>,
  ): Generator<SearchProgress, T, boolean | undefined> {
    for (let step = steps.next(); ; step = steps.next(this.stop)) {
      if (step.done === true) return step.value;
      const { value } = step;
      this.best = isGreater(value.benefit, this.best.benefit) ? value : { ...this.best, work: value.work };
      if (!this.stop) this.stop = (yield this.best) === true;
    }
  }
}

function inStage({ problem, moves }: FoundStage) {
  return { cluster: problem.simulation.cluster, moves };
}

function planKarpenter({ isUnknown: _, ...karpenter }: RunningKarpenter): PlanKarpenter {
  return karpenter;
}

/** Pods placed in trials: the small get more each, because they can have it in a second; see bench/README.md. */
const WORK_PER_CANDIDATE = 350;
const FOR_SMALL = { each: 5000, least: 60_000, most: 350_000 };

export function defaultWork({ candidates: { length } }: Pick<SearchProblem, 'candidates'>): number {
  const { each, least, most } = FOR_SMALL;
  return Math.max(least, Math.min(each * length, most), WORK_PER_CANDIDATE * length);
}
