import { dump } from 'js-yaml';
import { CONSOLIDATION_COMMAND_CRD } from './consolidation-command.ts';
import { CONSOLIDATION_POLICY_CRD } from './consolidation-policy.ts';

export const CRDS = [CONSOLIDATION_POLICY_CRD, CONSOLIDATION_COMMAND_CRD] as const;

export function yaml(value: unknown): string {
  return dump(value, { noRefs: true, lineWidth: 120 });
}
