import type { ActionExecutor } from './action-executor.ts';
import type { Command, CommandNode } from './command.ts';

/**
 * Some of the command's nodes are being deleted, and these no longer may be: they are released, and the command
 * continues without them. `tainted`: those with our taint.
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
