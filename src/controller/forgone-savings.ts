import type { MoveRefusal } from '../engine/refusal.ts';
import type { Command } from './command.ts';

const HOUR_MS = 3_600_000;

/** The evaluation of a node. */
export interface PossibleSaving {
  /** 0 if nothing can be saved. */
  readonly centsPerHour: number;
  /** Only together with others. */
  readonly jointly: boolean;
}

/** The price of evictions. */
export interface EvictionPrice {
  /** Per unit of disruption cost; 0: nothing waits. */
  readonly centsPerUnit: number;
  /** Work that evicted Jobs would repeat. */
  readonly lostWorkCents: number;
}

interface Account {
  /** Lost so far by keeping the node. */
  readonly cents: number;
  /** Lost per hour since then. */
  readonly centsPerHour: number;
  readonly atMs: number;
  /** Until then, evaluations without result do not reset it. */
  readonly keptUntilMs: number;
}

/** When a move begins. */
export interface MoveTiming {
  /** After a pass. A node that was not evaluated, or without a clear result, keeps its state. */
  observed(savings: ReadonlyMap<string, PossibleSaving>, present: ReadonlySet<string>, nowMs: number): void;
  /** Why the command has to wait. */
  refuse(command: Command, price: EvictionPrice, nowMs: number): MoveRefusal | undefined;
}

/** A search does not find the same group for a node each time: its last result counts for this long. */
const GROUP_RESULT_MS = 5 * 60_000;

/**
 * Savings lost by waiting. How long a move's savings will last is unknown, so it is made when waiting has cost as much
 * as the move would: money and disruption together are then at most twice the optimum with foresight (ski rental). A
 * dip of minutes passes without an eviction, and a large saving does not wait long.
 *
 * Kept in memory only: after a restart, moves wait again.
 */
export class ForgoneSavings implements MoveTiming {
  private readonly accounts = new Map<string, Account>();

  observed(savings: ReadonlyMap<string, PossibleSaving>, present: ReadonlySet<string>, nowMs: number): void {
    for (const [node, account] of this.accounts) {
      if (!present.has(node)) this.accounts.delete(node);
      else if (savings.has(node) && nowMs >= account.keptUntilMs && savings.get(node)?.centsPerHour === 0)
        this.accounts.delete(node);
      else this.accounts.set(node, { ...account, cents: this.lost(node, nowMs), centsPerHour: 0, atMs: nowMs });
    }
    for (const [node, { centsPerHour, jointly }] of savings) {
      if (centsPerHour <= 0) continue;
      const keptUntilMs = jointly ? nowMs + GROUP_RESULT_MS : nowMs;
      this.accounts.set(node, { cents: this.lost(node, nowMs), centsPerHour, atMs: nowMs, keptUntilMs });
    }
  }

  /** A command waits while its evictions cost more than waiting has. */
  refuse(command: Command, { centsPerUnit, lostWorkCents }: EvictionPrice, nowMs: number): MoveRefusal | undefined {
    const { nodes, predicted } = command;
    if (predicted.evictions === 0 || centsPerUnit === 0) return undefined;
    const disruptionCents = centsPerUnit * predicted.disruptionCost + lostWorkCents;
    const forgoneCents = nodes.reduce((sum, { node }) => sum + this.lost(node, nowMs), 0);
    if (forgoneCents >= disruptionCents) return undefined;
    const waitMs = Math.ceil(((disruptionCents - forgoneCents) / predicted.savingsCentsPerHour) * HOUR_MS);
    return { code: 'not-paid-back', forgoneCents, disruptionCents, lostWorkCents, waitMs };
  }

  private lost(node: string, nowMs: number): number {
    const { cents, centsPerHour, atMs } = this.accounts.get(node) ?? { cents: 0, centsPerHour: 0, atMs: nowMs };
    return cents + (centsPerHour * Math.max(0, nowMs - atMs)) / HOUR_MS;
  }
}
