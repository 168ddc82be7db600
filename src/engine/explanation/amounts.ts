import type { Resources } from '../cluster/objects.ts';

/** Numbers as text. Limits are rounded to the side on which they still hold. */

/** "40 s", "3 min", "2 h 5 min", "3 d"; rounded up. */
export function durationInWords(ms: number): string {
  const s = Math.ceil(ms / 1000);
  if (s < 120) return `${s} s`;
  const minutes = Math.ceil(s / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.ceil(hours / 24)} d`;
}

/** Elapsed time; rounded down. */
export function elapsed(ms: number): string {
  const s = Math.floor(Math.max(0, ms) / 1000);
  if (s < 120) return `${s} s`;
  if (s < 7200) return `${Math.floor(s / 60)} min`;
  return s < 172_800 ? `${Math.floor(s / 3600)} h` : `${Math.floor(s / 86_400)} d`;
}

export function cents(value: number): string {
  return `${trimmed(value.toFixed(2))} ¢/h`;
}

/** Rounded up, ignoring float noise. */
export function centsUp(value: number): string {
  return `${trimmed((Math.ceil(value * 100 - 1e-6) / 100).toFixed(2))} ¢/h`;
}

/** An upper limit in three significant digits, rounded down so that it still holds. */
export function atMost(value: number): string {
  return rounded(value, Math.floor, 1e-9);
}

/** A lower limit, rounded up. */
export function atLeast(value: number): string {
  return rounded(value, Math.ceil, -1e-9);
}

function rounded(value: number, round: (x: number) => number, noise: number): string {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  const scale = 10 ** digits;
  return trimmed((round(value * scale * (1 + noise)) / scale).toFixed(digits));
}

export function percent(share: number): string {
  return `${trimmed((share * 100).toFixed(1))} %`;
}

function trimmed(number: string): string {
  return number.includes('.') ? number.replace(/\.?0+$/, '') : number;
}

const GIB = 2 ** 30;
const MIB = 2 ** 20;

/** "0.4 cpu and 1.5 GiB memory", "nothing"; rounded up. */
export function amounts(resources: Resources): string {
  const named = Object.entries(resources).map(([name, amount]) => amountOf(name, amount));
  return named.join(' and ') || 'nothing';
}

function amountOf(name: string, amount: number): string {
  if (name === 'cpu') return `${trimmed((Math.ceil(amount - 1e-6) / 1000).toFixed(3))} cpu`;
  if (name === 'memory' || name === 'ephemeral-storage') {
    return amount >= GIB
      ? `${trimmed((Math.ceil((amount / GIB) * 100 - 1e-6) / 100).toFixed(2))} GiB ${name}`
      : `${Math.ceil(amount / MIB)} MiB ${name}`;
  }
  if (name === 'pods') return `${amount} pod ${amount === 1 ? 'slot' : 'slots'}`;
  return `${amount} ${name}`;
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** The first names and the number of the others. */
export function listed(names: readonly string[], most = 3): string {
  if (names.length <= most) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}
