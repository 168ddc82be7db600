import type { ControllerSettings } from '../config/controller-settings.ts';
import type { Eviction } from '../engine/disruption/history.ts';
import { poolCooldown } from '../engine/gates/pool-cooldown.ts';
import { workloadEvictions } from '../engine/gates/workload-evictions.ts';
import { type BlockingFact, type Command, isOpen } from './command.ts';
import type { EvictionPrices } from './eviction-prices.ts';
import type { MoveTiming } from './forgone-savings.ts';
import { evictionsIn, lastCommands } from './journal.ts';
import type { Proposal } from './report.ts';

/** Wait before a move that was abandoned starts again, unless it is known what has to change first. */
const ABANDONED_MS = 5 * 60_000;
/** The wait doubles each time, up to this. */
const LONGEST_ABANDONED_MS = 60 * 60_000;

/** State that a controller keeps between passes about the cost of waiting. */
export interface BrakeState {
  readonly timing: MoveTiming;
  readonly prices: EvictionPrices;
}

/** Delays moves because of earlier commands: abandoned ones, recent evictions, cooldowns, savings not yet lost. */
export class Brakes {
  private readonly settings: ControllerSettings;
  private readonly journal: readonly Command[];
  private readonly timing: MoveTiming;
  private readonly prices: EvictionPrices;
  private readonly nowMs: number;
  private readonly evictions: Eviction[];
  private readonly begun = new Map<string, number>();
  /** The last abandoned command of the same nodes and how often that happened, by the nodes' claims. */
  private readonly abandoned = new Map<string, { readonly last: Command; readonly times: number }>();
  private readonly isUnchanged: (fact: BlockingFact) => boolean;

  /** `isUnchanged`: what made validation refuse a command is still the same. */
  constructor(
    settings: ControllerSettings,
    journal: readonly Command[],
    { timing, prices }: BrakeState,
    nowMs: number,
    isUnchanged: (fact: BlockingFact) => boolean,
  ) {
    this.isUnchanged = isUnchanged;
    this.settings = settings;
    this.journal = journal;
    this.timing = timing;
    this.prices = prices;
    this.nowMs = nowMs;
    // A long list that only one brake needs.
    this.evictions = settings.maxWorkloadEvictions === 0 ? [] : evictionsIn(journal, nowMs);
    for (const command of journal) {
      if (isOpen(command) || command.reason === undefined) continue;
      const { times = 0 } = this.abandoned.get(nodesOf(command)) ?? {};
      this.abandoned.set(nodesOf(command), { last: command, times: times + 1 });
    }
  }

  /** When to try a refused command again. */
  retryAtMs(refusal: NonNullable<Proposal['refusal']>): number | undefined {
    if ('waitMs' in refusal && refusal.waitMs > 0) return this.nowMs + refusal.waitMs;
    if (refusal.code !== 'workload-evictions') return undefined;
    const { workload, windowMs } = refusal;
    const within = this.evictions.filter((e) => e.workload === workload && e.atMs > this.nowMs - windowMs);
    return within.length === 0 ? undefined : Math.min(...within.map((e) => e.atMs)) + windowMs;
  }

  /**
   * Why the command has to wait; undefined: it begins, and counts for those after it. `lostWorkCents`: what Jobs would
   * lose.
   */
  refuse(command: Command, lostWorkCents: number): Proposal['refusal'] {
    const refusal =
      this.abandonedBefore(command) ??
      this.notPaidBack(command, lostWorkCents) ??
      this.cooldown(command) ??
      this.workloads(command);
    if (refusal !== undefined) return refusal;
    for (const { nodePool } of command.nodes) this.begun.set(nodePool, this.nowMs);
    if (this.settings.maxWorkloadEvictions > 0)
      this.evictions.push(...evicted(command).map((workload) => ({ workload, atMs: this.nowMs })));
    return undefined;
  }

  private abandonedBefore(command: Command): Proposal['refusal'] {
    if (this.abandoned.size === 0) return undefined;
    const { last, times } = this.abandoned.get(nodesOf(command)) ?? {};
    if (last === undefined || times === undefined) return undefined;
    const { blockedBy } = last;
    // What had no place without a new node may have one on a new node.
    if (blockedBy !== undefined)
      return command.replacements.length <= last.replacements.length && this.isUnchanged(blockedBy)
        ? { code: 'given-up-before', waitMs: 0, blockedBy }
        : undefined;
    const waitMs = last.phaseMs + Math.min(LONGEST_ABANDONED_MS, ABANDONED_MS * 2 ** (times - 1)) - this.nowMs;
    return waitMs > 0 ? { code: 'given-up-before', waitMs } : undefined;
  }

  private notPaidBack(command: Command, lostWorkCents: number): Proposal['refusal'] {
    const price = { centsPerUnit: this.prices.centsPerUnit(command), lostWorkCents };
    return this.timing.refuse(command, price, this.nowMs);
  }

  private cooldown({ nodes }: Command): Proposal['refusal'] {
    const { poolCooldownMs } = this.settings;
    if (poolCooldownMs === 0) return undefined;
    const pools = [...new Set(nodes.map((n) => n.nodePool))];
    const lastCommandMs = new Map([...lastCommands(this.journal), ...this.begun]);
    return poolCooldown({ lastCommandMs }, pools, poolCooldownMs, this.nowMs);
  }

  private workloads(command: Command): Proposal['refusal'] {
    if (this.settings.maxWorkloadEvictions === 0) return undefined;
    return workloadEvictions({ evictions: this.evictions }, evicted(command), this.settings, this.nowMs);
  }
}

/** One name for each pod. */
function evicted({ workloads }: Command): readonly string[] {
  return Object.entries(workloads).flatMap(([workload, pods]) => new Array<string>(pods).fill(workload));
}

function nodesOf({ nodes }: Command): string {
  return nodes
    .map((n) => n.nodeClaim)
    .sort()
    .join(' ');
}
