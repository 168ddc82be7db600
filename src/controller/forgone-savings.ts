import type { MoveRefusal } from '../engine/refusal.ts';
import type { Command } from './command.ts';

const HOUR_MS = 3_600_000;

interface Account {
  /** Lost so far by leaving the node where it is. */
  readonly cents: number;
  /** Lost per hour since then. */
  readonly centsPerHour: number;
  readonly atMs: number;
}

/**
 * What it has cost so far that nodes are still there which could go. A move whose price is not known to be worth paying
 * (nobody knows how long its savings will last) is made when waiting has cost as much as the move would: whatever comes,
 * money and disruption together are then at most twice what they would have been with foresight (ski rental). A dip of
 * minutes passes without an eviction, a large saving is not waited for long.
 *
 * Kept in memory only: after a restart, moves wait once more.
 */
export class ForgoneSavings {
  private readonly accounts = new Map<string, Account>();

  /**
   * A pass is over. `savings`: cents per hour that each node could save now, 0 for one that was looked at in vain; a node
   * that was not looked at keeps what it has.
   */
  observed(savings: ReadonlyMap<string, number>, present: ReadonlySet<string>, nowMs: number): void {
    for (const node of this.accounts.keys()) if (!present.has(node)) this.accounts.delete(node);
    for (const [node, centsPerHour] of savings) {
      if (centsPerHour > 0) this.accounts.set(node, { cents: this.lost(node, nowMs), centsPerHour, atMs: nowMs });
      else this.accounts.delete(node);
    }
    for (const node of this.accounts.keys())
      if (!savings.has(node)) this.accounts.set(node, { cents: this.lost(node, nowMs), centsPerHour: 0, atMs: nowMs });
  }

  /** Why the command has to wait: its evictions cost more, at so many cents for a unit of disruption, than waiting has. */
  refuse({ nodes, predicted }: Command, centsPerUnit: number, nowMs: number): MoveRefusal | undefined {
    if (predicted.evictions === 0 || centsPerUnit === 0) return undefined;
    const disruptionCents = centsPerUnit * predicted.disruptionCost;
    const forgoneCents = nodes.reduce((sum, { node }) => sum + this.lost(node, nowMs), 0);
    if (forgoneCents >= disruptionCents) return undefined;
    const waitMs = Math.ceil(((disruptionCents - forgoneCents) / predicted.savingsCentsPerHour) * HOUR_MS);
    return { code: 'not-paid-back', forgoneCents, disruptionCents, waitMs };
  }

  private lost(node: string, nowMs: number): number {
    const { cents, centsPerHour, atMs } = this.accounts.get(node) ?? { cents: 0, centsPerHour: 0, atMs: nowMs };
    return cents + (centsPerHour * Math.max(0, nowMs - atMs)) / HOUR_MS;
  }
}
