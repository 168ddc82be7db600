const HOURS_PER_MONTH = 730;

/** Cents below a dollar, where they decide; whole cents above. */
export function perHour(cents: number): string {
  return `$${grouped((cents / 100).toFixed(Math.abs(cents) < 100 ? 3 : 2))}/h`;
}

export function perMonth(cents: number): string {
  return `$${grouped(((cents / 100) * HOURS_PER_MONTH).toFixed(0))}`;
}

export function count(n: number, noun: string): string {
  return `${grouped(String(n))} ${noun}${n === 1 ? '' : 's'}`;
}

/** Intl would do it, and cost 30 ms at its first use. */
export function grouped(digits: string): string {
  return digits.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
}
