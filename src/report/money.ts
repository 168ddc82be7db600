const HOURS_PER_MONTH = 730;

/** Three decimals below a dollar, where fractions of cents matter; two above. */
export function perHour(cents: number): string {
  return `${inDollars(cents / 100, Math.abs(cents) < 100 ? 3 : 2)}/h`;
}

/** A sum that leaves out nodes without a price, unknown if there are no others. */
export function sumPerHour(cents: number, unpriced: number): string {
  return unpriced > 0 && perHour(cents) === perHour(0) ? 'unknown price' : perHour(cents);
}

export function perMonth(cents: number): string {
  return inDollars((cents / 100) * HOURS_PER_MONTH, 0);
}

/** The sign stands before the $; zero has none. */
export function inDollars(value: number, decimals: number): string {
  const digits = grouped(Math.abs(value).toFixed(decimals));
  return value < 0 && /[1-9]/.test(digits) ? `-$${digits}` : `$${digits}`;
}

export function count(n: number, noun: string): string {
  return `${grouped(String(n))} ${noun}${n === 1 ? '' : 's'}`;
}

/** Intl costs 30 ms at its first use. */
export function grouped(digits: string): string {
  return digits.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
}
