import { parseGoDuration } from '../../engine/cluster/go-duration.ts';
import { FieldProblem } from '../field-problem.ts';

/** Karpenter's NillableDuration, in milliseconds; undefined for "Never". */
export function decodeDurationOrNever(value: unknown, path: string): number | undefined {
  if (value === 'Never') return undefined;
  return decodeDuration(value, path, 'a duration such as 30s or 1h30m, or "Never"');
}

export function decodeDuration(value: unknown, path: string, wanted = 'a duration such as 30s or 1h30m'): number {
  const ms = typeof value === 'string' ? parseGoDuration(value) : undefined;
  if (ms === undefined || ms < 0) throw new FieldProblem(path, value, wanted);
  return ms;
}
