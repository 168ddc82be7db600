import { z } from 'zod';

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

/** What the controller writes into the status of a ConsolidationPolicy; the CRD is generated from it. */
export const policyStatus = z.object({
  observedGeneration: z.int().optional(),
  conditions: z.array(policyCondition),
  /** NodePools that it selects. */
  nodePools: count,
  nodes: count,
  /** Of its pools, that are not over. */
  openCommands: count,
  currentCentsPerHour: z.number(),
  plannedCentsPerHour: z.number(),
});

export type PolicyCondition = z.infer<typeof policyCondition>;
export type PolicyStatus = z.infer<typeof policyStatus>;
