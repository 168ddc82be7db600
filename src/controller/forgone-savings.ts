import type { MoveRefusal } from '../engine/refusal.ts';
import type { Command } from './command.ts';

const HOUR_MS = 3_600_000;

/** What a look at a node came to. */
export interface PossibleSaving {
  /** 0: it was looked at in vain. */
  readonly centsPerHour: number;
  /** Only together with others. */
  readonly jointly: boolean;
}

/** What evictions are priced at. */
export interface EvictionPrice {
  /** For a unit of disruption cost; 0: nothing waits. */
  readonly centsPerUnit: number;
  /** Work that evicted Jobs would do again. */
  readonly lostWorkCents: number;
}

interface Account {
  /** Lost so far by leaving the node where it is. */
  readonly cents: number;
  /** Lost per hour since then. */
  readonly centsPerHour: number;
  readonly atMs: number;
  /** Until then it outlasts looks in vain. */
  readonly keptUntilMs: number;
}

/** A search does not find the same company for a node each time: what it found last counts for so long. */
const COMPANY_MS = 5 * 60_000;

/** A pool that grew within this share of the wait is growing: what is deleted there is likely to be launched again. */
const GROWING_WITHIN = 0.5;
/** So many times the price is asked for then. */
const GROWING = 2;

/**
 * What it has cost so far that nodes are still there which could go. A move whose price is not known to be worth paying
 * (nobody knows how long its savings will last) is made when waiting has cost as much as the move would: whatever comes,
 * money and disruption together are then at most twice what they would have been with foresight (ski rental). A dip of
 * minutes passes without an eviction, a large saving is not waited for long. Deletions in a pool that grows wait twice as
 * long, and come to three times as much at worst.
 *
 * Kept in memory only: after a restart, moves wait once more.
 */
export class ForgoneSavings {
  private readonly accounts = new Map<string, Account>();

  /** A pass is over. A node that was not looked at, or of which nothing could be said, keeps what it has. */
  observed(savings: ReadonlyMap<string, PossibleSaving>, present: ReadonlySet<string>, nowMs: number): void {
    for (const [node, account] of this.accounts) {
      if (!present.has(node)) this.accounts.delete(node);
      else if (savings.has(node) && nowMs >= account.keptUntilMs && savings.get(node)?.centsPerHour === 0)
        this.accounts.delete(node);
      else this.accounts.set(node, { ...account, cents: this.lost(node, nowMs), centsPerHour: 0, atMs: nowMs });
    }
    for (const [node, { centsPerHour, jointly }] of savings) {
      if (centsPerHour <= 0) continue;
      const keptUntilMs = jointly ? nowMs + COMPANY_MS : nowMs;
      this.accounts.set(node, { cents: this.lost(node, nowMs), centsPerHour, atMs: nowMs, keptUntilMs });
    }
  }

  /**
   * Why the command has to wait: its evictions cost more than waiting has. `quietMs`: for how long its pools have not grown by
   * themselves, if anybody knows.
   */
  refuse(
    command: Command,
    { centsPerUnit, lostWorkCents }: EvictionPrice,
    nowMs: number,
    quietMs?: number,
  ): MoveRefusal | undefined {
    const { nodes, predicted, replacements } = command;
    if (predicted.evictions === 0 || centsPerUnit === 0) return undefined;
    const usualCents = centsPerUnit * predicted.disruptionCost + lostWorkCents;
    const usualMs = (usualCents / predicted.savingsCentsPerHour) * HOUR_MS;
    // Better nodes for the same pods are as good in a pool that grows.
    const growing = replacements.length === 0 && quietMs !== undefined && quietMs < GROWING_WITHIN * usualMs;
    const disruptionCents = growing ? GROWING * usualCents : usualCents;
    const forgoneCents = nodes.reduce((sum, { node }) => sum + this.lost(node, nowMs), 0);
    if (forgoneCents >= disruptionCents) return undefined;
    const waitMs = Math.ceil(((disruptionCents - forgoneCents) / predicted.savingsCentsPerHour) * HOUR_MS);
    const grewAgoMs = growing ? quietMs : null;
    return { code: 'not-paid-back', forgoneCents, disruptionCents, lostWorkCents, grewAgoMs, waitMs };
  }

  private lost(node: string, nowMs: number): number {
    const { cents, centsPerHour, atMs } = this.accounts.get(node) ?? { cents: 0, centsPerHour: 0, atMs: nowMs };
    return cents + (centsPerHour * Math.max(0, nowMs - atMs)) / HOUR_MS;
  }
}
