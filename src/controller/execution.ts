import type { History } from '../engine/disruption/history.ts';
import { stabilization } from '../engine/gates/stabilization.ts';
import type { ActionExecutor } from './action-executor.ts';
import { ClusterAfterCommands } from './cluster-after-commands.ts';
import type { ClusterPort, ClusterView } from './cluster-port.ts';
import { type Command, type CommandNode, type CommandReplacement, isOpen } from './command.ts';
import { finalCheck, type ReadyCommand } from './final-check.ts';
import { isUnderWay } from './leaving.ts';
import { hasPassed, launchingSince, nextStep } from './next-step.ts';
import { NodeClaimIndex } from './node-claim-index.ts';
import type { Times } from './options.ts';
import type { PassContext } from './pass-context.ts';
import { revalidate } from './validation.ts';

/** More steps of one command in one reconciliation would be an endless loop. */
const MAX_STEPS = 8;

export interface ExecutionSettings {
  readonly times: Times;
  readonly stabilizationWindowMs: number;
  contextOf(view: ClusterView): PassContext;
  /** When a node was last removed, by Decant or Karpenter. */
  lastRemoval(view: ClusterView): Pick<History, 'lastRemovalMs'>;
}

/** Advances open commands as far as possible. Everything is derived from views; nothing is remembered. */
export class Execution {
  private readonly port: ClusterPort;
  private readonly executor: ActionExecutor;
  private readonly settings: ExecutionSettings;
  private claims: NodeClaimIndex | undefined;

  constructor(port: ClusterPort, executor: ActionExecutor, settings: ExecutionSettings) {
    this.port = port;
    this.executor = executor;
    this.settings = settings;
  }

  async advance(): Promise<void> {
    await this.validate();
    await this.deleteNodes(await this.step());
    // Commands refused by the final check are undone at once, and rollouts begin.
    await this.step();
  }

  /** Validates commands whose waiting time has passed. */
  private async validate(): Promise<void> {
    const view = this.port.view();
    if (view === undefined) return;
    const { validationMs, launchTimeoutMs, pollMs } = this.settings.times;
    const { nowMs } = view.objects;
    const waiting = view.commands.filter((c) => isUnderWay(c) && c.phase === 'waiting');
    const due = waiting.filter((c) => hasPassed(c.phaseMs, validationMs, nowMs));
    for (const c of waiting) if (!due.includes(c)) this.executor.wakeAt(c.phaseMs + validationMs);
    if (due.length === 0) return;
    if (this.isUnsettled(view)) {
      this.executor.wakeAt(nowMs + pollMs);
      for (const c of due) {
        if (hasPassed(c.phaseMs, launchTimeoutMs, nowMs)) await this.executor.save({ ...c, reason: 'stabilization' });
        else this.executor.hold(c, 'stabilization');
      }
      return;
    }
    const underWay = view.commands.filter((c) => isUnderWay(c) && c.phase !== 'waiting');
    const verdicts = revalidate({ due, waiting, underWay }, this.settings.contextOf(view));
    for (const [i, command] of verdicts.entries()) {
      if (await this.executor.save(command)) continue;
      // A command whose result cannot be written does not wait forever.
      if (hasPassed(due[i].phaseMs, launchTimeoutMs, nowMs)) await this.executor.save({ ...due[i], reason: 'timeout' });
    }
  }

  /** Takes every step that needs no decision; returns the commands that are ready for the final check. */
  private async step(): Promise<readonly string[]> {
    const ready: string[] = [];
    const ids =
      this.port
        .view()
        ?.commands.filter(isOpen)
        .map((c) => c.id) ?? [];
    for (const id of ids) if (await this.stepOf(id)) ready.push(id);
    return ready;
  }

  private async stepOf(id: string): Promise<boolean> {
    for (let i = 0; i < MAX_STEPS; i++) {
      const view = this.port.view();
      const command = view?.commands.find((c) => c.id === id);
      if (view === undefined || command === undefined || !isOpen(command)) return false;
      const step = nextStep(command, this.machinesIn(view), {
        ...this.settings.times,
        nowMs: view.objects.nowMs,
        isCountedOn: (replacement) => this.isCountedOn(command, replacement, view),
      });
      if (step.kind === 'ready') return true;
      if (step.kind === 'wait') {
        this.executor.wakeAt(step.untilMs);
        return false;
      }
      for (const action of step.actions) {
        const isTransition =
          action.kind === 'save-command' &&
          (action.command.phase !== command.phase ||
            action.command.reason !== command.reason ||
            action.command.rollingMs !== command.rollingMs);
        const taken = isTransition ? await this.executor.save(action.command) : await this.executor.take([action]);
        if (!taken) return false;
      }
    }
    return false;
  }

  /**
   * Pods of nodes that drain, or pending ones, would have no place without this new node of a command that is undone,
   * where they are planned to go or where they fit first.
   */
  private isCountedOn(command: Command, { nodeClaim }: CommandReplacement, view: ClusterView): boolean {
    const context = this.settings.contextOf(view);
    const draining = view.commands.filter((c) => isUnderWay(c) && c.phase === 'draining');
    const asked = [{ ...command, nodes: command.replacements.map((r) => ({ ...r, node: '', pods: 0 })) }];
    return (['planned', 'first-fit'] as const).some((assumed) => {
      const after = new ClusterAfterCommands(context, draining, asked, { draining: assumed });
      const row = after.rowOf(nodeClaim);
      return row !== undefined && after.isCountedOn(row);
    });
  }

  /** Deletes the nodes of commands that pass the final check, or lets their pods be rolled first. */
  private async deleteNodes(ids: readonly string[]): Promise<void> {
    const view = this.port.view();
    if (view === undefined || ids.length === 0) return;
    const { nowMs } = view.objects;
    const claims = this.machinesIn(view);
    const unsettled = this.isUnsettled(view);
    const ready: ReadyCommand[] = [];
    for (const command of view.commands.filter((c) => ids.includes(c.id))) {
      if (unsettled && command.phase === 'launching') this.executor.hold(command, 'stabilization');
      else ready.push({ command, nodes: claims.staying(command) });
    }
    const deciding = new Set(ready.map((r) => r.command));
    const underWay = view.commands.filter((c) => isUnderWay(c) && c.phase !== 'waiting' && !deciding.has(c));
    const waiting = view.commands.filter((c) => isUnderWay(c) && c.phase === 'waiting');
    const verdicts = ready.length === 0 ? [] : finalCheck({ ready, waiting, underWay }, this.settings.contextOf(view));
    for (const [i, verdict] of verdicts.entries()) {
      const { command, nodes } = ready[i];
      const isLate = hasPassed(launchingSince(command), this.settings.times.launchTimeoutMs, nowMs);
      if (verdict.kind === 'hold' && !isLate) {
        this.executor.hold(command, verdict.reason);
        continue;
      }
      let done: boolean;
      if (verdict.kind === 'go') {
        const { command: next, nodes: first } = verdict;
        const drains = next.phase === 'draining';
        done = await (drains ? this.delete(command, next, first, view) : this.executor.save(next));
        if (first.length < nodes.length) this.executor.hold(command, 'pods-arriving');
      } else if (nodes.length < command.nodes.length)
        done = await release(this.executor, command, nodes, claims.ours(nodes));
      else done = await this.executor.save({ ...command, reason: verdict.reason });
      // A failed write may have taken half a minute: the others are checked again.
      if (!done) return this.deleteNodes(ready.slice(i + 1).map((r) => r.command.id));
    }
    if (this.executor.held.size > 0) this.executor.wakeAt(nowMs + this.settings.times.pollMs);
  }

  /**
   * Deletes after the intention is written, unless another leader has written one since `view`: of two, at least one sees
   * the other's, and its nodes go after a new check of both.
   */
  private async delete(
    before: Command,
    command: Command,
    nodes: ReadyCommand['nodes'],
    view: ClusterView,
  ): Promise<boolean> {
    const saved = before.phase === 'draining' || (await this.executor.save(command));
    if (saved && !this.isStillAlone(view)) this.executor.wakeAt(view.objects.nowMs);
    else if (saved) {
      const { id } = command;
      return this.executor.take(nodes.map(({ nodeClaim }) => ({ kind: 'delete-node-claim', command: id, nodeClaim })));
    }
    return false;
  }

  private isStillAlone({ commands }: ClusterView): boolean {
    const known = new Set(commands);
    const own = new Map(this.executor.transitions.map((c) => [c.id, c]));
    const isOwn = ({ id, phase, reason }: Command) => own.get(id)?.phase === phase && own.get(id)?.reason === reason;
    return this.port.view()?.commands.every((c) => known.has(c) || isOwn(c)) ?? false;
  }

  /** Consecutive views with the same objects share an index. */
  private machinesIn({ objects }: ClusterView): NodeClaimIndex {
    if (this.claims?.objects !== objects) this.claims = new NodeClaimIndex(objects);
    return this.claims;
  }

  /** After a recent removal, capacity that appears free may be needed by pods that are not back yet. */
  private isUnsettled(view: ClusterView): boolean {
    const { lastRemoval, stabilizationWindowMs } = this.settings;
    return stabilization(lastRemoval(view), view.objects, stabilizationWindowMs) !== undefined;
  }
}

/**
 * Some of the command's nodes are being deleted, and these no longer may be: they are released, and the command
 * continues without them. `tainted`: those with our taint.
 */
async function release(
  executor: ActionExecutor,
  command: Command,
  nodes: readonly CommandNode[],
  tainted: readonly CommandNode[],
): Promise<boolean> {
  const given = new Set(nodes);
  const untainted = await executor.take(tainted.map(({ node }) => ({ kind: 'untaint', node })));
  if (!untainted) return false;
  const { realised } = command;
  const lost = nodes.reduce((sum, n) => sum + n.centsPerHour, 0);
  return executor.save({
    ...command,
    nodes: command.nodes.filter((n) => !given.has(n)),
    ...(realised === undefined
      ? {}
      : { realised: { ...realised, savingsCentsPerHour: realised.savingsCentsPerHour - lost } }),
  });
}
