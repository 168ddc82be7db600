import { API_VERSIONS, objectProblems, type PolicyKind, type PolicyObject } from '../../config/policy-object.ts';
import { type Problem, problemText } from '../../config/problem.ts';
import { readSettings } from '../../config/read-settings.ts';
import { readRawObjects } from '../../kube/read/raw-objects.ts';
import { UsageError } from '../flags/usage-error.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { print } from '../output/terminal-text.ts';
import type { ValidateOptions } from './flags.ts';

export async function validateCommand({ file = [], output, flags }: ValidateOptions): Promise<number> {
  if (file.length === 0 && flags.size === 0) {
    throw new UsageError('no input: give files, folders or - with -f, or a setting to check');
  }
  const objects = await readRawObjects(file, API_VERSIONS);
  if (file.length > 0 && objects.length === 0) {
    // A misspelled kind or group must not count as valid.
    throw new UsageError(
      'nothing to validate: no NodePool of karpenter.sh, no ConsolidationPolicy of decant.sh in the input',
    );
  }
  const reading = readSettings({ flags, env: process.env });
  const problems = [...objects.flatMap(objectProblems), ...('problems' in reading ? reading.problems : [])];
  print(await format(objects, problems, output));
  return problems.length === 0 ? EXIT.ok : EXIT.no;
}

async function format(
  objects: readonly PolicyObject[],
  problems: readonly Problem[],
  output: ValidateOptions['output'],
): Promise<string> {
  if (output === 'text')
    return problems.length === 0
      ? `${summary(objects)}\n`
      : problems.map((problem) => `${problemText(problem)}\n`).join('');
  const result = {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'Validation',
    valid: problems.length === 0,
    objects: objects.map(({ kind, name }) => `${kind}/${name}`),
    problems: problems.map(({ object, field, value = null, allowed }) => ({ object, field, value, allowed })),
  };
  return documentText(result, output);
}

function summary(objects: readonly PolicyObject[]): string {
  const count = (kind: PolicyKind, one: string, many: string) => {
    const n = objects.filter((object) => object.kind === kind).length;
    return n === 0 ? [] : [`${n} ${n === 1 ? one : many}`];
  };
  const counted = [
    ...count('NodePool', 'NodePool', 'NodePools'),
    ...count('ConsolidationPolicy', 'ConsolidationPolicy', 'ConsolidationPolicies'),
  ];
  return `valid: ${[...counted, 'settings'].join(', ')}`;
}
