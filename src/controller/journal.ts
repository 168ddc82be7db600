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

/** When each pool last had to do. */
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

/** One for each pod. What is still to be evicted counts as evicted now. */
export function evictionsOf(commands: readonly Command[], nowMs: number): Eviction[] {
  const evictions: Eviction[] = [];
  for (const command of commands) {
    if (!disturbed(command)) continue;
    const { drainingMs = nowMs, workloads } = command;
    for (const [workload, pods] of Object.entries(workloads))
      for (let i = 0; i < pods; i++) evictions.push({ workload, atMs: drainingMs });
  }
  return evictions;
}

/** What was given up disturbed nobody. */
function disturbed({ phase, reason }: Command): boolean {
  return phase !== 'abandoned' && reason === undefined;
}

/** Commands that are over and that nobody needs to remember: beyond the newest so many, and older than any brake looks back. */
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

/** Makes up IDs: sortable by time, fit for the name of an object, not in the journal yet, and each once. */
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
