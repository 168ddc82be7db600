import type { Eviction, History } from '../engine/disruption/history.ts';
import { type Command, isOpen } from './command.ts';

/** What the brakes and the stabilization window ask about the past. */
export function historyOf(commands: readonly Command[], nowMs: number): History {
  let lastRemovalMs: number | undefined;
  const lastCommandMs = new Map<string, number>();
  const evictions: Eviction[] = [];
  for (const command of commands) {
    // What was given up disturbed nobody.
    if (command.phase === 'abandoned' || command.reason !== undefined) continue;
    const { decidedMs, drainingMs, phaseMs, nodes, workloads } = command;
    for (const { nodePool } of nodes)
      lastCommandMs.set(nodePool, Math.max(decidedMs, lastCommandMs.get(nodePool) ?? decidedMs));
    // What is still to be evicted counts as evicted now.
    for (const [workload, pods] of Object.entries(workloads))
      for (let i = 0; i < pods; i++) evictions.push({ workload, atMs: drainingMs ?? nowMs });
    if (drainingMs === undefined) continue;
    lastRemovalMs = Math.max(lastRemovalMs ?? drainingMs, drainingMs, command.phase === 'done' ? phaseMs : drainingMs);
  }
  return { ...(lastRemovalMs === undefined ? {} : { lastRemovalMs }), lastCommandMs, evictions };
}

/** Commands that are over and that nobody needs to remember: beyond the newest so many, and older than any brake looks back. */
export function forgettable(
  commands: readonly Command[],
  limit: number,
  memoryMs: number,
  nowMs: number,
): readonly Command[] {
  const over = commands.filter((c) => !isOpen(c)).sort((a, b) => (a.id < b.id ? -1 : 1));
  return over.slice(0, Math.max(0, over.length - limit)).filter((c) => c.phaseMs <= nowMs - memoryMs);
}

/** Sortable by time, fit for the name of an object, and not in the journal yet. */
export function newId(commands: readonly Command[], nowMs: number): string {
  const taken = new Set(commands.map((c) => c.id));
  const time = Math.max(0, nowMs).toString(36).padStart(9, '0');
  for (let i = 0; ; i++) {
    const id = `${time}-${i.toString(36).padStart(2, '0')}`;
    if (!taken.has(id)) return id;
  }
}
