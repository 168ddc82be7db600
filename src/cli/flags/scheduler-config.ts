import { problemText } from '../../config/problem.ts';
import type { TopologySpread } from '../../engine/cluster/objects.ts';
import { decodeSchedulerConfig } from '../../kube/decode/scheduler-config.ts';
import { FieldProblem } from '../../kube/field-problem.ts';
import { UsageError } from './usage-error.ts';

export const SCHEDULER_CONFIG_HELP =
  "Karpenter's --scheduler-config: spread constraints of pods without any, as YAML or JSON";

/** The constraints in the text of the flag. Throws UsageError. */
export function defaultSpreadOf(text: string): readonly TopologySpread[] {
  try {
    return decodeSchedulerConfig(text, '--scheduler-config');
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    throw new UsageError(problemText(error.of('command line')));
  }
}
