import type { HostPort } from '../cluster/host-port.ts';

/** Same protocol and port, and the same address or a wildcard. */
function clash(a: HostPort, b: HostPort): boolean {
  if (a.port !== b.port || a.protocol !== b.protocol) return false;
  const x = address(a.ip);
  const y = address(b.ip);
  return x === y || isEveryAddress(x) || isEveryAddress(y);
}

function address(ip: string): string {
  if (ip === '') return '0.0.0.0';
  return ip.toLowerCase().startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip.toLowerCase();
}

function isEveryAddress(ip: string): boolean {
  return ip === '0.0.0.0' || /^[0:]*$/.test(ip);
}

export function portsClash(wanted: readonly HostPort[], taken: readonly HostPort[]): boolean {
  return wanted.some((w) => taken.some((t) => clash(w, t)));
}
