import type { Resources } from './objects.ts';

const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** A quantity that parses back to the same amount: "2", "1930m", "8Gi". */
export function amountText(resource: string, amount: number): string {
  if (resource === 'cpu') return amount % 1000 === 0 ? String(amount / 1000) : `${amount}m`;
  return isInBytes(resource) ? bytesText(amount) : String(amount);
}

export function amountTexts(amounts: Resources): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, amountText(name, amount)]));
}

function isInBytes(resource: string): boolean {
  return resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
}

function bytesText(bytes: number): string {
  // Go caps binary quantities at 2^63 - 1 but not decimal ones: no suffix beyond what a double represents exactly.
  if (bytes === 0 || bytes > Number.MAX_SAFE_INTEGER) return String(bytes);
  let power = 0;
  let rest = bytes;
  for (; rest % 1024 === 0; power++) rest /= 1024;
  return rest + BINARY_SUFFIXES[power];
}
