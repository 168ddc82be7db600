const HOURS_PER_MONTH = 730;

/** Three decimals below a dollar, where fractions of cents matter; two above. */
export function perHour(cents: number): string {
  return `$${grouped((cents / 100).toFixed(Math.abs(cents) < 100 ? 3 : 2))}/h`;
}

export function perMonth(cents: number): string {
  return `$${grouped(((cents / 100) * HOURS_PER_MONTH).toFixed(0))}`;
}

export function count(n: number, noun: string): string {
  return `${grouped(String(n))} ${noun}${n === 1 ? '' : 's'}`;
}

/** Intl costs 30 ms at its first use. */
export function grouped(digits: string): string {
  return digits.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
}
