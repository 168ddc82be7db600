import * as z from 'zod';
import { choiceField, listOf, textField, wholeNumberField } from './leaf-schemas.ts';

/**
 * A command of the controller as an object of the cluster: ConsolidationCommand, cluster-scoped, named by the command's
 * id. `spec` is what was decided, `status` how far it has come.
 *
 * It has no status subresource: what is done and how far it has come change together (a node that is given back leaves
 * the spec), and two writes would leave a crash something to stand between.
 */
export const COMMAND_RESOURCE = {
  group: 'decant.sh',
  version: 'v1alpha1',
  plural: 'consolidationcommands',
  kind: 'ConsolidationCommand',
} as const;

export const COMMAND_PHASES = ['Waiting', 'Launching', 'Draining', 'Done', 'Abandoned'] as const;

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'] as const;

/**
 * Unknown fields are dropped: after a rollback, commands of a later version go on. A version that needs more than that
 * has a new phase, which is refused.
 */
function fields<T extends z.ZodRawShape>(shape: T) {
  return z.object(shape, `an object with ${Object.keys(shape).join(', ')}`);
}

const name = z.string('a name').min(1, 'a name');
const number = z.number('a number');
const time = textField(
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/,
  'a time such as "2026-08-20T12:00:00.000Z"',
);

const node = fields({
  node: name,
  nodeClaim: name,
  nodePool: name,
  centsPerHour: number.describe('Price when it was decided.'),
  pods: wholeNumberField(0).describe('Pods that had to move when it was decided.'),
});

const requirement = fields({
  key: name,
  operator: choiceField(OPERATORS),
  values: listOf(z.string('a string'), 'strings').optional(),
  minValues: wholeNumberField(1).optional(),
});

const replacement = fields({
  nodeClaim: name.describe('Name of the NodeClaim.'),
  nodePool: name,
  requirements: listOf(requirement, 'requirements').describe('spec.requirements of the NodeClaim.'),
  requests: z
    .record(z.string(), z.string('a quantity such as "1500m"'), 'quantities by resource')
    .describe('Summed requests of the pods and DaemonSets meant for it.'),
  centsPerHour: number.describe('Expected price.'),
});

const figures = fields({
  savingsCentsPerHour: number,
  requiredCentsPerHour: number.describe('Savings that the threshold required.'),
  disruptionCost: number,
  evictions: wholeNumberField(0),
});

export const commandSpec = fields({
  decidedAt: time,
  nodes: listOf(node, 'nodes').describe('Nodes to remove.'),
  replacements: listOf(replacement, 'replacements').describe('Nodes to launch before that.'),
  workloads: z.record(z.string(), wholeNumberField(0), 'numbers by workload').describe('Pods to evict, by workload.'),
  predicted: figures,
  placements: z
    .record(z.string(), name, 'names by UID')
    .optional()
    .describe('Planned destination of pods, by UID: a node, or new-1 … for a replacement.'),
  rollouts: listOf(
    fields({
      namespace: name,
      deployment: name,
      deploymentUid: name,
      pod: name,
      podUid: name,
      by: choiceField(['restart', 'extra-replica']).describe(
        'A restart of the Deployment, or one temporary extra replica.',
      ),
      restartedBefore: z
        .string('a string')
        .optional()
        .describe('Annotation decant.sh/restarted-by before a restart; restored if that fails.'),
    }),
    'rollouts',
  )
    .optional()
    .describe('Pods that are rolled before the nodes are deleted, not evicted.'),
  next: listOf(
    fields({
      stage: wholeNumberField(1).describe('Each stage is planned on the cluster that the previous stages leave.'),
      nodes: listOf(name, 'names').describe('Nodes to remove. "new-1 of NODE": the first that is launched for NODE.'),
      newNodes: wholeNumberField(0).describe('Number of nodes launched for them.'),
      placements: z
        .record(z.string(), name, 'names by UID')
        .optional()
        .describe('Planned destination of pods, by UID: as above, or new-1 … for a node launched for them.'),
    }),
    'moves',
  )
    .optional()
    .describe('Moves that the plan makes later, in order.'),
});

/** metav1.Condition. Done is for kubectl wait; kstatus (Argo CD, Flux, Helm) reads the other two. */
const condition = fields({
  type: choiceField(['Done', 'Reconciling', 'Stalled']),
  status: choiceField(['True', 'False']),
  reason: z.string('a string').describe('Phase of the command.'),
  message: z.string('a string'),
  lastTransitionTime: time,
});

export const commandStatus = fields({
  phase: choiceField(COMMAND_PHASES),
  phaseAt: time.describe('When it entered its phase.'),
  launchedAt: time.optional().describe('When all replacements had been requested.'),
  rollingAt: time.optional().describe('When the rollouts began.'),
  drainingAt: time.optional().describe('When deletion of its nodes began.'),
  summary: fields({ nodes: z.string('a string'), saves: z.string('a string'), saved: z.string('a string').optional() })
    .optional()
    .describe('For kubectl get: nodes to remove, predicted and realised savings. Decant does not read it.'),
  realised: figures.optional().describe('The same figures for the nodes and replacements when it ended.'),
  reason: z.string('a string').optional().describe('Why it was abandoned.'),
  blockedBy: fields({ pod: name, node: name, instanceType: name.optional(), resource: name, free: number })
    .optional()
    .describe('Pod that did not fit, the node that lacks least for it, and what it lacks.'),
  conditions: listOf(condition, 'conditions')
    .optional()
    .describe('Done: its nodes are gone. Reconciling: it is under way. Stalled: it was abandoned.'),
});

export type CommandSpec = z.infer<typeof commandSpec>;
export type CommandStatus = z.infer<typeof commandStatus>;
export type CommandCondition = z.infer<typeof condition>;
