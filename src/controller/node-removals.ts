import type { History } from '../engine/disruption/history.ts';
import type { ClusterView } from './cluster-port.ts';
import { lastRemoval } from './journal.ts';

/**
 * When a node was last removed: our commands from the journal, nodes that Karpenter removes (expired, drifted,
 * interrupted) from their NodeClaims. The latter is kept in memory; after a restart, terminating nodes count as removed
 * now.
 */
export class NodeRemovals {
  /** NodeClaims with a node, and whether they were terminating in the last view. */
  private seen = new Map<string, boolean>();
  private lastMs: number | undefined;

  last({ objects, commands }: ClusterView): Pick<History, 'lastRemovalMs'> {
    this.observe(objects, commands);
    const { lastRemovalMs } = lastRemoval(commands);
    const times = [lastRemovalMs, this.lastMs].filter((ms) => ms !== undefined);
    return times.length === 0 ? {} : { lastRemovalMs: Math.max(...times) };
  }

  private observe({ nodeClaims, nowMs }: ClusterView['objects'], commands: ClusterView['commands']): void {
    const ours = new Set(commands.flatMap((c) => [...c.nodes, ...c.replacements].map((n) => n.nodeClaim)));
    const now = new Map(
      nodeClaims.filter((c) => c.nodeName !== '' && !ours.has(c.name)).map((c) => [c.name, c.terminating]),
    );
    const began = [...now].some(([name, terminating]) => terminating && this.seen.get(name) !== true);
    const ended = [...this.seen.keys()].some((name) => !now.has(name) && !ours.has(name));
    if (began || ended) this.lastMs = nowMs;
    this.seen = now;
  }
}
