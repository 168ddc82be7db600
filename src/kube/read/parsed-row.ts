import { timestamp } from '../decode/timestamp.ts';
import { FieldProblem } from '../field-problem.ts';
import type { Fields, Row, Rows } from './json-shape.ts';

/** The row of an object that is already parsed, from YAML or from JSON that was read whole. */
export function parsedRow(value: object, shape: Fields): Row {
  const row = { ...shape.empty };
  fill(row, value, shape, '');
  return row;
}

function fill(row: Row, value: object, shape: Fields, path: string): void {
  for (const [key, member] of shape.members) {
    const found = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
    if (found === undefined || found === null) continue;
    const at = path === '' ? key : `${path}.${key}`;
    if (member.op === 'fields') fill(row, objectAt(found, at), member, at);
    else if (member.op === 'rows') row[member.name] = elementRows(found, member, at);
    else row[member.name] = member.op === 'time' ? timestamp(found, at) : found;
  }
}

function elementRows(value: unknown, shape: Rows, path: string): Row[] {
  if (!Array.isArray(value)) throw new FieldProblem(path, value, 'a list');
  return value.map((element, i) => {
    const row = { ...shape.element.empty };
    fill(row, objectAt(element, `${path}[${i}]`), shape.element, `${path}[${i}]`);
    return row;
  });
}

function objectAt(value: unknown, path: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new FieldProblem(path, value, 'an object');
}
