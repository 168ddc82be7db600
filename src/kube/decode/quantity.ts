import { FieldProblem } from '../field-problem.ts';

const QUANTITY = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/;
const BINARY = new Map(['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix, i) => [suffix, 10n * BigInt(i + 1)]));
const DECIMAL = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const NANO_DIGITS = 9;
const MILLI = 1_000_000n;
const WHOLE = 1_000_000_000n;
/** Binary quantities are capped at the largest int64, decimal ones are not: Go does so. */
const LARGEST_BINARY = (2n ** 63n - 1n) * WHOLE;
/** An amount with more digits than this means nothing, and 1e999999999 would take a gigabyte to write out. */
const LARGEST_EXPONENT = 100;

const nanosByText = new Map<string, bigint>();

/**
 * A quantity in billionths, exactly as Go's resource.Quantity holds it: anything finer rounds away
 * from zero. Undefined if the text is no quantity. Unlike Go, a quantity needs a digit: there `Gi`
 * means 0, which nobody who writes it can mean.
 */
export function parseQuantity(text: string): bigint | undefined {
  const known = nanosByText.get(text);
  if (known !== undefined) return known;
  const match = QUANTITY.exec(text);
  if (match === null) return undefined;
  const [, sign, whole, fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  let digits = BigInt(whole + fraction);
  const shift = BINARY.get(suffix);
  if (shift !== undefined) digits <<= shift;
  const exponent = DECIMAL.get(suffix) ?? (/^[eE][+-\d]/.test(suffix) ? Number(suffix.slice(1)) : 0);
  if (Math.abs(exponent) > LARGEST_EXPONENT) return undefined;
  let nanos = scaled(digits, exponent - fraction.length + NANO_DIGITS);
  if (shift !== undefined && nanos > LARGEST_BINARY) nanos = LARGEST_BINARY;
  if (sign === '-') nanos = -nanos;
  nanosByText.set(text, nanos);
  return nanos;
}

/** amount × 10^power, rounded up. */
function scaled(amount: bigint, power: number): bigint {
  return power >= 0 ? amount * 10n ** BigInt(power) : ceiling(amount, 10n ** BigInt(-power));
}

function ceiling(amount: bigint, unit: bigint): bigint {
  const whole = amount / unit;
  return whole * unit === amount ? whole : whole + (amount > 0n ? 1n : -1n);
}

/** Billionths as the engine counts them: millicores for cpu, whole units for the rest; rounded up. */
export function unitsOf(resource: string, nanos: bigint): number {
  return Number(ceiling(nanos, resource === 'cpu' ? MILLI : WHOLE));
}

/** A quantity field of any amount that is not negative, in billionths. JSON numbers are quantities too. */
export function quantity(value: unknown, path: string): bigint {
  // Go's decoder trims the text before it parses it.
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
  const nanos = parseQuantity(text);
  if (nanos === undefined) throw new FieldProblem(path, value, 'a quantity such as 500m, 2 or 1.5Gi');
  if (nanos < 0n) throw new FieldProblem(path, value, 'a quantity that is not negative');
  return nanos;
}
