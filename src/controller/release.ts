import type { ActionExecutor } from './action-executor.ts';
import type { Command, CommandNode } from './command.ts';

/**
 * Some of the command's nodes are on their way out, and these may not follow them any more: they are given back, and the
 * command goes on without them. `tainted`: those of them whose taint is ours.
 */
export async function release(
  executor: ActionExecutor,
  command: Command,
  nodes: readonly CommandNode[],
  tainted: readonly CommandNode[],
): Promise<void> {
  const given = new Set(nodes);
  const untainted = await executor.take(tainted.map(({ node }) => ({ kind: 'untaint', node })));
  if (!untainted) return;
  const { realised } = command;
  const lost = nodes.reduce((sum, n) => sum + n.centsPerHour, 0);
  await executor.save({
    ...command,
    nodes: command.nodes.filter((n) => !given.has(n)),
    ...(realised === undefined
      ? {}
      : { realised: { ...realised, savingsCentsPerHour: realised.savingsCentsPerHour - lost } }),
  });
}
