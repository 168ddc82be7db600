/**
 * Kubernetes quantities ("250m", "1.5Gi", "12e6"), parsed like Go's resource.Quantity.
 *
 * Two deliberate differences: text without a digit ("m", "+") is malformed here and zero in Go, and amounts beyond
 * int64 saturate or stay large here where Go's Value() wraps or becomes 0.
 */
const PATTERN = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:([numkMGTPE])|([KMGTPE])i|[eE]([+-]?\d+))?$/;

const DECIMAL_EXPONENT: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY_EXPONENT: Readonly<Record<string, number>> = { K: 10, M: 20, G: 30, T: 40, P: 50, E: 60 };

type Format = 'decimal-si' | 'binary-si' | 'decimal-exponent';

/** The amount is ±integer.fraction × 10^decimal × 2^binary. */
interface Parsed {
  readonly negative: boolean;
  readonly integer: string;
  readonly fraction: string;
  readonly decimal: number;
  readonly binary: number;
  readonly format: Format;
}

/** Millicores of a cpu quantity, rounded away from zero; NaN if invalid. */
export function milliValue(text: string): number {
  return scaledValue(text, 3);
}

/** Whole units (bytes, pods, devices), rounded away from zero; NaN if invalid. */
export function wholeValue(text: string): number {
  return scaledValue(text, 0);
}

const NANO = 10n ** 9n;
/** Amounts saturate at the largest int64, in billionths. */
export const LARGEST_NANOS = (2n ** 63n - 1n) * NANO;
/** Powers of ten: at the first, an amount exceeds int64; below the second, it is less than a billionth even with Ei. */
const ABOVE_LARGEST = 20;
const BELOW_NANO = -28;
/** More digits than any amount between these bounds needs. */
const MOST_DIGITS = 64;

/**
 * The amount in billionths; finer parts round away from zero, as in Go's resource.Quantity. Amounts beyond int64
 * saturate, and parsing takes linear time: the API server accepts 1e999 and a million digits.
 */
export function nanoValue(text: string): bigint | undefined {
  const q = parse(text);
  if (q === undefined) return undefined;
  const digits = (q.integer + q.fraction).replace(/^0+/, '');
  if (digits === '') return 0n;
  // The amount is at least 10^(order - 1) and less than 10^order, times 2^binary.
  const order = digits.length - q.fraction.length + q.decimal;
  const nanos = order > ABOVE_LARGEST ? LARGEST_NANOS : order < BELOW_NANO ? 1n : nanosOf(digits, order, q);
  return q.negative ? -nanos : nanos;
}

function nanosOf(digits: string, order: number, q: Parsed): bigint {
  // Dropped digits still round the amount up.
  const rest = /[1-9]/.test(digits.slice(MOST_DIGITS)) ? '1' : '';
  const kept = digits.slice(0, MOST_DIGITS) + rest;
  const exact = scaleExactly({ ...q, integer: kept, fraction: '' }, order - kept.length + 9);
  return exact > LARGEST_NANOS ? LARGEST_NANOS : exact;
}

function scaledValue(text: string, places: number): number {
  const q = parse(text);
  if (q === undefined) return Number.NaN;
  const exponent = q.decimal + places - q.fraction.length;
  const magnitude = scaleInDoubles(q, exponent) ?? Number(scaleExactly(q, exponent));
  return q.negative && magnitude !== 0 ? -magnitude : magnitude;
}

/** The result if every step is exact in a double, as it is for all common quantities. */
function scaleInDoubles(q: Parsed, exponent: number): number | undefined {
  if (exponent > 15 || exponent < -15) return undefined;
  let amount = Number(q.integer + q.fraction) * 2 ** q.binary;
  if (exponent > 0) amount *= 10 ** exponent;
  if (amount > Number.MAX_SAFE_INTEGER) return undefined;
  if (exponent >= 0) return amount;
  const divisor = 10 ** -exponent;
  const remainder = amount % divisor;
  return (amount - remainder) / divisor + (remainder === 0 ? 0 : 1);
}

/** |q| × 10^(exponent − q's own), rounded up. */
function scaleExactly(q: Parsed, exponent: number): bigint {
  const amount = BigInt(q.integer + q.fraction) << BigInt(q.binary);
  if (amount === 0n) return 0n;
  // Beyond 400 digits a double is infinite anyway; the limit keeps "1e999999999" from filling memory.
  if (exponent >= 0) return amount * 10n ** BigInt(Math.min(exponent, 400));
  if (-exponent > q.integer.length + q.fraction.length + 20) return 1n;
  const divisor = 10n ** BigInt(-exponent);
  return (amount + divisor - 1n) / divisor;
}

/**
 * The output of Go's Quantity.String(); undefined if invalid. Karpenter uses it as a label value, so texts that Go
 * takes for canonical ("1.250", "07") are kept as well.
 */
export function formatQuantity(text: string): string | undefined {
  const q = parse(text);
  if (q === undefined) return undefined;
  return goKeepsText(q) ? text : canonical(q);
}

function goKeepsText(q: Parsed): boolean {
  const integer = q.integer.replace(/^0+/, '') || '0';
  const digits = integer + q.fraction;
  if (q.format === 'binary-si') {
    const precision = 14 - integer.length - Math.trunc((q.binary * 3) / 10);
    return q.fraction === '' && precision >= 0 && Number(digits) % 8 !== 0;
  }
  const scale = q.decimal - q.fraction.length;
  return digits.length <= 18 && scale >= -9 && scale % 3 === 0 && !digits.endsWith('000') && digits[0] !== '0';
}

function canonical(q: Parsed): string {
  // Go keeps nothing finer than a nano.
  let mantissa = scaleExactly(q, q.decimal + 9 - q.fraction.length);
  if (mantissa === 0n) return '0';
  const sign = q.negative ? '-' : '';
  if (q.format === 'binary-si' && mantissa >= 1024n * NANO && mantissa % NANO === 0n) {
    let whole = mantissa / NANO;
    let power = 0;
    for (; whole % 1024n === 0n; power++) whole /= 1024n;
    return `${sign}${whole}${['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'][power]}`;
  }
  let exponent = -9;
  for (; mantissa % 10n === 0n; exponent++) mantissa /= 10n;
  for (; exponent % 3 !== 0; exponent--) mantissa *= 10n;
  return sign + mantissa + decimalSuffix(exponent, q.format);
}

function decimalSuffix(exponent: number, format: Format): string {
  if (exponent === 0) return '';
  if (format === 'decimal-exponent') return `e${exponent}`;
  return Object.keys(DECIMAL_EXPONENT).find((suffix) => DECIMAL_EXPONENT[suffix] === exponent) ?? '';
}

function parse(text: string): Parsed | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const [, sign, integer = '', fraction = '', si, binary, exponent] = match;
  return {
    negative: sign === '-',
    integer,
    fraction,
    decimal: si !== undefined ? (DECIMAL_EXPONENT[si] ?? 0) : Number(exponent ?? 0),
    binary: binary !== undefined ? (BINARY_EXPONENT[binary] ?? 0) : 0,
    format: binary !== undefined ? 'binary-si' : exponent !== undefined ? 'decimal-exponent' : 'decimal-si',
  };
}
