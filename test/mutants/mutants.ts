/** One deliberate error in the controller: `find` occurs once in the file and becomes `put`. */
export interface Mutant {
  readonly file: string;
  readonly find: string;
  readonly put: string;
  /** What is wrong then. */
  readonly what: string;
}

const CHECK = 'src/controller/final-check.ts';
const STEP = 'src/controller/next-step.ts';
const EXECUTION = 'src/controller/execution.ts';
const VALIDATION = 'src/controller/validation.ts';
const AFTER = 'src/controller/cluster-after-commands.ts';
const LEAVING = 'src/controller/leaving.ts';
const INDEX = 'src/controller/node-claim-index.ts';
const CANDIDACY = 'src/controller/candidacy.ts';
const GOVERNANCE = 'src/controller/governance.ts';

export const MUTANTS: readonly Mutant[] = [
  {
    file: CHECK,
    find: 'for (const [budget, pods] of guarded) this.evicting.set(budget, (this.evicting.get(budget) ?? 0) + pods);',
    put: '',
    what: 'PDB use is not carried from one command to the next of the same pass',
  },
  {
    file: CHECK,
    find: 'this.evicting = guardedOn(this.after.cluster, rows);',
    put: 'this.evicting = new Map();',
    what: 'the final check forgets pods that are being evicted already',
  },
  {
    file: CHECK,
    find: "if (!mayAct(node.nodePool)) return { kind: 'refuse', reason: 'not-ours' };",
    put: '',
    what: 'the final check ignores a pool that became somebody else’s',
  },
  {
    file: CHECK,
    find: "if (!fitsBudgets(this, commandKindOf(command), candidates)) return { kind: 'hold', reason: 'budget' };",
    put: '',
    what: 'the final check ignores NodePool budgets',
  },
  {
    file: CHECK,
    find: 'left.set(pool.name, (left.get(pool.name) ?? 0) - 1);',
    put: 'left.get(pool.name);',
    what: 'budget use is not carried from one command to the next of the same pass',
  },
  {
    file: CHECK,
    find: 'const areNeeded = (after: ClusterAfterCommands | undefined) => rows.some((row) => after?.isCountedOn(row));',
    put: 'const areNeeded = (_: ClusterAfterCommands | undefined) => false;',
    what: 'a node goes that pods of another command count on',
  },
  {
    file: CHECK,
    find: "if (!this.mayEvict(guarded)) return { kind: 'hold', reason: 'pod-disruption-budget' };",
    put: '',
    what: 'the final check ignores PodDisruptionBudgets',
  },
  {
    file: CHECK,
    find: 'if (claims.length + unplaced.length + onUninitialized.length > 0) return undefined;',
    put: '',
    what: 'the final check deletes nodes whose pods have no place',
  },
  {
    file: STEP,
    find: "if (staying.some((n) => claims.isTaken(n))) return save({ ...command, reason: 'taken' });",
    put: '',
    what: 'a node that Karpenter disrupts is replaced by both',
  },
  {
    file: STEP,
    find: "if (command.launchedMs !== undefined && !command.replacements.every((r) => claims.isStaying(r)))\n    return save({ ...command, reason: 'replacement-gone' });",
    put: '',
    what: 'a command waits for a replacement that is gone',
  },
  {
    file: STEP,
    find: ' && !isCountedOn(r)',
    put: '',
    what: 'a new node that pods on their way count on goes with its abandoned command',
  },
  {
    file: STEP,
    find: "if (hasPassed(launchingSince(command), launchTimeoutMs, nowMs)) return save({ ...command, reason: 'timeout' });",
    put: '',
    what: 'a command waits for ever for its replacement',
  },
  {
    file: STEP,
    find: 'return command.replacements.every((r) => claims.isUp(r))\n    ? roll(command, claims, context)',
    put: 'return command.replacements.every((r) => claims.isStaying(r))\n    ? roll(command, claims, context)',
    what: 'nodes are deleted before their replacements are up',
  },
  {
    file: STEP,
    find: "if (rolling.isOver) return { kind: 'ready' };",
    put: "if (rolling.isOver || rollingMs !== undefined) return { kind: 'ready' };",
    what: 'nodes are deleted before their rollouts are over',
  },
  {
    file: STEP,
    find: "if (rollingMs === undefined) return { kind: 'ready' };",
    put: '',
    what: 'rollouts begin before they are written down',
  },
  {
    file: 'src/controller/rolling.ts',
    find: 'commands.filter(isRolling).map((c) => c.id)',
    put: 'commands.map((c) => c.id)',
    what: 'an abandoned command leaves its extra replica',
  },
  {
    file: STEP,
    find: '// Recorded but not executed by a process that is gone since an unknown time. Taints may be gone too.\n  const open = missingTaints(staying, claims);\n  if (open.length > 0) return act(open);',
    put: '',
    what: 'a draining node is not tainted again',
  },
  {
    file: STEP,
    find: "for (const n of ours) if (claims.isTainted(n) === true) actions.push({ kind: 'untaint', node: n.node });",
    put: '',
    what: 'an abandoned command leaves its taints',
  },
  {
    file: STEP,
    find: 'const ours = claims.ours(staying);',
    put: 'const ours = staying;',
    what: 'an abandoned command removes Karpenter’s taint',
  },
  {
    file: STEP,
    find: 'if (claims.isStaying(r) && !claims.hostsPods(r) && !isNeeded(r) && !isCountedOn(r))',
    put: 'if (claims.isStaying(r) && !isNeeded(r) && !isCountedOn(r))',
    what: 'an abandoned command deletes a replacement with pods',
  },
  {
    file: STEP,
    find: 'if (claims.isStaying(r) && !claims.hostsPods(r) && !isNeeded(r) && !isCountedOn(r))',
    put: 'if (false)',
    what: 'an abandoned command leaves its replacements',
  },
  {
    file: STEP,
    find: 'return Math.abs(nowMs - sinceMs) >= spanMs;',
    put: 'return nowMs - sinceMs >= spanMs;',
    what: 'after a clock jump everything waits for the old time',
  },
  {
    file: EXECUTION,
    find: "const saved = before.phase === 'draining' || (await this.executor.save(command));",
    put: 'const saved = true;',
    what: 'nodes are deleted before the journal says so',
  },
  {
    file: EXECUTION,
    find: 'if (!done) return this.deleteNodes(ready.slice(i + 1).map((r) => r.command.id));',
    put: '',
    what: 'after a failed deletion the others go by the old check',
  },
  {
    file: EXECUTION,
    find: "const underWay = view.commands.filter((c) => isUnderWay(c) && c.phase !== 'waiting' && !deciding.has(c));",
    put: 'const underWay: typeof view.commands = [];',
    what: 'the final check forgets commands under way',
  },
  {
    file: VALIDATION,
    find: "if (!mayAct(node.nodePool)) return { reason: 'not-ours' };",
    put: '',
    what: 'validation ignores a pool that became somebody else’s',
  },
  {
    file: AFTER,
    find: 'this.exclude(underWay, true);\n    this.exclude(asked, true);',
    put: '',
    what: 'pods are placed on nodes that are about to go',
  },
  {
    file: AFTER,
    find: 'const { nodes, nodeClaims } = withLeaving(objects, underWay);',
    put: 'const { nodes, nodeClaims } = objects;',
    what: 'nodes of commands under way do not count against budgets',
  },
  {
    file: LEAVING,
    find: "return conditionIsTrue(claim, 'DisruptionReason');",
    put: 'return false;',
    what: 'nodes that Karpenter disrupts are taken for ordinary ones',
  },
  {
    file: INDEX,
    find: 'return this.claims.get(nodeClaim)?.terminating === false;',
    put: 'return this.claims.has(nodeClaim);',
    what: 'a node that is being deleted counts as staying',
  },
  {
    file: CANDIDACY,
    find: "if ('refusals' in assessment) {",
    put: "if ('refusals' in assessment && assessment.refusals.some((r) => r.code !== 'undecodable-object')) {",
    what: 'nodes of undecodable objects are removed by commands that began before',
  },
  {
    file: GOVERNANCE,
    find: "if (pool.terminating) return { code: 'deleting' };",
    put: '',
    what: 'nodes of a NodePool that is being deleted are removed',
  },
  {
    file: GOVERNANCE,
    find: "if (!karpenterLeavesAlone(pool)) return { code: 'interlock' };",
    put: '',
    what: 'pools that Karpenter consolidates are consolidated too',
  },
];
