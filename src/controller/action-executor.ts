import { type Action, type ClusterPort, RejectedAction } from './cluster-port.ts';
import type { Command } from './command.ts';
import type { ActionFailure } from './report.ts';

export class ActionExecutor {
  readonly transitions: Command[] = [];
  readonly failures: ActionFailure[] = [];
  readonly held = new Map<string, string>();
  readonly steeringWrites = { nodes: 0, pods: 0 };
  /** Nodes that were tainted. */
  readonly tainted: string[] = [];
  private readonly port: ClusterPort;
  private wakeAtMs = Infinity;

  constructor(port: ClusterPort) {
    this.port = port;
  }

  /**
   * Executes actions in order. Returns false if one failed; later ones are then skipped, and the caller needs a new
   * view.
   */
  async take(actions: readonly Action[]): Promise<boolean> {
    for (const action of actions) {
      try {
        await this.port.act(action);
        if (action.kind === 'steer-node') this.steeringWrites.nodes++;
        if (action.kind === 'steer-pod') this.steeringWrites.pods++;
        if (action.kind === 'taint') this.tainted.push(action.node);
      } catch (error) {
        this.failures.push({ action, error });
        return false;
      }
    }
    return true;
  }

  /** Writes the command to the journal, and records the transition. */
  async save(command: Command): Promise<boolean> {
    const saved = await this.take([{ kind: 'save-command', command }]);
    if (saved) this.transitions.push(command);
    return saved;
  }

  /** The last failure is final: the same action would fail again, and others need not wait for it. */
  get wasRejected(): boolean {
    return this.failures.at(-1)?.error instanceof RejectedAction;
  }

  hold({ id }: Command, reason: string): void {
    this.held.set(id, reason);
  }

  wakeAt(ms: number | undefined): void {
    if (ms !== undefined) this.wakeAtMs = Math.min(this.wakeAtMs, ms);
  }

  get nextMs(): number | undefined {
    return this.wakeAtMs === Infinity ? undefined : this.wakeAtMs;
  }
}
