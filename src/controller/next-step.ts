import type { Action } from './cluster-port.ts';
import type { Command, CommandReplacement } from './command.ts';
import type { NodeClaimIndex } from './node-claim-index.ts';
import { Rolling } from './rolling.ts';

/** The next step of a command, derived from the journal and the cluster only. */
export type CommandStep =
  | { readonly kind: 'act'; readonly actions: readonly Action[] }
  /** Everything is in place: after the final check, its pods may be rolled, or its nodes deleted if there are none. */
  | { readonly kind: 'ready' }
  /** Waits for something else; checked again at that time at the latest. */
  | { readonly kind: 'wait'; readonly untilMs?: number };

export interface StepContext {
  readonly nowMs: number;
  /** For all replacements to be initialized and the nodes to be deleted. */
  readonly launchTimeoutMs: number;
  /** For all rollouts to be complete. */
  readonly rolloutTimeoutMs: number;
  /** Pods on their way would have no place without this new node. */
  isCountedOn(replacement: CommandReplacement): boolean;
}

/** For commands after the waiting phase, or being undone. */
export function nextStep(command: Command, claims: NodeClaimIndex, context: StepContext): CommandStep {
  if (command.reason !== undefined) return undo(command, claims, context);
  switch (command.phase) {
    case 'launching':
      return launch(command, claims, context);
    case 'draining':
      return drain(command, claims, context);
    default:
      return { kind: 'wait' };
  }
}

function launch(command: Command, claims: NodeClaimIndex, context: StepContext): CommandStep {
  const { nowMs, launchTimeoutMs } = context;
  const staying = claims.staying(command);
  if (staying.length === 0) return save(wentByThemselves(command, claims, nowMs));
  if (command.launchedMs !== undefined && !command.replacements.every((r) => claims.isStaying(r)))
    return save({ ...command, reason: 'replacement-gone' });
  // Karpenter replaces the node too: two replacements would be one too many.
  if (staying.some((n) => claims.isTaken(n))) return save({ ...command, reason: 'taken' });
  if (hasPassed(launchingSince(command), launchTimeoutMs, nowMs)) return save({ ...command, reason: 'timeout' });
  const open = missingTaints(staying, claims);
  if (open.length > 0) return act(open);
  if (command.launchedMs === undefined && command.replacements.length > 0) {
    const missing = command.replacements.filter((r) => claims.claim(r.nodeClaim) === undefined);
    return missing.length === 0
      ? save({ ...command, launchedMs: nowMs })
      : act(missing.map((replacement) => ({ kind: 'create-node-claim', command: command.id, replacement })));
  }
  return command.replacements.every((r) => claims.isUp(r))
    ? roll(command, claims, context)
    : { kind: 'wait', untilMs: command.phaseMs + launchTimeoutMs };
}

/** Rollouts have their own timeout; afterwards the launch timeout starts again. */
export function launchingSince({ phaseMs, rollingMs = phaseMs }: Command): number {
  return rollingMs;
}

/** The nodes are tainted and the new ones are up: new pods start elsewhere. */
function roll(command: Command, { objects }: NodeClaimIndex, { nowMs, rolloutTimeoutMs }: StepContext): CommandStep {
  const { rollingMs } = command;
  const rolling = new Rolling(command, objects);
  if (rolling.isOver) return { kind: 'ready' };
  if (rolling.isImpossible) return save({ ...command, reason: 'no-rollout' });
  if (rollingMs === undefined) return { kind: 'ready' };
  if (hasPassed(rollingMs, rolloutTimeoutMs, nowMs)) return save({ ...command, reason: 'rollout-timeout' });
  const actions = rolling.nextActions();
  return actions.length > 0 ? act(actions) : { kind: 'wait', untilMs: rollingMs + rolloutTimeoutMs };
}

/**
 * The nodes are gone without our deletion: complete, with the pods on the replacements, if any, and no evictions of
 * ours.
 */
function wentByThemselves(command: Command, claims: NodeClaimIndex, nowMs: number): Command {
  const { predicted, replacements } = command;
  const savingsCentsPerHour = replacements.every((r) => claims.isStaying(r)) ? predicted.savingsCentsPerHour : 0;
  const realised = { ...predicted, savingsCentsPerHour, disruptionCost: 0, evictions: 0 };
  return { ...command, phase: 'draining', phaseMs: nowMs, drainingMs: nowMs, realised };
}

function drain(command: Command, claims: NodeClaimIndex, { nowMs }: StepContext): CommandStep {
  const staying = claims.staying(command);
  // Recorded but not executed by a process that is gone since an unknown time. Taints may be gone too.
  const open = missingTaints(staying, claims);
  if (open.length > 0) return act(open);
  if (staying.length > 0) return { kind: 'ready' };
  return command.nodes.some((n) => claims.claim(n.nodeClaim) !== undefined)
    ? { kind: 'wait' }
    : save({ ...command, phase: 'done', phaseMs: nowMs });
}

/** Taints that keep new pods off the nodes. */
function missingTaints(nodes: Command['nodes'], claims: NodeClaimIndex): readonly Action[] {
  return nodes.filter((n) => claims.isTainted(n) === false).map(({ node }) => ({ kind: 'taint', node }));
}

/**
 * Undoes the command. A new node stays if it has pods, if pods of other nodes are on their way to it, or if a node that
 * it replaces is being deleted anyway: its pods need the capacity. For a node that Karpenter is disrupting this holds if
 * the new node was initialized by then, because Karpenter counts on it. One that was not up in time is no place for pods
 * of other nodes: nobody would delete it.
 */
function undo(command: Command, claims: NodeClaimIndex, context: StepContext): CommandStep {
  const { nowMs, rolloutTimeoutMs } = context;
  const staying = claims.staying(command);
  const ours = claims.ours(staying);
  const isNeeded = (r: CommandReplacement) =>
    staying.length < command.nodes.length || (ours.length < staying.length && claims.isUp(r));
  const isCountedOn = (r: CommandReplacement) =>
    (command.reason !== 'timeout' || claims.isUp(r)) && context.isCountedOn(r);
  const actions: Action[] = [];
  if (command.phase !== 'waiting') {
    const rolling = new Rolling(command, claims.objects);
    actions.push(...rolling.undoActions());
    for (const n of ours) if (claims.isTainted(n) === true) actions.push({ kind: 'untaint', node: n.node });
    // New pods that are no longer wanted would keep a replacement.
    const { rollingMs = nowMs } = command;
    if (rolling.isUnsettled && !hasPassed(rollingMs, 2 * rolloutTimeoutMs, nowMs))
      return actions.length > 0 ? act(actions) : { kind: 'wait', untilMs: rollingMs + 2 * rolloutTimeoutMs };
    // Pods on their way may go to the nodes once these are untainted.
    if (actions.length > 0) return act(actions);
    for (const r of command.replacements)
      if (claims.isStaying(r) && !claims.hostsPods(r) && !isNeeded(r) && !isCountedOn(r))
        actions.push({ kind: 'delete-node-claim', command: command.id, nodeClaim: r.nodeClaim });
  }
  return actions.length > 0 ? act(actions) : save({ ...command, phase: 'abandoned', phaseMs: nowMs });
}

/** Also if the clock was set back meanwhile. */
export function hasPassed(sinceMs: number, spanMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) >= spanMs;
}

function act(actions: readonly Action[]): CommandStep {
  return { kind: 'act', actions };
}

function save(command: Command): CommandStep {
  return act([{ kind: 'save-command', command }]);
}
