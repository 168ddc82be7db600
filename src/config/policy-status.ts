import * as z from 'zod';

/** metav1.Condition. */
export const policyCondition = z.object({
  type: z.enum(['Ready', 'Conflict', 'Interlocked']),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string(),
  message: z.string(),
  lastTransitionTime: z.string(),
  observedGeneration: z.int().optional(),
});

const count = z.int().min(0);

/** The status of a ConsolidationPolicy as the controller writes it; the CRD is generated from it. */
export const policyStatus = z.object({
  observedGeneration: z.int().optional().describe('Generation of the spec that the status describes.'),
  conditions: z
    .array(policyCondition)
    .describe(
      'Ready: it governs a pool. Conflict: so does another. Interlocked: Karpenter consolidates a pool itself.',
    ),
  nodePools: count.describe('NodePools that it selects.'),
  nodes: count.describe('Nodes of these pools.'),
  openCommands: count.describe('Open commands in these pools.'),
  currentCentsPerHour: z.number().describe('Price of the nodes.'),
  plannedCentsPerHour: z.number().describe('Their price once the whole plan is executed.'),
});

export type PolicyCondition = z.infer<typeof policyCondition>;
export type PolicyStatus = z.infer<typeof policyStatus>;
