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
    ...policyText('The policy that keeps it as it is:', preserving),
    ...policyText(preserving === undefined ? 'As we recommend it (calm):' : 'Or as we recommend it (calm):', calm),
    ...commandText('Hand it over:', pool, handOver),
    ...commandText('And back:', pool, giveBack),
  ].join('\n');
}

export function stateText(state: PoolState): string {
  switch (state.code) {
    case 'consolidated':
      return 'Karpenter consolidates it';
    case 'off':
      return state.by === 'never' ? 'consolidation is off (Never)' : 'consolidation is off (a budget allows nothing)';
    case 'static':
      return `static, ${state.replicas} ${state.replicas === 1 ? 'node' : 'nodes'}: nobody consolidates it, and Decant does not either`;
    case 'governed':
      return state.karpenterStill
        ? `ConsolidationPolicy ${state.policy} selects it, but Karpenter still consolidates it: until it is handed over, Decant only watches`
        : `ConsolidationPolicy ${state.policy} selects it, and Karpenter leaves it alone: nothing to do`;
    case 'conflict':
      return `the ConsolidationPolicies ${state.policies.join(', ')} all select it: Decant leaves it alone until only one does`;
    case 'deleting':
      return 'it is being deleted';
    case 'invalid':
      return ['it has problems, see decant validate', ...state.problems.map(problemText)].join('\n  - ');
  }
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
    'IN THIS ORDER',
    '  1. decant crd | kubectl apply --server-side -f -',
    '  2. decant run, which only watches unless told to act. Switches of it that go with the policies:',
    ...(preserves ? ['     --compat karpenter, to keep what Karpenter does'] : []),
    `     ${calm.join(' ')}, for calm`,
    '  3. decant adopt -o yaml | kubectl apply -f -      (--profile calm for the others)',
    '  4. decant adopt --hand-over | sh',
    '  5. decant run --mode act',
    'The way back: decant adopt --give-back | sh, then kubectl delete the policies.',
  ].join('\n');
}
