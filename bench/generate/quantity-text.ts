/** Amounts and times as Kubernetes prints them. */

export function cpuText(milli: number): string {
  return milli % 1000 === 0 ? String(milli / 1000) : `${milli}m`;
}

const BINARY_UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti'] as const;

export function bytesText(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount !== 0 && amount % 1024 === 0 && unit < BINARY_UNITS.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${amount}${BINARY_UNITS[unit]}`;
}

/** Whole seconds, as metav1.Time has them. */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
