import { FieldProblem } from '../field-problem.ts';
import { type Row, whole } from '../read/json-shape.ts';
import { integer } from './field-value.ts';
import { nameOf, objectShape } from './metadata.ts';

export const PRIORITY_CLASS_SHAPE = objectShape({ top: { value: whole() } });

/** Classes of every cluster, whether or not they are in the input. */
export const BUILT_IN_PRIORITIES: ReadonlyMap<string, number> = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
]);

export function decodePriorityClass(row: Row): { name: string; value: number } {
  const value = integer(row.value, 'value');
  if (value === undefined) throw new FieldProblem('value', value, 'a whole number');
  return { name: nameOf(row), value };
}
