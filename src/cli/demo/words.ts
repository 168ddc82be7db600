import type { NamedPolicy } from '../../lab/named-policy.ts';
import { commandInWords, outcomeInWords, reasonInWords } from '../../report/command-words.ts';
import { count } from '../../report/money.ts';
import type { Moment } from '../../simulator/moment.ts';
import type { ClusterEvent, Staying } from './events.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Weekday and time of day in virtual time, which has no zone. */
export function clock(ms: number): string {
  const date = new Date(ms);
  return `${DAYS[date.getUTCDay()]} ${date.toISOString().slice(11, 16)}`;
}

/** "stock Karpenter" or "no consolidation". */
export function baselineInWords({ controller }: NamedPolicy): string {
  return controller === 'stock' ? 'stock Karpenter' : 'no consolidation';
}

export function eventText(news: ClusterEvent): string {
  switch (news.kind) {
    case 'begun':
      return `#${news.number} ${commandInWords(news.command)}`;
    case 'done':
    case 'abandoned':
      return `#${news.number} ${outcomeInWords(news.command)}`;
    case 'launched':
      return `Karpenter launches ${count(news.nodes, 'node')} (${news.types.join(', ')})`;
    case 'leaving':
      return `${CAUSES[news.cause]}: node ${news.node} (${news.type}) is removed, ${count(news.pods, 'pod')} to move`;
  }
}

const CAUSES: Readonly<Record<Extract<ClusterEvent, { kind: 'leaving' }>['cause'], string>> = {
  consolidation: 'consolidation by Karpenter',
  interruption: 'spot interruption',
  expiration: 'expired',
  drift: 'drifted',
  'by-hand': 'deleted by hand',
  unneeded: 'no longer needed',
};

export function stayInWords({ nodes, held }: Staying): string {
  const parts: string[] = [];
  if (nodes.size > 0) {
    const all = [...nodes.values()];
    const graced = all.flatMap((n) => (n.refusal.code === 'grace-period' ? (n.before ?? []) : []));
    const why = byCode(
      all.map((n) => n.refusal),
      graced.length === 0 ? {} : { 'grace-period': ` (after ${byCode(graced)})` },
    );
    parts.push(`${count(nodes.size, 'node')} ${nodes.size === 1 ? 'stays' : 'stay'}: ${why}`);
  }
  if (held.length > 0) parts.push(`${count(held.length, 'move')} held back: ${byCode(held)}`);
  return parts.join('; ');
}

/** `asides`: additional text by code. */
function byCode(refusals: readonly { readonly code: string }[], asides: Readonly<Record<string, string>> = {}): string {
  const counts = new Map<string, number>();
  for (const { code } of refusals) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([code, n]) => `${n} ${reasonInWords(code)}${asides[code] ?? ''}`)
    .join(', ');
}

export function totalsInWords({ nodes, pods, pendingPods, dollarsPerHour }: Moment): string {
  const pending = pendingPods === 0 ? '' : ` (${pendingPods} pending)`;
  return `${count(pods, 'pod')}${pending} on ${count(nodes, 'node')}, ${dollarsAndCents(dollarsPerHour)}/h`;
}

export function dollarsAndCents(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
