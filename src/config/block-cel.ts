import { METHODS, type MethodName, methodsText, policiesAllowing, TTL_TEXT } from './block-rules.ts';
import type { CelRule } from './cel-rule.ts';
import { CONSOLIDATION_POLICIES } from './disruption-block.ts';

/** The rules of block-rules.ts in CEL, for the API server, with the same messages. */
export const BLOCK_CEL: readonly CelRule[] = [
  ...METHODS.filter((method) => policiesAllowing(method).length < CONSOLIDATION_POLICIES.length).map(
    methodAgainstPolicy,
  ),
  {
    rule: '!has(self.ttlSecondsAfterEmpty) || has(self.consolidateAfter) && self.consolidateAfter == "Never"',
    message: TTL_TEXT,
    fieldPath: '.ttlSecondsAfterEmpty',
  },
];

function methodAgainstPolicy(method: MethodName): CelRule {
  const at = `self.consolidation.${method}`;
  const enabled = `has(self.consolidation) && has(${at}) && has(${at}.enabled) && ${at}.enabled`;
  const fitting = `self.consolidationPolicy in ${JSON.stringify(policiesAllowing(method))}`;
  const [before, after] = methodsText('consolidationPolicy \n', method).split('\n');
  return {
    rule: `!(${enabled}) || !has(self.consolidationPolicy) || ${fitting}`,
    message: methodsText('the policy', method),
    messageExpression: `${JSON.stringify(before)} + self.consolidationPolicy + ${JSON.stringify(after)}`,
    fieldPath: `.consolidation.${method}.enabled`,
  };
}
