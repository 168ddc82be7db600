import { dump } from 'js-yaml';
import type { Adoption, ConsolidationPolicy, MergePatch, PoolState } from '../../adoption/adoption.ts';
import { problemText } from '../../config/problem.ts';
import { CALM } from '../../lab/built-in-policies.ts';

export function renderAdoptions(adoptions: readonly Adoption[]): string {
  const some = adoptions.some(({ handOver }) => handOver !== undefined);
  return `${[...adoptions.map(section), ...(some ? [steps(adoptions)] : [])].join('\n\n')}\n`;
}

function section({ pool, state, changes, preserving, calm, handOver, giveBack }: Adoption): string {
  return [
    `NODEPOOL ${pool}: ${stateText(state)}`,
    ...changes.map((change) => `  - ${change}`),
    ...policyText('Policy that keeps the current behavior:', preserving),
    ...recommended(preserving, calm),
    ...commandText('Hand over to Decant:', pool, handOver),
    ...commandText('Hand back to Karpenter:', pool, giveBack),
  ].join('\n');
}

export function stateText(state: PoolState): string {
  switch (state.code) {
    case 'consolidated':
      return 'consolidated by Karpenter';
    case 'off':
      return state.by === 'never' ? 'consolidation is off (Never)' : 'consolidation is off (a budget allows nothing)';
    case 'static':
      return `static, ${state.replicas} ${state.replicas === 1 ? 'node' : 'nodes'}: neither Karpenter nor Decant consolidates it`;
    case 'governed':
      return state.karpenterStill
        ? `ConsolidationPolicy ${state.policy} selects it, but Karpenter still consolidates it: Decant only observes until it is handed over`
        : `ConsolidationPolicy ${state.policy} selects it, and Karpenter does not consolidate it: nothing to do`;
    case 'conflict':
      return `the ConsolidationPolicies ${state.policies.join(', ')} all select it: Decant ignores it until only one does`;
    case 'deleting':
      return 'it is being deleted';
    case 'invalid':
      return ['invalid, see decant validate', ...state.problems.map(problemText)].join('\n  - ');
  }
}

function recommended(preserving: ConsolidationPolicy | undefined, calm: ConsolidationPolicy | undefined): string[] {
  if (preserving === undefined) return policyText('Recommended policy (calm):', calm);
  const isSame = JSON.stringify(preserving) === JSON.stringify(calm);
  if (isSame) return ['', '  The recommended policy (calm) has the same fields; its settings are in step 2.'];
  return policyText('Or the recommended policy (calm):', calm);
}

function policyText(title: string, policy: ConsolidationPolicy | undefined): string[] {
  return policy === undefined ? [] : ['', `  ${title}`, ...indented(yamlText(policy))];
}

function commandText(title: string, pool: string, patch: MergePatch | undefined): string[] {
  return patch === undefined ? [] : ['', `  ${title}`, `    ${patchCommand(pool, patch)}`];
}

function indented(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`);
}

/** For a shell: names and durations have no quotes in them. */
export function patchCommand(pool: string, patch: MergePatch): string {
  return `kubectl patch nodepool ${pool} --type merge -p '${JSON.stringify(patch)}'`;
}

export function yamlText(value: unknown): string {
  return dump(value, { noRefs: true, lineWidth: -1 });
}

function steps(adoptions: readonly Adoption[]): string {
  const preserves = adoptions.some(({ preserving }) => preserving !== undefined);
  const calm = Object.entries(CALM.switches).map(([flag, value]) => `--${flag} ${value}`);
  return [
    'STEPS',
    '  1. decant crd | kubectl apply --server-side -f -',
    '  2. decant run (observes only). Settings that go with the policies:',
    ...(preserves ? ['     --compat karpenter, for the current behavior'] : []),
    `     ${calm.join(' ')}, for calm`,
    '  3. decant adopt -o yaml | kubectl apply -f -      (--profile calm for the recommended policies)',
    '  4. decant adopt --hand-over | sh',
    '  5. decant run --mode act',
    'To revert: decant adopt --give-back | sh. The controller then removes its taints and deletion',
    'costs in its next pass; after that, kubectl delete the policies.',
  ].join('\n');
}
