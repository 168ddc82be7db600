import type { Facts } from './measures/measure.ts';
import { growthExponent, type Summary } from './statistics.ts';
import type { StockTime } from './stock.ts';
import type { Goal, MeasureName } from './workloads.ts';

/** One workload's outcome; a line of the machine-readable output. */
export interface Result {
  readonly name: string;
  readonly measure: MeasureName;
  readonly quick: boolean;
  readonly goal: Goal;
  /** Name of the input, by which its file is found. */
  readonly input: string;
  readonly inputMb: number;
  readonly facts: Facts;
  readonly runs: number;
  readonly wallMs: Summary;
  readonly cpuMs: Summary;
  /** Before the JIT had compiled anything. */
  readonly firstMs?: number;
  readonly peakMb: number;
  readonly stock?: StockTime;
  readonly machine: Machine;
}

interface Machine {
  readonly node: string;
  readonly cores: number;
  /** When the workload began and ended: above the number of busy cores, figures are too high. */
  readonly loadAverage: readonly [before: number, after: number];
  readonly at: string;
}

/** A workload that could not be measured, and why. */
interface Failure {
  readonly name: string;
  readonly failure: string;
}

export type ResultOrFailure = Result | Failure;

export function isResult(outcome: ResultOrFailure): outcome is Result {
  return 'wallMs' in outcome;
}

/** One promise of a goal against what was measured. */
export interface Check {
  readonly goal: string;
  readonly reached: string;
  /** undefined: what it is compared with was not measured. */
  readonly met?: boolean;
}

export function checksOf(result: Result, all: readonly ResultOrFailure[]): Check[] {
  const { goal, wallMs, stock, peakMb } = result;
  const checks: Check[] = [];
  if (goal.timesFaster !== undefined && stock !== undefined) {
    const ratio = stock.ms / wallMs.median;
    checks.push({ goal: `≥ ${count(goal.timesFaster)}×`, reached: `${count(ratio)}×`, met: ratio >= goal.timesFaster });
  }
  if (goal.belowMs !== undefined) {
    checks.push({ goal: `< ${time(goal.belowMs)}`, reached: time(wallMs.median), met: wallMs.median < goal.belowMs });
  }
  if (goal.belowMb !== undefined) {
    checks.push({ goal: `< ${count(goal.belowMb)} MB`, reached: `${count(peakMb)} MB`, met: peakMb < goal.belowMb });
  }
  const blockMs = Number(result.facts.blockMs);
  if (goal.blockMs !== undefined)
    checks.push({ goal: `blocks < ${time(goal.blockMs)}`, reached: time(blockMs), met: blockMs < goal.blockMs });
  const heapGrowth = Number(result.facts.heapGrowth ?? Number.NaN);
  if (goal.heapGrowth !== undefined && !Number.isNaN(heapGrowth)) {
    const met = heapGrowth < goal.heapGrowth;
    checks.push({ goal: `heap + < ${percent(goal.heapGrowth)}`, reached: percent(heapGrowth), met });
  }
  if (goal.growth !== undefined) checks.push(growthCheck(result, goal.growth, all));
  return checks;
}

function growthCheck(result: Result, growth: NonNullable<Goal['growth']>, all: readonly ResultOrFailure[]): Check {
  const goal = `< n^${growth.below}`;
  const smaller = all.find((o) => o.name === growth.from);
  if (smaller === undefined || !isResult(smaller)) return { goal, reached: `needs ${growth.from}` };
  const point = (r: Result) => ({ n: Number(r.facts.nodes), t: r.wallMs.median });
  const exponent = growthExponent(point(smaller), point(result));
  return { goal, reached: `n^${exponent.toFixed(2)}`, met: exponent < growth.below };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Two or three digits that mean something, with thousands apart. */
export function count(x: number): string {
  return x < 10 ? x.toFixed(1) : Math.round(x).toLocaleString('en-US');
}

export function time(ms: number): string {
  return ms >= 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${count(ms)} ms`;
}
