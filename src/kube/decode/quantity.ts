import { LARGEST_NANOS, nanoValue } from '../../engine/cluster/quantity.ts';
import { FieldProblem } from '../field-problem.ts';

const MILLI = 1_000_000n;
const WHOLE = 1_000_000_000n;

/** Pods of a workload share their requests: few texts, each decoded thousands of times. */
const nanosByText = new Map<string, bigint>();
const MOST_REMEMBERED = 10_000;

/** A quantity in billionths; undefined if invalid. */
export function parseQuantity(text: string): bigint | undefined {
  const known = nanosByText.get(text);
  if (known !== undefined) return known;
  const nanos = nanoValue(text);
  if (nanosByText.size === MOST_REMEMBERED) nanosByText.clear();
  if (nanos !== undefined) nanosByText.set(text, nanos);
  return nanos;
}

function ceiling(amount: bigint, unit: bigint): bigint {
  const whole = amount / unit;
  return whole * unit === amount ? whole : whole + (amount > 0n ? 1n : -1n);
}

/** Billionths in the engine's units: millicores for cpu, whole units for the rest; rounded up. Sums saturate. */
export function unitsOf(resource: string, nanos: bigint): number {
  const held = nanos > LARGEST_NANOS ? LARGEST_NANOS : nanos;
  return Number(ceiling(held, resource === 'cpu' ? MILLI : WHOLE));
}

/** A non-negative quantity in billionths. JSON numbers are quantities too. */
export function quantity(value: unknown, path: string): bigint {
  // Go's decoder trims the text too.
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
  const nanos = parseQuantity(text);
  if (nanos === undefined) throw new FieldProblem(path, value, 'a quantity such as 500m, 2 or 1.5Gi');
  if (nanos < 0n) throw new FieldProblem(path, value, 'a quantity that is not negative');
  return nanos;
}
