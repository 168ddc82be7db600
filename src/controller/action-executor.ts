import { type Action, type ClusterPort, RejectedAction } from './cluster-port.ts';
import type { Command } from './command.ts';
import type { ActionFailure } from './report.ts';

/** What happens during one tick. */
export class ActionExecutor {
  readonly transitions: Command[] = [];
  readonly failures: ActionFailure[] = [];
  readonly held = new Map<string, string>();
  private readonly port: ClusterPort;
  private wakeAtMs = Infinity;

  constructor(port: ClusterPort) {
    this.port = port;
  }

  /**
   * Takes the actions one after the other. false: one of them failed and those after it were not tried; whoever asked
   * has to look at the cluster again.
   */
  async take(actions: readonly Action[]): Promise<boolean> {
    for (const action of actions) {
      try {
        await this.port.act(action);
      } catch (error) {
        this.failures.push({ action, error });
        return false;
      }
    }
    return true;
  }

  /** Writes the command down, and that it has changed. */
  async save(command: Command): Promise<boolean> {
    const saved = await this.take([{ kind: 'save-command', command }]);
    if (saved) this.transitions.push(command);
    return saved;
  }

  /** The last failure stands: the same action fails again, and others need not wait for it. */
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
