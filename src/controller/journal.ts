import type { Eviction, History } from '../engine/disruption/history.ts';
import { type Command, isOpen } from './command.ts';

/** When a node was last removed, for the stabilization window. */
export function lastRemoval(commands: readonly Command[]): Pick<History, 'lastRemovalMs'> {
  let lastRemovalMs: number | undefined;
  for (const command of commands) {
    const { drainingMs, phase, phaseMs } = command;
    if (!disturbed(command) || drainingMs === undefined) continue;
    lastRemovalMs = Math.max(lastRemovalMs ?? drainingMs, drainingMs, phase === 'done' ? phaseMs : drainingMs);
  }
  return lastRemovalMs === undefined ? {} : { lastRemovalMs };
}

/** When each pool last had a command. */
export function lastCommands(commands: readonly Command[]): History['lastCommandMs'] {
  const lastCommandMs = new Map<string, number>();
  for (const command of commands) {
    if (!disturbed(command)) continue;
    const { decidedMs, nodes } = command;
    for (const { nodePool } of nodes)
      lastCommandMs.set(nodePool, Math.max(decidedMs, lastCommandMs.get(nodePool) ?? decidedMs));
  }
  return lastCommandMs;
}

/** One per pod. Evictions still to come count as now. */
export function evictionsIn(commands: readonly Command[], nowMs: number): Eviction[] {
  const evictions: Eviction[] = [];
  for (const command of commands) {
    if (!disturbed(command)) continue;
    const { drainingMs = nowMs, workloads } = command;
    for (const [workload, pods] of Object.entries(workloads))
      for (let i = 0; i < pods; i++) evictions.push({ workload, atMs: drainingMs });
  }
  return evictions;
}

/** Abandoned commands evicted no pods. */
function disturbed({ phase, reason }: Command): boolean {
  return phase !== 'abandoned' && reason === undefined;
}

/** Completed commands to remove from the journal: beyond the newest `limit`, and older than any brake's window. */
export function forgettable(
  commands: readonly Command[],
  limit: number,
  memoryMs: number,
  nowMs: number,
): readonly Command[] {
  const over = commands.filter((c) => !isOpen(c));
  if (over.length <= limit) return [];
  over.sort((a, b) => (a.id < b.id ? -1 : 1));
  return over.slice(0, over.length - limit).filter((c) => c.phaseMs <= nowMs - memoryMs);
}

/** Generates IDs: sortable by time, valid as object names, unique in the journal. */
export function newIds(commands: readonly Command[], nowMs: number): () => string {
  const time = Math.max(0, nowMs).toString(36).padStart(9, '0');
  const taken = new Set(commands.map((c) => c.id));
  let next = 0;
  return () => {
    for (;;) {
      const id = `${time}-${(next++).toString(36).padStart(2, '0')}`;
      if (!taken.has(id)) return id;
    }
  };
}
