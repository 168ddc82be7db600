import type { Action } from './cluster-port.ts';
import type { Command, CommandReplacement } from './command.ts';
import type { NodeClaimIndex } from './node-claim-index.ts';

/** What is to be done next for a command, going by nothing but the journal and what the cluster has. */
export type Step =
  | { readonly kind: 'act'; readonly actions: readonly Action[] }
  /** Everything is in place: its nodes may be deleted if they are cleared. */
  | { readonly kind: 'ready' }
  /** Others have to do something first; if nothing happens, it is looked at again then. */
  | { readonly kind: 'wait'; readonly untilMs?: number };

export interface StepTimes {
  readonly nowMs: number;
  /** From the decision to its re-validation. */
  readonly validationMs: number;
  /** For all replacements to be up and the nodes to be cleared. */
  readonly launchTimeoutMs: number;
}

/** Of commands that have left waiting, or are being undone. */
export function nextStep(command: Command, claims: NodeClaimIndex, times: StepTimes): Step {
  if (command.reason !== undefined) return undo(command, claims, times);
  switch (command.phase) {
    case 'launching':
      return launch(command, claims, times);
    case 'draining':
      return drain(command, claims, times);
    default:
      return { kind: 'wait' };
  }
}

function launch(command: Command, claims: NodeClaimIndex, { nowMs, launchTimeoutMs }: StepTimes): Step {
  const staying = claims.staying(command);
  if (staying.length === 0) return save(wentByThemselves(command, claims, nowMs));
  if (command.launchedMs !== undefined && !command.replacements.every((r) => claims.isStaying(r)))
    return save({ ...command, reason: 'replacement-gone' });
  // Two that replace the same node would be one too many.
  if (staying.some((n) => claims.isTaken(n))) return save({ ...command, reason: 'taken' });
  if (hasPassed(command.phaseMs, launchTimeoutMs, nowMs)) return save({ ...command, reason: 'timeout' });
  const open = missingTaints(staying, claims);
  if (open.length > 0) return act(open);
  if (command.launchedMs === undefined && command.replacements.length > 0) {
    const missing = command.replacements.filter((r) => claims.claim(r.nodeClaim) === undefined);
    return missing.length === 0
      ? save({ ...command, launchedMs: nowMs })
      : act(missing.map((replacement) => ({ kind: 'create-node-claim', command: command.id, replacement })));
  }
  return command.replacements.every((r) => claims.isUp(r))
    ? { kind: 'ready' }
    : { kind: 'wait', untilMs: command.phaseMs + launchTimeoutMs };
}

/** What was wanted has come about: the replacements have the pods, if there are any, and none was evicted by us. */
function wentByThemselves(command: Command, claims: NodeClaimIndex, nowMs: number): Command {
  const { predicted, replacements } = command;
  const savingsCentsPerHour = replacements.every((r) => claims.isStaying(r)) ? predicted.savingsCentsPerHour : 0;
  const realised = { ...predicted, savingsCentsPerHour, disruptionCost: 0, evictions: 0 };
  return { ...command, phase: 'draining', phaseMs: nowMs, drainingMs: nowMs, realised };
}

function drain(command: Command, claims: NodeClaimIndex, { nowMs }: StepTimes): Step {
  const staying = claims.staying(command);
  // Written down and not done: whoever was to do it is gone, and nobody knows since when. Taints may be gone too.
  const open = missingTaints(staying, claims);
  if (open.length > 0) return act(open);
  if (staying.length > 0) return { kind: 'ready' };
  return command.nodes.some((n) => claims.claim(n.nodeClaim) !== undefined)
    ? { kind: 'wait' }
    : save({ ...command, phase: 'done', phaseMs: nowMs });
}

/** To be tainted, so that no pod comes to a node that is about to go. */
function missingTaints(nodes: Command['nodes'], claims: NodeClaimIndex): readonly Action[] {
  return nodes.filter((n) => claims.isTainted(n) === false).map(({ node }) => ({ kind: 'taint', node }));
}

/**
 * Takes back what the command did. A new node stays if pods run on it, or if a node that it was to replace is going all
 * the same: its pods will want the room. Of a node that Karpenter has taken they will if the new one was up by then, for
 * it counts on no other.
 */
function undo(command: Command, claims: NodeClaimIndex, { nowMs }: StepTimes): Step {
  const staying = claims.staying(command);
  const ours = claims.ours(staying);
  const isNeeded = (r: CommandReplacement) =>
    staying.length < command.nodes.length || (ours.length < staying.length && claims.isUp(r));
  const actions: Action[] = [];
  if (command.phase !== 'waiting') {
    for (const n of ours) if (claims.isTainted(n) === true) actions.push({ kind: 'untaint', node: n.node });
    for (const r of command.replacements)
      if (claims.isStaying(r) && !claims.hostsPods(r) && !isNeeded(r))
        actions.push({ kind: 'delete-node-claim', command: command.id, nodeClaim: r.nodeClaim });
  }
  return actions.length > 0 ? act(actions) : save({ ...command, phase: 'abandoned', phaseMs: nowMs });
}

/** Whichever way the clock was set meanwhile. */
export function hasPassed(sinceMs: number, spanMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) >= spanMs;
}

function act(actions: readonly Action[]): Step {
  return { kind: 'act', actions };
}

function save(command: Command): Step {
  return act([{ kind: 'save-command', command }]);
}
