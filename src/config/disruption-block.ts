import type { z } from 'zod';
import { parseCron } from '../engine/disruption/cron.ts';
import { isTimeZone } from '../engine/disruption/time-zone.ts';
import { matching, withRules } from './cel-rule.ts';
import { ASCENDING_RANGES, CRON_PATTERN } from './cron-pattern.ts';
import {
  booleanField,
  choiceField,
  decimalField,
  durationField,
  listOf,
  objectOf,
  positiveNumber,
  shortText,
  wholeNumberField,
} from './leaf-schemas.ts';

/**
 * The disruption block: `spec.disruption` of a NodePool, and the spec of a ConsolidationPolicy. The one
 * schema of it, for the CLI, the controller and the CRD. It knows single fields; block-rules.ts knows
 * what they mean together. Defaults are in pool-policy.ts and not here, because the API server would
 * write them into the objects, and it matters whether consolidateAfter was set.
 */

/** WhenEmptyOrUnderutilized is what Karpenter v1 calls WhenUnderutilizedOrCheaper. */
export const CONSOLIDATION_POLICIES = [
  'WhenEmpty',
  'WhenCheaper',
  'WhenUnderutilized',
  'WhenUnderutilizedOrCheaper',
  'WhenEmptyOrUnderutilized',
  'Balanced',
] as const;

/** The pattern of the grace period document, and of Karpenter's consolidateAfter. */
const DURATION_OR_NEVER = /^(([0-9]+(s|m|h))+|Never)$/;
const DURATION_TEXT = 'a duration in h, m and s such as "30s" or "2h30m", or "Never"';

// The patterns of budgets are those of Karpenter's CRD.
const BUDGET_NODES = /^((100|[0-9]{1,2})%|[0-9]+)$/;
const BUDGET_NODES_TEXT = 'a number of nodes such as "3", or a percentage from "0%" to "100%"';
const BUDGET_DURATION = /^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$/;
const SCHEDULE_TEXT =
  'a cron schedule of five fields such as "0 9 * * mon-fri", or @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually';
const REASONS = ['Underutilized', 'Empty', 'Drifted', 'Unhealthy'] as const;
const MOST_BUDGETS = 50;
/** Karpenter takes a larger number for malformed, and a malformed budget forbids everything. */
const MOST_NODES = 2 ** 31 - 1;
const LONGEST_PERCENTAGE = 20;
const LONGEST_NODES = 20;
/** Enough for a list of all minutes of an hour. */
const LONGEST_SCHEDULE = 300;

export const SCHEDULE_ALONE_TEXT = 'only together with duration, such as "8h"';
export const ZONE_ALONE_TEXT = 'only together with schedule, which it is the time zone of';
export const DURATION_ALONE_TEXT = 'only together with schedule, such as "0 9 * * mon-fri"';

const TIME_ZONE = /^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/;
const TIME_ZONE_TEXT = 'a time zone of the IANA database such as "Europe/Berlin" or "UTC"';
/** The longest name is America/Argentina/ComodRivadavia. */
const LONGEST_TIME_ZONE = 64;

/** When something counts: from each time of a schedule on, for a while. */
export const scheduledWindow = {
  schedule: withRules(
    shortText(CRON_PATTERN, SCHEDULE_TEXT, LONGEST_SCHEDULE).refine(
      (schedule) => parseCron(schedule) !== undefined,
      SCHEDULE_TEXT,
    ),
    { rule: `!${matching(CRON_PATTERN)} || ${ASCENDING_RANGES}`, message: SCHEDULE_TEXT },
  ),
  duration: durationField(BUDGET_DURATION, 'a duration in h and m such as "8h" or "1h30m"'),
  timeZone: withRules(
    shortText(TIME_ZONE, TIME_ZONE_TEXT, LONGEST_TIME_ZONE).refine(isTimeZone, TIME_ZONE_TEXT),
    // A name that Go does not know is an error in the rule, which refuses the object with the same message.
    { rule: `self != "Local" && timestamp("2026-01-01T00:00:00Z").getHours(self) >= 0`, message: TIME_ZONE_TEXT },
  ),
};

const budgetFields = objectOf({
  nodes: withRules(
    shortText(BUDGET_NODES, BUDGET_NODES_TEXT, LONGEST_NODES).refine(
      (nodes) => nodes.endsWith('%') || Number(nodes) <= MOST_NODES,
      `at most ${MOST_NODES} nodes`,
    ),
    {
      rule: `!${matching(/^[0-9]+$/)} || ${matching(/^0*[0-9]{1,10}$/)} && int(self) <= ${MOST_NODES}`,
      message: `at most ${MOST_NODES} nodes`,
    },
  )
    .optional()
    .describe('Nodes of the pool that may be disrupted at once, or their share, rounded up.'),
  schedule: scheduledWindow.schedule
    .optional()
    .describe('When the budget applies; always if absent. Requires duration.'),
  duration: scheduledWindow.duration
    .optional()
    .describe('How long the budget applies from each time of the schedule. Requires schedule.'),
  timeZone: scheduledWindow.timeZone
    .optional()
    .describe('Time zone of the schedule, by its IANA name; UTC if absent. Requires schedule.'),
  reasons: listOf(choiceField(REASONS), REASONS.join(', '))
    .optional()
    .describe('Reasons of disruption that the budget limits; every reason if absent.'),
});

const budget = withRules(
  budgetFields,
  { rule: '!has(self.schedule) || has(self.duration)', message: SCHEDULE_ALONE_TEXT, fieldPath: '.schedule' },
  { rule: '!has(self.duration) || has(self.schedule)', message: DURATION_ALONE_TEXT, fieldPath: '.duration' },
  { rule: '!has(self.timeZone) || has(self.schedule)', message: ZONE_ALONE_TEXT, fieldPath: '.timeZone' },
);

export function budgetsOf(most: number) {
  return listOf(budget, 'budgets').max(most, `at most ${most} budgets`);
}

const methods = objectOf({
  singleNode: objectOf({ enabled: booleanField.optional() }).optional().describe('Removing or replacing one node.'),
  multiNode: objectOf({
    enabled: booleanField.optional(),
    maxParallel: wholeNumberField(1).optional().describe('Nodes that one command may remove.'),
  })
    .optional()
    .describe('Removing several nodes at once.'),
  emptiness: objectOf({
    enabled: booleanField.optional(),
    emptyThreshold: shortText(/^(100|[0-9]{1,2})%$/, 'a percentage from "0%" to "100%"', LONGEST_PERCENTAGE)
      .optional()
      .describe('A node whose pods use at most this share of it may be deleted as if it were empty.'),
  })
    .optional()
    .describe('Removing empty and nearly empty nodes.'),
});

const PERCENT_OR_AMOUNT = /^((100|[0-9]{1,2}(\.[0-9]+)?)%|[0-9]+(\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?)$/;
const AMOUNT = /^[0-9]+(\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/;
const COUNT_OR_PERCENT = /^((100|[0-9]{1,2})%|[0-9]{1,6})$/;

const headroomBlock = objectOf({
  cpu: shortText(PERCENT_OR_AMOUNT, 'cores such as "4" or "500m", or a percentage such as "10%"', LONGEST_PERCENTAGE)
    .optional()
    .describe('CPU to keep free on all nodes of the pool together, or its share of their allocatable CPU.'),
  memory: shortText(PERCENT_OR_AMOUNT, 'an amount such as "16Gi", or a percentage such as "10%"', LONGEST_PERCENTAGE)
    .optional()
    .describe('Memory to keep free on all nodes of the pool together, or its share of their allocatable memory.'),
  pods: objectOf({
    count: shortText(
      COUNT_OR_PERCENT,
      'a number of pods such as "5", or a percentage such as "10%"',
      LONGEST_NODES,
    ).describe('Pods of this shape that must fit, or their share of the pods that the pool runs.'),
    cpu: shortText(AMOUNT, 'cores such as "2" or "500m"', LONGEST_NODES).optional().describe('CPU request of each.'),
    memory: shortText(AMOUNT, 'an amount such as "1Gi"', LONGEST_NODES).optional().describe('Memory request of each.'),
  })
    .optional()
    .describe('Pods of one shape that must fit on the present nodes of the pool.'),
});

export const disruptionBlock = objectOf({
  consolidationPolicy: choiceField(CONSOLIDATION_POLICIES)
    .optional()
    .describe('Which methods of consolidation the pool allows.'),
  consolidateAfter: durationField(DURATION_OR_NEVER, DURATION_TEXT)
    .optional()
    .describe('How long a node must be without pod events before it is evaluated; Never turns consolidation off.'),
  consolidationGracePeriod: durationField(DURATION_OR_NEVER, DURATION_TEXT)
    .optional()
    .describe(
      'How long a node is protected after an evaluation that found nothing to do; Never is the same as absent.',
    ),
  consolidationSavingsThresholdCents: decimalField(
    /^[0-9]+(\.[0-9]+)?$/,
    'a decimal number of at least 0 such as "1" or "0.5"',
  )
    .optional()
    .describe('Cents per hour that a move must save for each unit of disruption cost.'),
  consolidationMinSavingsPercent: decimalField(
    /^(auto|100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?)$/,
    'a percentage from "0" to "100" without a sign such as "20", or "auto"',
  )
    .optional()
    .describe('Share of the price of the nodes removed that a move must save; auto computes it from the cluster.'),
  balancedK: positiveNumber()
    .optional()
    .describe('Balanced accepts a move whose share of savings is at least 1/k of its share of disruption.'),
  ttlSecondsAfterEmpty: wholeNumberField(0)
    .optional()
    .describe('Seconds after which an empty node is removed; only with consolidateAfter Never.'),
  consolidation: methods.optional().describe('Switches off methods that the policy allows, and tunes them.'),
  budgets: budgetsOf(MOST_BUDGETS)
    .optional()
    .describe('How many nodes may be disrupted at once; the tightest one that applies wins.'),
  headroom: headroomBlock
    .optional()
    .describe('Capacity that consolidation keeps free in the pool; CapacityBuffers count towards it.'),
  minNodes: wholeNumberField(0).optional().describe('Minimum number of nodes that consolidation leaves in the pool.'),
  maxShareOnOneNode: shortText(/^(100|[1-9][0-9]?)%$/, 'a percentage from "1%" to "100%"', LONGEST_PERCENTAGE)
    .optional()
    .describe(
      'Share of the pods of a workload that a move may put on one node, at least one pod; for workloads of two or more.',
    ),
  moveSingletons: choiceField(['Evict', 'Rollout'])
    .optional()
    .describe(
      'How pods of Deployments with one replica move: Rollout starts the new pod before the old one stops (needs --rollouts).',
    ),
});

export type DisruptionBlock = z.infer<typeof disruptionBlock>;
export type HeadroomBlock = z.infer<typeof headroomBlock>;
export type BudgetBlock = z.infer<typeof budget>;
